import type { ReaderApi } from './api';
import type { EngineApi } from './engine-api';
import type { InsightApi } from './insight';
import type { WriteApi } from './write';

/**
 * A reader that also computes with the metadata of files (`insight`) and writes files (`writer`). `terminate` ends it
 * and its workers, and closes its files.
 */
export interface XylemReader extends ReaderApi {
  readonly insight: InsightApi;
  readonly writer: WriteApi;
  terminate(): void;
}

/** An `XylemReader` with the internal calls of xylem. */
export type EngineReader = XylemReader & EngineApi;
