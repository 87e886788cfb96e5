import type { CallOptions, FileInfo } from '../../../api/api';
import { CALL, checkOptions } from '../../../base/options';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { type Cutflow, cutflowOf } from './flow';
import { type CutflowQuery, checkCuts, readMasks } from './masks';
import { plotsOf } from './plots';

/** The cuts on a tree of the open file. */
export interface CutflowRequest {
  tree: string;
  cuts: readonly string[];
  /** An expression with one value for each entry; empty for none. */
  weight: string;
}

declare module '../../../insight/api' {
  interface PageInsight {
    /** Counts what is left after each cut, and fills the variables of the cuts. Throws ARGUMENT, and the errors of reading. */
    cutflow(file: FileInfo, request: CutflowRequest, options?: CallOptions): Promise<Cutflow>;
  }
}

export async function cutflow(
  { reader }: InsightHost,
  ...[info, { tree, cuts, weight }, options = {}]: Parameters<PageInsight['cutflow']>
): Promise<Cutflow> {
  checkOptions('cutflow', options, CALL);
  checkCuts({ cuts, weight });
  const input = { reader, info, tree, file: info.name };
  const plots = await plotsOf(cuts, input, options);
  const query: CutflowQuery = { cuts, weight, rootVersion: '6.42', plots };
  const { sum } = await readMasks(query, input, options);
  return cutflowOf(query, sum, { tree });
}
