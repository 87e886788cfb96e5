import type { Asks } from './brushes';
import type { Collection } from './shapes';

/** How a brush on a list moves: the place in the grid of the end that stays, or the number of places between both ends. */
export type DragPath = { fixed: number } | { width: number };

/** The brush of a drag: the codes of its values in the grid, and what the brush asks for. */
export interface Moved {
  codes: Uint16Array;
  collection: Collection | undefined;
  /** Number of places in the grid. */
  places: number;
  inverted: boolean;
  asks: Asks;
  path: DragPath;
}

/** Lists up to this length are sorted by insertion. */
const SHORT = 24;

/** For each entry of a part: whether it is selected at the first place of a path, and the places at which that changes. */
export class Toggles {
  readonly starts: Uint32Array;
  readonly places: Uint16Array;
  readonly isFirst: Uint8Array;
  /** The codes of an entry in order. */
  #sorted = new Uint16Array(64);

  constructor(moved: Moved, from: number, to: number) {
    const { codes, collection, inverted, asks, path, places } = moved;
    this.starts = new Uint32Array(to - from + 1);
    this.isFirst = new Uint8Array(to - from);
    const { starts = new Uint32Array(to + 1) } = collection ?? {};
    this.places = new Uint16Array(2 * ((starts[to] as number) - (starts[from] as number)));
    const isSimple = 'fixed' in path && !inverted && asks !== 'all' && asks.least === 1;
    let used = 0;
    for (let entry = from; entry < to; entry++) {
      const [begin, end] = [starts[entry] as number, starts[entry + 1] as number];
      used = isSimple
        ? this.#nearest(codes, begin, end, path.fixed, places, entry - from, used)
        : this.#counted(moved, begin, end, entry - from, used);
      this.starts[entry - from + 1] = used;
    }
  }

  /** At least one element between the end that stays and the one that moves: the nearest ones on both sides count. */
  #nearest(
    codes: Uint16Array,
    begin: number,
    end: number,
    fixed: number,
    places: number,
    at: number,
    used: number,
  ): number {
    let [below, above] = [0, places];
    for (let i = begin; i < end; i++) {
      const code = codes[i] as number;
      if (code > fixed) {
        if (code < above) above = code;
      } else if (code > below) below = code;
    }
    let next = used;
    if (below > 0) {
      this.isFirst[at] = 1;
      this.places[next++] = below;
    }
    if (above < places) this.places[next++] = above;
    return next;
  }

  /** Counts how many elements pass along the path. */
  #counted(moved: Moved, begin: number, end: number, at: number, used: number): number {
    const { places, inverted, asks, path } = moved;
    const length = end - begin;
    const sorted = this.#sort(moved.codes, begin, end);
    // Elements come into the range in this order, and leave it in this order.
    const isFixed = 'fixed' in path;
    const border = isFixed ? path.fixed : path.width;
    // Elements below the end that stays are inside from the beginning.
    let inside = 0;
    if (isFixed) for (; inside < length && (sorted[inside] as number) <= border; inside++);
    const below = inside;
    let [comes, goes] = [inside, 0];
    let next = used;
    let was = false;
    for (let place = 0; ; ) {
      for (; comes < length; comes++) {
        const code = sorted[comes] as number;
        if (code >= places || (isFixed ? code : code - border) > place) break;
        inside++;
      }
      for (; goes < (isFixed ? below : length) && (sorted[goes] as number) <= place; goes++) inside--;
      const passing = inverted ? length - inside : inside;
      const is = asks === 'all' ? passing === length : passing >= asks.least;
      if (place === 0) this.isFirst[at] = is ? 1 : 0;
      else if (is !== was) this.places[next++] = place;
      was = is;
      // The next place at which an element comes or goes.
      const coming = comes < length ? (sorted[comes] as number) : places;
      const comingAt = coming >= places ? places : isFixed ? coming : coming - border;
      const goingAt = goes < (isFixed ? below : length) ? (sorted[goes] as number) : places;
      place = Math.min(comingAt, goingAt);
      if (place >= places) return next;
    }
  }

  #sort(codes: Uint16Array, begin: number, end: number): Uint16Array {
    const length = end - begin;
    if (length > this.#sorted.length) this.#sorted = new Uint16Array(2 * length);
    const sorted = this.#sorted;
    if (length > SHORT) {
      sorted.set(codes.subarray(begin, end));
      sorted.subarray(0, length).sort();
      return sorted;
    }
    for (let i = 0; i < length; i++) {
      const code = codes[begin + i] as number;
      let place = i;
      for (; place > 0 && (sorted[place - 1] as number) > code; place--)
        sorted[place] = sorted[place - 1] as number;
      sorted[place] = code;
    }
    return sorted;
  }
}
