import type { EngineReader } from '../api/reader';

/** A reader that is in use until it is given back. */
export interface Lease<R extends Ended = EngineReader> {
  readonly reader: R;
  giveBack(): void;
}

export interface Ended {
  terminate(): void;
}

/** A shared reader, and how many use it. */
export interface Held<R extends Ended> {
  options: object;
  reader: R;
  users: number;
}

/**
 * The shared readers of a process or page: one for all callers with the same options. Each ends when the last
 * caller has returned it. `held` is where they are kept.
 */
export function createSharedReaders<Options extends object, R extends Ended>(
  create: (options: Options) => R,
  held: Held<R>[] = [],
): (options: Options) => Lease<R> {
  return (options) => {
    let mine = held.find((other) => areSame(other.options, options));
    if (mine === undefined) {
      const own = create(options);
      const drop = (): void => {
        const index = held.findIndex(({ reader }) => reader === shared);
        if (index >= 0) held.splice(index, 1);
      };
      // Ending it by hand ends it for all who share it; later callers get another.
      const terminate = (): void => {
        drop();
        own.terminate();
      };
      const shared: R = { ...own, terminate };
      mine = { options, reader: shared, users: 0 };
      held.push(mine);
    }
    const lease = mine;
    lease.users += 1;
    let mineStill = true;
    return {
      reader: lease.reader,
      giveBack() {
        if (!mineStill) return;
        mineStill = false;
        lease.users -= 1;
        if (lease.users === 0) lease.reader.terminate();
      },
    };
  };
}

function areSame(a: object, b: object): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => {
    const [one, other] = [Reflect.get(a, key), Reflect.get(b, key)];
    return one === other || (one instanceof URL && String(one) === String(other));
  });
}
