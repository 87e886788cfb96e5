import type { Clock } from './clock';

/** A disk or a similar device: requests wait for each other. */
export class Disk {
  bytes = 0;
  seeks = 0;
  /** Time in which it was busy, in ms. */
  busyMs = 0;
  #freeAt = 0;
  #last: unknown;

  constructor(
    readonly clock: Clock,
    readonly seekMs: number,
    readonly bytesPerMs: number,
  ) {}

  /**
   * Reads or writes `bytes` in `pieces` separate parts. A seek is added before each part except the first; also
   * before the first, if the previous request had another `owner`.
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
