import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { overBudget } from '../base/data-errors';
import { XylemError } from '../base/errors';
import { ioError } from '../base/io-error';
import { defaultCacheFolder } from '../cache/node-user-folder';

/** Limit on the bytes of a list, a trace or a model: a device never ends. */
const MAX_BYTES = 512 * 1024 * 1024;

/** The pieces of a file that a person names: a list, a trace, a model. Throws IO, and BUDGET for one that is too long. */
export async function* piecesOfFile(path: string): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw tooLong(path);
      yield piece;
    }
  } catch (thrown) {
    if (thrown instanceof XylemError) throw thrown;
    throw ioError(`"${path}" cannot be read`, thrown, path);
  }
}

/** All of it. */
export async function readNamed(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of piecesOfFile(path)) pieces.push(piece);
  return Buffer.concat(pieces);
}

function tooLong(path: string): XylemError {
  return overBudget(
    `"${path}" has more than ${MAX_BYTES / 1024 / 1024} MiB.`,
    'Name a file with a list, a trace or a model, or a part of it.',
    { path },
  );
}

/** Returns a text in the user's folder of caches; undefined if there is none. */
export async function textOfUser(name: string): Promise<string | undefined> {
  try {
    return await readFile(join(defaultCacheFolder(), name), 'utf8');
  } catch {
    return undefined;
  }
}

/** Time in ms after which the question is given up. */
const PATIENCE = 5000;

/**
 * Returns how many bytes of a local file the system's page cache holds, which only a program of Linux (fincore, of
 * util-linux) tells. Undefined if it is missing or fails, and for addresses.
 */
export function pageCacheBytes(path: string): Promise<number | undefined> {
  if (path.includes('://') || process.platform !== 'linux') return Promise.resolve(undefined);
  const words = ['--bytes', '--noheadings', '--output', 'RES', '--', resolve(path)];
  return new Promise((done) => {
    execFile('fincore', words, { timeout: PATIENCE }, (failed, out) => {
      const bytes = Number.parseInt(out, 10);
      done(failed || !Number.isSafeInteger(bytes) ? undefined : bytes);
    });
  });
}
