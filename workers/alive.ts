/** Sent by a worker of a page: the lock that it holds for as long as it lives. */
interface Alive {
  xylemLock: string;
}

/**
 * In a worker of a page: takes a lock, and tells its name to the page or worker that started this one. A worker that
 * ended itself, or that the browser ended, sends no event; its lock is given back.
 */
export function announceLife(): void {
  const name = `xylem-${Math.random().toString(36).slice(2)}`;
  const hold = () => {
    postMessage({ xylemLock: name } satisfies Alive);
    return new Promise<void>(() => {});
  };
  // Pages of plain http, and frames without an origin, have no locks.
  navigator.locks?.request(name, hold).catch(() => {});
}

/** Calls `gone` when the worker has ended whose message this is. Returns a function that stops listening. */
export function onEnd(message: unknown, gone: () => void): () => void {
  if (!isAlive(message)) return () => {};
  const controller = new AbortController();
  const { signal } = controller;
  navigator.locks?.request(message.xylemLock, { signal }, async () => gone()).catch(() => {});
  return () => controller.abort();
}

function isAlive(value: unknown): value is Alive {
  return typeof value === 'object' && value !== null && 'xylemLock' in value;
}
