import { deferredReader } from '../web/api/deferred-reader';
import type { EngineApi } from '../web/api/engine-api';

/** Returns a reader that runs in another thread. */
export function remoteReader(get: () => Promise<EngineApi>): EngineApi {
  return withoutArrays(deferredReader(get));
}

/** Removes the target arrays from read calls. Bytes are moved between threads, but a target array would be copied. */
export function withoutArrays(reader: EngineApi): EngineApi {
  return {
    ...reader,
    bytes: (file, ranges, { into: _into, ...options } = {}) => reader.bytes(file, ranges, options),
  };
}
