import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { BranchInfo, TreeInfo } from '../../../api/api';
import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import { cyclePath } from '../../../model/keys';
import type { Places } from '../../../ui/part';
import type { QueryCost } from '../work/query-cost';

/** Time in ms without a key press before the cost is estimated. */
const REST_TIME = 150;

/** Shows the cost of drawing in advance, computed from the positions of the baskets in the metadata. */
export function CostLine({ store, open, tree, keyInfo, expr, cut }: Places['query']): JSX.Element {
  const text = useSignal('');
  const read = store.traffic.trace.value;
  const told = store.traffic.link.link.value;
  const busy = store.activities.list.value.some(({ slot }) => slot === 'detail');
  useEffect(() => {
    const aborter = new AbortController();
    const { signal } = aborter;
    const estimate = async () => {
      const branches = (await branchesOf(tree, expr, cut)).map(({ index }) => index);
      if (signal.aborted) return;
      if (branches.length === 0) {
        text.value = '';
        return;
      }
      const cost = await store.insight.cost(open.info.id, cyclePath(keyInfo), branches, { signal, told });
      if (!signal.aborted) text.value = costText(cost);
    };
    // While drawing, the remaining cost changes with every basket, and the status line shows the progress.
    const timer = busy ? undefined : setTimeout(() => void estimate().catch(() => undefined), REST_TIME);
    return () => {
      aborter.abort();
      clearTimeout(timer);
    };
  }, [store, open, keyInfo, tree, expr, cut, read, told, busy]);
  return <span class="cost">{text.value}</span>;
}

/** Returns the branches that an expression and a cut read; none while these are incomplete. */
async function branchesOf(tree: TreeInfo, expr: string, cut: string): Promise<BranchInfo[]> {
  const { branchesOfQuery } = await import('../../../query/compile/branches-of-query');
  try {
    return branchesOfQuery(tree, expr, cut);
  } catch {
    return [];
  }
}

/** Formats a cost: "Reads 2.10 MB, 3 requests, about 400 ms". */
export function costText({ bytes, known, requests, ms }: QueryCost): string {
  if (bytes === 0) return known > 0 ? 'All of it was read before' : '';
  const parts = [`Reads ${formatBytes(bytes)}`];
  if (ms !== undefined) {
    if (requests !== undefined)
      parts.push(`${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'}`);
    parts.push(`about ${formatDuration(ms)}`);
  }
  if (known > 0) parts.push(`${formatBytes(known)} more were read before`);
  return parts.join(', ');
}
