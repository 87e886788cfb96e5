import { rmSync } from 'node:fs';

/** Removes incomplete files, and folders with all that is in them, when a signal ends the process. */
export interface Unfinished {
  /** Adds a file. Resolves when it is certain to be removed on a signal. */
  add(path: string): Promise<void>;
  /** Removes a file from the list: it has its final name or no longer exists. */
  drop(path: string): void;
}

const paths = new Set<string>();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes files on signals to this thread, which has to be the main thread. */
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
  for (const path of paths) rmSync(path, { force: true, recursive: true });
}

/** Ends the process as the signal would without a listener, so that the parent process sees the reason. */
function endBy(signal: NodeJS.Signals): void {
  removeAll();
  for (const one of SIGNALS) process.off(one, endBy);
  process.kill(process.pid, signal);
}

let current = bySignals;

/** Hands over the files of this thread, because only the main thread receives signals. */
export function watchBy(other: Unfinished): void {
  current = other;
}

export const unfinished: Unfinished = {
  add: (path) => current.add(path),
  drop: (path) => current.drop(path),
};
