import { formatCount } from '../../../../base/format';

const WHY =
  'stored as they are, or by a codec without a checksum (zstd), so that damage in their values cannot be seen';

/** Counts the parts of a salvaged file that no checksum confirms. */
export class Unproven {
  readonly #baskets = new Map<string, { all: number; unproven: number }>();
  readonly #objects = { all: 0, unproven: 0 };

  /** Adds a copied object or basket. `path` is that of its key. */
  add(path: string, kind: 'object' | 'basket', hasChecksum: boolean): void {
    const counts = kind === 'object' ? this.#objects : (this.#baskets.get(path) ?? { all: 0, unproven: 0 });
    if (kind === 'basket') this.#baskets.set(path, counts);
    counts.all++;
    if (!hasChecksum) counts.unproven++;
  }

  /** Returns a line for each tree, and one for objects. */
  notes(): string[] {
    const line = (what: string, { all, unproven }: { all: number; unproven: number }): string[] =>
      unproven > 0
        ? [`${what}: ${formatCount(unproven)} of ${formatCount(all)} are not checkable: they are ${WHY}`]
        : [];
    return [
      ...Array.from(this.#baskets, ([path, counts]) => line(`${path}, baskets`, counts)).flat(),
      ...line('objects', this.#objects),
    ];
  }
}
