import type { ReaderApi } from '../web/api/api';
import { deferredReader } from '../web/api/deferred-reader';

/** A reader of another thread. */
export function remoteReader(get: () => Promise<ReaderApi>): ReaderApi {
  return withoutArrays(deferredReader(get));
}

/** Gives bytes without copying, but an array to write them into would be copied. */
export function withoutArrays(reader: ReaderApi): ReaderApi {
  return {
    ...reader,
    bytes: (file, ranges, { into: _into, ...options } = {}) => reader.bytes(file, ranges, options),
  };
}
