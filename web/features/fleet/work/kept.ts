/**
 * The cache of a site: whole files, blocks, or ranges. The least recently used units are dropped first. A unit that
 * is being fetched is fetched once, and all jobs that need it wait for it.
 */
export class Kept {
  readonly #capacity: number;
  /** Bytes of each unit, the least recently used first. */
  readonly #units = new Map<number, number>();
  readonly #waiting = new Map<number, (() => void)[]>();
  #bytes = 0;
  /** Bytes of requested units, and of those that were in the cache. */
  asked = 0;
  hit = 0;
  evicted = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether the unit is in the cache or being fetched. Does not change the counts. */
  has(unit: number): boolean {
    return this.#units.has(unit) || this.#waiting.has(unit);
  }

  /** Requests a unit of `bytes`. If it is being fetched, `done` is called when it is complete. */
  look(unit: number, bytes: number, done: () => void): 'here' | 'coming' | 'missing' {
    this.asked += bytes;
    const kept = this.#units.get(unit);
    if (kept !== undefined) {
      this.#units.delete(unit);
      this.#units.set(unit, kept);
      this.hit += bytes;
      return 'here';
    }
    const waiting = this.#waiting.get(unit);
    if (waiting === undefined) return 'missing';
    waiting.push(done);
    this.hit += bytes;
    return 'coming';
  }

  /** Marks a unit as being fetched. */
  expect(unit: number): void {
    this.#waiting.set(unit, []);
  }

  /** Adds a fetched unit. */
  keep(unit: number, bytes: number): void {
    const waiting = this.#waiting.get(unit);
    this.#waiting.delete(unit);
    if (bytes <= this.#capacity) {
      this.#units.set(unit, bytes);
      this.#bytes += bytes;
      for (const [oldest, size] of this.#units) {
        if (this.#bytes <= this.#capacity) break;
        this.#units.delete(oldest);
        this.#bytes -= size;
        this.evicted += size;
      }
    }
    for (const done of waiting ?? []) done();
  }
}
