import { deferredReader } from '../web/api/deferred-reader';
import type { EngineApi } from '../web/api/engine-api';

/** A reader of another thread. */
export function remoteReader(get: () => Promise<EngineApi>): EngineApi {
  return withoutArrays(deferredReader(get));
}

/** Gives bytes without copying, but an array to write them into would be copied. */
export function withoutArrays(reader: EngineApi): EngineApi {
  return {
    ...reader,
    bytes: (file, ranges, { into: _into, ...options } = {}) => reader.bytes(file, ranges, options),
  };
}
