/** Working time in ms after which a thread pauses for messages. A pause costs as much as decoding 20 kB. */
const MESSAGES_EVERY_MS = 10;

let letIn = 0;

/** Pauses so that messages of other threads can arrive, if there was no pause recently. */
export async function letMessagesIn(): Promise<void> {
  if (performance.now() - letIn <= MESSAGES_EVERY_MS) return;
  await oneTurn();
  letIn = performance.now();
}

/** Runs a function after other events; undefined in browsers. */
export const setImmediateOfNode = (globalThis as { setImmediate?: (run: () => void) => unknown })
  .setImmediate;

/**
 * Fulfils after other events have been handled. It does not use a timer, because Node runs all due timers first, so
 * several such loops would never let messages in. In Node it does not use a MessageChannel either, because the first
 * message loads all of `fetch`, which takes 25 ms.
 */
export function oneTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediateOfNode !== undefined) {
      setImmediateOfNode(resolve);
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
