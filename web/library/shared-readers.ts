import { engineOf } from '../api/engine-api';
import type { EngineReader, XylemReader } from '../write/api';

/** A reader that is in use until it is given back. */
export interface Lease {
  readonly reader: EngineReader;
  giveBack(): void;
}

/**
 * The shared readers of a process or page: one for all callers with the same options. Each ends when the last
 * caller has returned it.
 */
export function createSharedReaders<Options extends object>(
  create: (options: Options) => XylemReader,
): (options: Options) => Lease {
  const held: { options: Options; reader: EngineReader; users: number }[] = [];
  return (options) => {
    let mine = held.find((other) => areSame(other.options, options));
    if (mine === undefined) {
      const own = engineOf(create(options));
      const drop = (): void => {
        const index = held.findIndex(({ reader }) => reader === shared);
        if (index >= 0) held.splice(index, 1);
      };
      // Ending it by hand ends it for all who share it; later callers get another.
      const terminate = (): void => {
        drop();
        own.terminate();
      };
      const shared: EngineReader = { ...own, terminate };
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
