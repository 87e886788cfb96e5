interface Entry<V> {
  value: V;
  bytes: number;
  holds: number;
}

/**
 * A map with a limit in bytes. It drops the least recently used entries. Held entries are not dropped, so the limit can
 * be exceeded until they are released.
 */
export class ByteLru<K, V> {
  readonly #entries = new Map<K, Entry<V>>(); // ordered by use, oldest first
  readonly #onEvict: ((key: K, value: V) => void) | undefined;
  #bytes = 0;

  /** `onEvict` is called for entries that are dropped for space, but not for those that are deleted or replaced. */
  constructor(
    readonly maxBytes: number,
    onEvict?: (key: K, value: V) => void,
  ) {
    this.#onEvict = onEvict;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns a value and marks it as used. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Adds or replaces an entry, then drops others if necessary. Default of `holds`: that of the replaced entry. */
  set(key: K, value: V, bytes: number, holds = this.#entries.get(key)?.holds ?? 0): void {
    this.delete(key);
    this.#entries.set(key, { value, bytes, holds });
    this.#bytes += bytes;
    this.#evict();
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  /** Prevents an entry from being dropped until `release` was called as often as `hold`. */
  hold(key: K): void {
    const entry = this.#entries.get(key);
    if (entry) entry.holds++;
  }

  release(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry || entry.holds === 0) return;
    entry.holds--;
    if (entry.holds === 0) this.#evict();
  }

  #evict(): void {
    if (this.#bytes <= this.maxBytes) return;
    for (const [key, entry] of this.#entries) {
      if (entry.holds > 0) continue;
      this.delete(key);
      this.#onEvict?.(key, entry.value);
      if (this.#bytes <= this.maxBytes) return;
    }
  }
}
