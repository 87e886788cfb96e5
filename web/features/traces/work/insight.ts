import type { CallOptions, FileId } from '../../../api/api';
import type { Reading } from '../../../api/reading';
import { CALL, checkOptions } from '../../../base/options';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { type UsesReport, usesReport } from './uses';

declare module '../../../insight/api' {
  interface PageInsight {
    /** Returns which parts of a tree the recorded readings used. `name` is the name of the file in commands. */
    uses(
      file: FileId,
      tree: string,
      request: { readings: readonly Reading[]; name: string },
      options?: CallOptions,
    ): Promise<UsesReport>;
  }
}

export async function uses(
  { layoutOf }: InsightHost,
  ...[file, tree, { readings, name }, options]: Parameters<PageInsight['uses']>
): Promise<UsesReport> {
  checkOptions('uses', options, CALL);
  return usesReport(readings, await layoutOf(file, tree), name);
}
