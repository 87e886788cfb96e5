/**
 * Time of work in this thread between two pauses. A message channel of its own costs as much as decoding 20 KB.
 */
const MESSAGES_EVERY_MS = 10;

let letIn = 0;

/** Lets messages of other threads in if none could arrive for some time. */
export async function letMessagesIn(): Promise<void> {
  if (performance.now() - letIn <= MESSAGES_EVERY_MS) return;
  await oneTurn();
  letIn = performance.now();
}

/**
 * Fulfils when other events had their turn. Not by a timer, because Node runs all due timers first, so that several loops of
 * this kind would never let messages in. In Node not by a message either: its first one loads all of Node's `fetch`, which takes
 * 25 ms.
 */
export function oneTurn(): Promise<void> {
  return new Promise((resolve) => {
    if ('setImmediate' in globalThis) {
      setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
