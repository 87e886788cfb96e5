import type { Clock, Happening } from './clock';
import { Heap } from './heap';

/** A link that transfers share. */
export class Link {
  /** Bytes that it has carried, and the time in which it carried any, in ms. */
  bytes = 0;
  busyMs = 0;

  constructor(
    readonly name: string,
    readonly bytesPerMs: number,
  ) {}
}

/** A transfer on its way: `end` is the volume of its route at which it is complete. */
interface Transfer {
  end: number;
  done: () => void;
}

/** The links between two places. All transfers on it are alike, so that they have one rate. */
export class Route {
  /** Bytes that each transfer would have got if it had been there from the start. */
  volume = 0;
  /** Rate of each transfer, in bytes per ms. */
  rate = 0;
  /** Those under way; the first is the next that is complete. */
  readonly transfers = new Heap<Transfer>((a, b) => a.end < b.end);

  /** `most` is the rate of a single transfer: what one TCP connection reaches. */
  constructor(
    readonly links: readonly Link[],
    readonly most: number,
  ) {}
}

/** Transfers within this many bytes of their end are complete: volumes are sums of floating-point numbers. */
const NEAR = 1e-3;

/**
 * Transfers share links fairly: no transfer could have more unless one that has less or as much got less (max-min
 * fairness), which is what TCP connections of like round trips come near to. Transfers of one route have one rate, so
 * that the work for each event grows with the number of routes and not with that of transfers.
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

  /** Late in a long simulation what is left takes less time than two numbers differ. */
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

  /** Gives each route its rate: the link that leaves least for each of its transfers is shared first. */
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
