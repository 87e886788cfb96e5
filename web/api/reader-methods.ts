import type { MethodsOf } from '../base/forward';
import type { EngineApi } from './engine-api';

/**
 * The methods of EngineApi, for code that passes calls on to another thread or to a reader that is still
 * loading.
 */
export const READER_METHODS: MethodsOf<EngineApi> = {
  warm: true,
  open: true,
  keys: true,
  tree: true,
  layout: true,
  records: true,
  walk: true,
  bytes: true,
  object: true,
  readAhead: true,
  functionValues: true,
  types: true,
  arrays: true,
  readBlock: true,
  encode: true,
  makeBaskets: true,
  summarize: true,
  draw: true,
  drawAll: true,
  scan: true,
  process: true,
  check: true,
  recover: true,
  traceSummary: true,
  trace: true,
  cacheInfo: true,
  clearCache: true,
  limitCache: true,
  keepOffline: true,
  close: true,
};
