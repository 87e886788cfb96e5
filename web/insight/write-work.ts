import type { EngineApi } from '../api/engine-api';
import type { WriteWork } from '../api/write';
import { slotOf } from '../base/slot';
import * as features from '../features/work';
import type { WorkPart } from '../features/work-part';

/** Returns what writes files, over a reader. Throws UNSUPPORTED if this build writes none. */
export async function loadWriteWork(reader: EngineApi): Promise<WriteWork> {
  return (await slotOf<WorkPart, 'writer'>(features, 'writer', 'writer')())(reader);
}
