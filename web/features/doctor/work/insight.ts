import type { CallOptions, FileId } from '../../../api/api';
import type { DoctorOptions } from '../../../api/doctor';
import { CALL, checkOptions, type Rules } from '../../../base/options';
import { ANY, FLAG, TEXT } from '../../../base/shape';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { layoutStats, type TreeStats } from '../../../reads/layout-stats';
import { examine } from './doctor';

declare module '../../../insight/api' {
  interface PageInsight {
    stats(file: FileId, tree: string, options?: CallOptions): Promise<TreeStats>;
  }
}

const DOCTOR: Rules<DoctorOptions> = { ...CALL, tree: TEXT, deep: FLAG, use: ANY };

export async function doctor(
  { reader }: InsightHost,
  ...[file, options]: Parameters<PageInsight['doctor']>
): ReturnType<PageInsight['doctor']> {
  checkOptions('doctor', options, DOCTOR);
  return examine(reader, file, options);
}

export async function stats(
  { layoutOf }: InsightHost,
  ...[file, tree, options]: Parameters<PageInsight['stats']>
): Promise<TreeStats> {
  checkOptions('stats', options, CALL);
  return layoutStats(await layoutOf(file, tree));
}
