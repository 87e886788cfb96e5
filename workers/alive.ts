/** Sent by a worker of a page: the name of a lock that it holds until it ends. */
interface Alive {
  xylemLock: string;
}

/**
 * Runs in a worker of a page: takes a lock, and sends its name to the starter of this worker. A worker that ended
 * itself or was ended by the browser sends no event, but its lock is released.
 */
export function announceLife(): void {
  const name = `xylem-${Math.random().toString(36).slice(2)}`;
  const hold = () => {
    postMessage({ xylemLock: name } satisfies Alive);
    return new Promise<void>(() => {});
  };
  // Pages over plain HTTP, and frames without an origin, have no locks.
  navigator.locks?.request(name, hold).catch(() => {});
}

/** Calls `gone` after the worker that sent this message has ended. Returns a function that stops listening. */
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
