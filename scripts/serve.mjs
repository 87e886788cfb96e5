// Serves the built page with `xylem serve`, for `npm start`, the stories and the pictures.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root, StepError } from './run.mjs';

/**
 * Serves dist/page on this machine, and `file` below /files/; dist/cli has to be built.
 * @param {{ port: number, file?: string | undefined }} options port 0: any that is free
 * @returns {Promise<{ url: string, link: string | undefined, close: () => void }>} url ends with "/", link opens
 *   the file; rejects when the port is taken
 */
export async function serve({ port, file }) {
  const command = join(root, 'dist/cli/xylem.js');
  const shared = file ?? join(root, 'public/sample.root');
  const server = spawn(process.execPath, [command, 'serve', shared, '--port', String(port), '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => server.kill());
  let complaint = '';
  server.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text;
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const { url, files } = JSON.parse(line);
    return { url, link: file && files[0].link, close: () => server.kill() };
  }
  throw new StepError(complaint.trim());
}
