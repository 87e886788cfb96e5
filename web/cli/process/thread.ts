import { writeSync } from 'node:fs';
import { parentPort, Worker } from 'node:worker_threads';
import { bySignals, type Unfinished } from '../../sinks/node-unfinished';

/** A message of the thread about a file that has not its final name. */
type Told = { add: string } | { drop: string };

/**
 * Runs the command line in a thread of its own: a long loop there keeps signals from being handled, and they end the process
 * at once, with all that is not finished removed. `script` is the program, and `argv` what follows it.
 */
export function runInThread(script: string, argv: string[]): void {
  // The thread writes to the streams of the process itself. What comes here are warnings of Node.
  const worker = new Worker(script, { argv, stdout: true, stderr: true });
  worker.stderr.on('data', (bytes: Buffer) => writeSync(STDERR, bytes));
  worker.on('message', (told: Told) => {
    if ('drop' in told) bySignals.drop(told.drop);
    else void bySignals.add(told.add).then(() => worker.postMessage(told.add));
  });
  worker.on('error', (error) => {
    writeSync(STDERR, `${error.stack ?? error.message}\n`);
    process.exit(1);
  });
  worker.on('exit', (status) => process.exit(status));
}

const STDERR = 2;

/** Files of this thread, which the main thread removes. */
export function byMainThread(): Unfinished {
  const waiting = new Map<string, () => void>();
  parentPort?.on('message', (path: string) => {
    waiting.get(path)?.();
    waiting.delete(path);
  });
  const tell = (told: Told): void => parentPort?.postMessage(told);
  return {
    add: (path) =>
      new Promise((added) => {
        waiting.set(path, added);
        tell({ add: path });
      }),
    drop: (path) => tell({ drop: path }),
  };
}
