import { engineOf } from '../web/api/engine-api';
import { type NodeReaderOptions, openReader as open } from '../web/node';
import type { EngineReader } from '../web/write/api';

/** A reader as `openReader` gives it, with the calls that only xylem makes. */
export async function openReader(options?: NodeReaderOptions): Promise<EngineReader> {
  return engineOf(await open(options));
}
