import type { Clock } from './clock';

/** A disk, or what behaves like one: requests wait for each other. */
export class Disk {
  bytes = 0;
  seeks = 0;
  /** Time in which it worked, in ms. */
  busyMs = 0;
  #freeAt = 0;
  #last: unknown;

  constructor(
    readonly clock: Clock,
    readonly seekMs: number,
    readonly bytesPerMs: number,
  ) {}

  /**
   * Reads or writes `bytes` in `pieces` that do not touch each other. The arm moves for each of them but the first, and
   * for the first when the request before was not one of the same `owner`.
   */
  use(owner: unknown, bytes: number, pieces: number, done: () => void): void {
    const seeks = Math.max(0, pieces - 1) + (this.#last === owner ? 0 : 1);
    this.#last = owner;
    const ms = seeks * this.seekMs + bytes / this.bytesPerMs;
    this.bytes += bytes;
    this.seeks += seeks;
    this.busyMs += ms;
    this.#freeAt = Math.max(this.#freeAt, this.clock.now) + ms;
    this.clock.after(this.#freeAt - this.clock.now, done);
  }
}
