import type { ReaderApi } from '../web/api/api';
import { deferredReader } from '../web/api/deferred-reader';

/** A reader of another thread. It gives bytes without copying, but an array to write them into would be copied. */
export function remoteReader(get: () => Promise<ReaderApi>): ReaderApi {
  const reader = deferredReader(get);
  return {
    ...reader,
    bytes: (file, ranges, { signal, onProgress } = {}) => reader.bytes(file, ranges, { signal, onProgress }),
  };
}
