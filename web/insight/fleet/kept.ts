/**
 * Units that a site keeps: whole files, blocks, or ranges. The units that were used longest ago make room for others. A
 * unit that is on its way is fetched once, and all who want it wait for it.
 */
export class Kept {
  readonly #capacity: number;
  /** Bytes of each unit, in the order of last use. */
  readonly #units = new Map<number, number>();
  readonly #waiting = new Map<number, (() => void)[]>();
  #bytes = 0;
  /** Bytes of units that were asked for, and of those that were there. */
  asked = 0;
  hit = 0;
  evicted = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether the unit is here or on its way; counts nothing. */
  has(unit: number): boolean {
    return this.#units.has(unit) || this.#waiting.has(unit);
  }

  /** Looks for a unit of `bytes`. If it is being fetched, `done` is called when it is complete. */
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

  /** The unit is being fetched from now on. */
  expect(unit: number): void {
    this.#waiting.set(unit, []);
  }

  /** The unit has come. */
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
