import { rmSync } from 'node:fs';

/** Removes files that have not their final name yet when a signal ends the process. */
export interface Unfinished {
  /** Resolves when the file would be removed. */
  add(path: string): Promise<void>;
  /** The file has its name, or is gone. */
  drop(path: string): void;
}

const paths = new Set<string>();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes them by the signals that this thread gets, which has to be the main one. */
export const bySignals: Unfinished = {
  async add(path) {
    if (paths.size === 0) {
      for (const signal of SIGNALS) process.on(signal, endBy);
      process.on('exit', removeAll);
    }
    paths.add(path);
  },
  drop(path) {
    paths.delete(path);
    if (paths.size > 0) return;
    for (const signal of SIGNALS) process.off(signal, endBy);
    process.off('exit', removeAll);
  },
};

function removeAll(): void {
  for (const path of paths) rmSync(path, { force: true });
}

/** Ends the process as the signal does without a listener, so that its parent sees the reason. */
function endBy(signal: NodeJS.Signals): void {
  removeAll();
  for (const one of SIGNALS) process.off(one, endBy);
  process.kill(process.pid, signal);
}

let current = bySignals;

/** Gives the files of this thread to another watch: only the main thread gets signals. */
export function watchBy(other: Unfinished): void {
  current = other;
}

export const unfinished: Unfinished = {
  add: (path) => current.add(path),
  drop: (path) => current.drop(path),
};
