// Serves the built page with `xylem serve`, for `npm start`, the stories, the pictures and the benchmarks.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root, StepError } from './run.mjs';

/**
 * Serves dist/page on this machine, and `file` (or the files of a folder) below /files/; dist/cli has to be built.
 * @param {{ port: number, file?: string | undefined, gateway?: string | undefined, command?: string }} options port 0: any that is
 *   free; gateway: XRootD servers that the page may read from; command: the command line of another build
 * @returns {Promise<{ url: string, link: string, close: () => void }>} url ends with "/", link opens the page, with
 *   the file if there is one; rejects when the port is taken
 */
export async function serve({ port, file, gateway, command = join(root, 'dist/cli/xylem.js') }) {
  const shared = file ?? join(root, 'public/sample.root');
  const more = gateway === undefined ? [] : ['--gateway', gateway];
  const args = [command, 'serve', shared, '--port', String(port), '--json', ...more];
  const server = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => server.kill());
  let complaint = '';
  server.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text;
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const { url, link, files } = JSON.parse(line);
    return { url, link: file ? files[0].link : link, close: () => server.kill() };
  }
  throw new StepError(complaint.trim());
}
