import { Heap } from './heap';

/** A process with its own next event, such as the network. */
export interface Happening {
  /** Returns the time of its next event in ms; Infinity if it is idle. */
  next(): number;
  /** Executes that event. The clock has been set to its time. */
  happen(): void;
}

interface Event {
  time: number;
  order: number;
  action: () => void;
}

/**
 * The time of a simulation, in ms. Events run in the order of their times, and simultaneous ones in the order in
 * which they were added, so the same input always gives the same result.
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

  /** Executes the next event. Returns false if there are none left. */
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
