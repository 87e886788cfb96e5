import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { XylemError } from '../../../base/errors';
import script from './cpu.py?raw';

/** A job of cpu.py. */
export type PythonJob =
  | {
      program: 'root' | 'uproot';
      file: string;
      tree: string;
      branches: readonly string[] | null;
      /** Pairs [from, to) of entries. */
      ranges: readonly number[];
    }
  | { program: 'root'; write: string };

/** The answer to a job; times are in seconds. */
export type PythonAnswer =
  | { version: string; cpu: number; wall: number }
  | { version: string; cpu?: undefined }
  | { missing: string }
  | { failed: string };

/** A running Python, which does one job after another. */
export interface PythonPrograms {
  run(job: PythonJob): Promise<PythonAnswer>;
  end(): Promise<void>;
}

/** Starts a Python. `folder` gets the script. Throws ARGUMENT if it cannot be started, and INTERNAL if it ends. */
export async function startPython(python: string, folder: string): Promise<PythonPrograms> {
  const path = join(folder, 'cpu.py');
  await writeFile(path, script);
  const child = spawn(python, ['-W', 'ignore', path], { stdio: ['pipe', 'pipe', 'ignore'] });
  let failure: Error | undefined;
  child.once('error', (cause) => {
    failure = new XylemError({
      code: 'ARGUMENT',
      message: `"${python}" cannot be started: ${cause.message}.`,
      fix: 'Give --python the path of a Python with ROOT or uproot.',
    });
  });
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(job) {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      const { value, done } = await lines.next();
      if (done) {
        // The event of a program that cannot be started may come after the end of its output.
        await new Promise((resolve) => setImmediate(resolve));
        throw (
          failure ??
          new XylemError({
            code: 'ARGUMENT',
            message: `"${python}" ended without an answer.`,
            fix: 'Run it by itself: it has to be a Python of version 3.',
          })
        );
      }
      return JSON.parse(value);
    },
    async end() {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null && failure === undefined)
        await once(child, 'close');
    },
  };
}
