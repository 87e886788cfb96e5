/** Maximum number of characters of a stored text, the same as in the editor. */
const MAX_KEPT = 300_000;
/** Time in ms without a change after which a text is stored. */
const REST = 300;

/** The text of a selector, stored over a reload of its tab. */
export interface KeptText {
  /** Returns the stored text; undefined if there is none. */
  load(): string | undefined;
  save(text: string): void;
}

/**
 * Stores a text in the storage of the tab, if there is one. `name` identifies its file and tree, and contains nothing
 * secret.
 */
export function keptText(storage: Storage | undefined, name: string): KeptText {
  const key = `xylem.selector ${name}`;
  let latest: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    clearTimeout(timer);
    try {
      if (latest === undefined || latest.length > MAX_KEPT) storage?.removeItem(key);
      else storage?.setItem(key, latest);
    } catch {
      // The storage is full or refused: the text is lost with the page.
    }
  };
  return {
    load() {
      try {
        const text = storage?.getItem(key);
        return text && text.length <= MAX_KEPT ? text : undefined;
      } catch {
        return undefined;
      }
    },
    save(text) {
      if (latest === undefined) globalThis.addEventListener?.('pagehide', write);
      latest = text;
      clearTimeout(timer);
      timer = setTimeout(write, REST);
    },
  };
}
