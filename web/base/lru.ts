interface Entry<V> {
  value: V;
  bytes: number;
  holds: number;
}

/**
 * A map bounded in bytes that drops the least recently used entries. Held entries stay, so the bound can be
 * exceeded while more than `maxBytes` is held; it holds again after releasing.
 */
export class ByteLru<K, V> {
  readonly #entries = new Map<K, Entry<V>>(); // in order of use, oldest first
  readonly #onEvict: ((key: K, value: V) => void) | undefined;
  #bytes = 0;

  /** `onEvict` is called for entries dropped for space, not for those deleted or replaced. */
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

  /** Returns the value and counts it as used now. */
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

  /** Adds or replaces an entry, then makes room. `holds` is by default that of the entry that is replaced. */
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
