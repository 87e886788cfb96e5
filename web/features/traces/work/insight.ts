import type { CallOptions, FileId } from '../../../api/api';
import type { Reading } from '../../../api/reading';
import { CALL, checkOptions } from '../../../base/options';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { xylemCost } from '../../../reads/planned';
import { type UsesReport, usedOfAll, usesReport } from './uses';

declare module '../../../insight/api' {
  interface PageInsight {
    /** Returns which parts of a tree the recorded readings used. `name` is the name of the file in commands, and `size` its size. */
    uses(
      file: FileId,
      tree: string,
      request: { readings: readonly Reading[]; name: string; size: number },
      options?: CallOptions,
    ): Promise<UsesReport>;
  }
}

export async function uses(
  { reader, layoutOf }: InsightHost,
  ...[file, tree, { readings, name, size }, options]: Parameters<PageInsight['uses']>
): Promise<UsesReport> {
  checkOptions('uses', options, CALL);
  const layout = await layoutOf(file, tree);
  return usesReport(usedOfAll(readings, layout), layout, name, (branches, entries, link) =>
    xylemCost(
      { reader, info: { id: file, size }, request: { summarize: { tree, branches, entries } } },
      link,
    ),
  );
}
