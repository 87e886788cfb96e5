import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'vitest';
import { lacks } from '../needs';

/** The built command line. */
export const program = resolve(import.meta.dirname, '../../dist/cli/xylem.js');

export interface Ended {
  status: number | null;
  out: string;
  err: string;
}

/** The built program, with its cache in a folder. */
export function programWith(caches: string) {
  function start(args: string[]): ChildProcess {
    const env = { ...process.env, XDG_CACHE_HOME: caches };
    return spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  }

  /** Runs the program in its own process. `take`: stdout is closed after this number of bytes. */
  function run(args: string[], take = Number.POSITIVE_INFINITY): Promise<Ended> {
    return new Promise((done, fail) => {
      const child = start(args);
      let out = '';
      let err = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        out += chunk.toString('utf8');
        if (out.length >= take) child.stdout?.destroy();
      });
      child.stderr?.on('data', (chunk: Buffer) => {
        err += chunk.toString('utf8');
      });
      child.on('error', fail);
      child.on('close', (status) => done({ status, out, err }));
    });
  }

  // `npm test` builds first; a bare vitest in a fresh checkout has no program to run.
  return { start, run, built: test.skipIf(lacks('the built program', existsSync(program))) };
}
