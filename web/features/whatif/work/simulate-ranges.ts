/** The range of loaded entries of each branch, and the lowest end of all these ranges. */
export class LowestOfHighest {
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  /** Number of branches that end at an entry, and a heap of these entries, some of which are outdated. */
  readonly #counts = new Map<number, number>();
  readonly #heap: number[] = [];

  constructor(branches: number) {
    this.#first = new Float64Array(branches).fill(-1);
    this.#last = new Float64Array(branches).fill(-1);
  }

  update(branch: number, first: number, last: number): void {
    const from = this.#first[branch] ?? -1;
    if (from < 0 || first < from) this.#first[branch] = first;
    const before = this.#last[branch] ?? -1;
    if (last <= before) return;
    this.#last[branch] = last;
    if (before >= 0) this.#counts.set(before, (this.#counts.get(before) ?? 1) - 1);
    const count = this.#counts.get(last) ?? 0;
    this.#counts.set(last, count + 1);
    if (count === 0) push(this.#heap, last);
  }

  /** Returns the lowest last entry of all branches that have any; -1 if none has. */
  lowest(): number {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if ((this.#counts.get(top) ?? 0) > 0) return top;
      this.#counts.delete(top);
      pop(this.#heap);
    }
    return -1;
  }

  /** Whether an entry is in the range of any branch. */
  contains(entry: number): boolean {
    return this.#last.some(
      (last, branch) => last >= 0 && (this.#first[branch] ?? 0) <= entry && entry <= last,
    );
  }
}

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const up = (at - 1) >> 1;
    const above = heap[up] ?? 0;
    if (above <= value) break;
    heap[at] = above;
    heap[up] = value;
    at = up;
  }
}

function pop(heap: number[]): void {
  const value = heap.pop();
  if (value === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let down = 2 * at + 1;
    const right = heap[down + 1];
    if (right !== undefined && right < (heap[down] ?? 0)) down++;
    const below = heap[down];
    if (below === undefined || below >= value) break;
    heap[at] = below;
    at = down;
  }
  heap[at] = value;
}
