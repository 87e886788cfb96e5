import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { isUrl } from '../targets';

/** Time in ms after which the question is given up. */
const PATIENCE = 5000;

/**
 * Returns how many bytes of a local file the system's page cache holds, which only a program of Linux (fincore, of
 * util-linux) tells. Undefined if it is missing or fails, and for addresses.
 */
export function pageCacheBytes(path: string): Promise<number | undefined> {
  if (isUrl(path) || process.platform !== 'linux') return Promise.resolve(undefined);
  const words = ['--bytes', '--noheadings', '--output', 'RES', '--', resolve(path)];
  return new Promise((done) => {
    execFile('fincore', words, { timeout: PATIENCE }, (failed, out) => {
      const bytes = Number.parseInt(out, 10);
      done(failed || !Number.isSafeInteger(bytes) ? undefined : bytes);
    });
  });
}
