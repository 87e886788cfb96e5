import type { Clock, Happening } from './clock';
import { Heap } from './heap';

/** A link that transfers share. */
export class Link {
  /** Bytes that it has carried, and the time during which it was in use, in ms. */
  bytes = 0;
  busyMs = 0;

  constructor(
    readonly name: string,
    readonly bytesPerMs: number,
  ) {}
}

/** A running transfer. It is complete when the volume of its route reaches `end`. */
interface Transfer {
  end: number;
  done: () => void;
}

/** The links between two places. All transfers on a route have the same rate. */
export class Route {
  /** Bytes that a transfer would have received if it had run from the start. */
  volume = 0;
  /** Rate of each transfer, in bytes per ms. */
  rate = 0;
  /** The running transfers. The first one will be complete next. */
  readonly transfers = new Heap<Transfer>((a, b) => a.end < b.end);

  /** `most` is the maximum rate of a single transfer: that of one TCP connection. */
  constructor(
    readonly links: readonly Link[],
    readonly most: number,
  ) {}
}

/** Transfers are complete within this many bytes of their end, because volumes are sums of floating-point numbers. */
const NEAR = 1e-3;

/**
 * Transfers share links by max-min fairness: no transfer can get more without taking from one that has the same or
 * less. TCP connections with similar round-trip times come close to this. All transfers of a route have the same
 * rate, so the work per event grows with the number of routes, not of transfers.
 */
export class Network implements Happening {
  readonly #clock: Clock;
  readonly #routes: Route[] = [];
  #at = 0;
  #next = Number.POSITIVE_INFINITY;
  #stale = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    clock.watch(this);
  }

  route(links: readonly Link[], most = Number.POSITIVE_INFINITY): Route {
    const route = new Route(links, most);
    this.#routes.push(route);
    return route;
  }

  send(route: Route, bytes: number, done: () => void): void {
    this.#advance();
    for (const link of route.links) link.bytes += bytes;
    route.transfers.push({ end: route.volume + bytes, done });
    this.#stale = true;
  }

  next(): number {
    if (this.#stale) this.#share();
    return this.#next;
  }

  happen(): void {
    this.#advance();
    for (const route of this.#routes) {
      for (;;) {
        const first = route.transfers.first();
        if (first === undefined || !this.#isComplete(route, first.end)) break;
        route.transfers.pop();
        first.done();
      }
    }
    this.#stale = true;
  }

  /** Late in a long simulation the remaining time may be below the precision of the clock. */
  #isComplete({ volume, rate }: Route, end: number): boolean {
    return end <= volume + NEAR || this.#at + (end - volume) / rate <= this.#at;
  }

  #advance(): void {
    const ms = this.#clock.now - this.#at;
    this.#at = this.#clock.now;
    if (ms <= 0) return;
    const busy = new Set<Link>();
    for (const route of this.#routes) {
      if (route.transfers.size === 0) continue;
      route.volume += route.rate * ms;
      for (const link of route.links) busy.add(link);
    }
    for (const link of busy) link.busyMs += ms;
  }

  /** Computes the rate of each route. The link with the lowest rate per transfer is divided first. */
  #share(): void {
    this.#stale = false;
    const open = this.#routes.filter(({ transfers }) => transfers.size > 0);
    const left = new Map<Link, number>();
    for (const { links } of open) for (const link of links) left.set(link, link.bytesPerMs);
    while (open.length > 0) {
      let least = Number.POSITIVE_INFINITY;
      const crowd = new Map<Link, number>();
      for (const { links, transfers } of open) {
        for (const link of links) crowd.set(link, (crowd.get(link) ?? 0) + transfers.size);
      }
      for (const [link, number] of crowd) least = Math.min(least, Math.max(0, left.get(link) ?? 0) / number);
      for (const { most } of open) least = Math.min(least, most);
      const settled = open.filter(
        ({ links, most }) =>
          most <= least * (1 + 1e-9) ||
          links.some(
            (link) => Math.max(0, left.get(link) ?? 0) / (crowd.get(link) ?? 1) <= least * (1 + 1e-9),
          ),
      );
      for (const route of settled) {
        route.rate = least;
        for (const link of route.links) left.set(link, (left.get(link) ?? 0) - least * route.transfers.size);
        open.splice(open.indexOf(route), 1);
      }
    }
    this.#next = Number.POSITIVE_INFINITY;
    for (const { transfers, volume, rate } of this.#routes) {
      const first = transfers.first();
      if (first) this.#next = Math.min(this.#next, this.#at + Math.max(0, first.end - volume) / rate);
    }
  }
}
