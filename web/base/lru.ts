interface Entry<V> {
  value: V;
  bytes: number;
  pins: number;
}

/**
 * A map bounded in bytes that drops the least recently used entries. Pinned entries stay, so the bound can be
 * exceeded while more than `maxBytes` is pinned; it holds again after unpinning.
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

  /** Adds or replaces, then makes room. Pins default to those of the entry that is replaced. */
  set(key: K, value: V, bytes: number, pins = this.#entries.get(key)?.pins ?? 0): void {
    this.delete(key);
    this.#entries.set(key, { value, bytes, pins });
    this.#bytes += bytes;
    this.#evict();
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  /** Prevents an entry from being dropped until `unpin` was called as often as `pin`. */
  pin(key: K): void {
    const entry = this.#entries.get(key);
    if (entry) entry.pins++;
  }

  unpin(key: K): void {
    const entry = this.#entries.get(key);
    if (!entry || entry.pins === 0) return;
    entry.pins--;
    if (entry.pins === 0) this.#evict();
  }

  #evict(): void {
    if (this.#bytes <= this.maxBytes) return;
    for (const [key, entry] of this.#entries) {
      if (entry.pins > 0) continue;
      this.delete(key);
      this.#onEvict?.(key, entry.value);
      if (this.#bytes <= this.maxBytes) return;
    }
  }
}
