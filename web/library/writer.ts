import type { EngineApi } from '../api/engine-api';
import type { WriteApi, WriteWork } from '../api/write';
import { forwardAll } from '../base/forward';
import { slotOf } from '../base/slot';
import * as features from '../features/reader';
import type { ReaderPart } from '../features/work-part';

/**
 * Returns a writer whose code is loaded for the first call. `work` writes, in this thread or in another; `load` returns
 * xylem-write.wasm. Its calls throw UNSUPPORTED if this build writes no files.
 */
export function createWriter(
  reader: EngineApi,
  work: () => WriteWork | Promise<WriteWork>,
  load: () => Promise<WebAssembly.Module>,
): WriteApi {
  return forwardAll(async () =>
    (await slotOf<ReaderPart, 'writer'>(features, 'writer', 'writer')())(reader, work, load),
  );
}
