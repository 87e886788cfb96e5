import type { CallOptions, FileId } from '../../../api/api';
import type { DoctorOptions } from '../../../api/doctor';
import { CALL, checkOptions, type Rules } from '../../../base/options';
import { ANY, FLAG, NOT_NEGATIVE, POSITIVE, TEXT } from '../../../base/shape';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { examine } from './doctor';
import { type LayoutFacts, layoutFacts } from './layout-facts';
import type { OptimizeOptions } from './optimize-baskets';

declare module '../../../insight/api' {
  interface PageInsight {
    /** Returns the layout of a tree. With `streaming`, the first basket of some branches is read for it. */
    stats(file: FileId, tree: string, options?: StatsOptions): Promise<LayoutFacts>;
  }
}

export interface StatsOptions extends CallOptions, OptimizeOptions {
  streaming?: boolean | undefined;
}

const STATS: Rules<StatsOptions> = {
  ...CALL,
  ...{ memory: POSITIVE, minCompression: NOT_NEGATIVE, streaming: FLAG },
};
const DOCTOR: Rules<DoctorOptions> = { ...CALL, tree: TEXT, deep: FLAG, use: ANY };

export async function doctor(
  { reader }: InsightHost,
  ...[file, options]: Parameters<PageInsight['doctor']>
): ReturnType<PageInsight['doctor']> {
  checkOptions('doctor', options, DOCTOR);
  return examine(reader, file, options);
}

export async function stats(
  { layoutOf, reader }: InsightHost,
  ...[file, tree, options = {}]: Parameters<PageInsight['stats']>
): Promise<LayoutFacts> {
  checkOptions('stats', options, STATS);
  const { signal, memory, minCompression, streaming } = options;
  const layout = streaming
    ? await reader.layout(file, tree, { signal, orders: true })
    : await layoutOf(file, tree);
  return layoutFacts(layout, { memory, minCompression });
}
