import { forward } from '../base/forward';
import type { EngineApi } from './engine-api';
import { READER_METHODS } from './reader-methods';

/** Returns a reader whose calls wait for the real one. They reject with the error of `get`. */
export function deferredReader(get: () => Promise<EngineApi>): EngineApi {
  return forward(READER_METHODS, get);
}
