import { argumentError } from '../base/errors';
import type { ByteSource } from './source';

/**
 * Returns a source of the bytes from `start` on in another source: a file within a file. Throws ARGUMENT if `start`
 * is not valid.
 */
export function sliceSource(outer: ByteSource, start: number): ByteSource {
  if (!Number.isSafeInteger(start) || start < 0) throw argumentError(`A file cannot begin at byte ${start}.`);
  return {
    name: `${outer.name}@${start}`,
    concurrency: outer.concurrency,
    ...(outer.origin !== undefined && { origin: outer.origin }),
    read: (offset, length, signal, onAnswer) => outer.read(start + offset, length, signal, onAnswer),
    info() {
      const { size, validator } = outer.info();
      return { size: size === undefined ? undefined : Math.max(0, size - start), validator };
    },
    begin: () => outer.begin?.(),
    trouble: () => outer.trouble?.(),
    forget: (ranges) =>
      outer.forget?.(ranges.map(({ offset, length }) => ({ offset: start + offset, length }))),
    ...(outer.close && { close: () => outer.close?.() ?? Promise.resolve() }),
  };
}
