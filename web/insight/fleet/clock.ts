import { Heap } from './heap';

/** Something besides the clock's own events that happens at times of its own. */
export interface Happening {
  /** Time of the next one, in ms; Infinity when nothing is under way. */
  next(): number;
  /** Lets it happen; the clock stands at its time. */
  happen(): void;
}

interface Event {
  time: number;
  order: number;
  action: () => void;
}

/**
 * The time of a simulation, in ms. Events run in the order of their times, and those of one time in the order in which
 * they were added: the same input always runs in the same way.
 */
export class Clock {
  now = 0;
  readonly #events = new Heap<Event>((a, b) => a.time < b.time || (a.time === b.time && a.order < b.order));
  readonly #others: Happening[] = [];
  #added = 0;

  /** Calls `action` after `ms`. */
  after(ms: number, action: () => void): void {
    this.#events.push({ time: this.now + ms, order: this.#added++, action });
  }

  watch(other: Happening): void {
    this.#others.push(other);
  }

  /** Lets the next thing happen; false when nothing is left. */
  step(): boolean {
    let time = this.#events.first()?.time ?? Number.POSITIVE_INFINITY;
    let first: Happening | undefined;
    for (const other of this.#others) {
      const next = other.next();
      if (next >= time) continue;
      time = next;
      first = other;
    }
    if (time === Number.POSITIVE_INFINITY) return false;
    this.now = Math.max(this.now, time);
    if (first) first.happen();
    else this.#events.pop()?.action();
    return true;
  }
}
