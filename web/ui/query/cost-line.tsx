import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatBytes, formatCount, formatDuration } from '../../base/format';
import type { BranchInfo, KeyInfo, TreeInfo, TreeLayout } from '../../file/api';
import { type QueryCost, queryCost } from '../../insight/query-cost';
import { estimateLink } from '../../io/link';
import { branchesOfQuery } from '../../query/needs';
import { useRead } from '../use-read';
import { cyclePath, type OpenFile, type ViewerStore } from '../viewer-state';

interface CostLineProps {
  store: ViewerStore;
  open: OpenFile;
  tree: TreeInfo;
  keyInfo: KeyInfo;
  expr: string;
  cut: string;
}

/** ms that writing must rest before it is reckoned. */
const restTime = 150;

/** What drawing will read, before it is drawn: from the places of the baskets, which are metadata. */
export function CostLine({ store, open, tree, keyInfo, ...query }: CostLineProps): JSX.Element | null {
  const keyIndex = open.keyTree.keys.indexOf(keyInfo);
  const [layout] = useRead(
    store,
    open,
    `layout ${keyIndex}`,
    'Reading where the baskets lie',
    (api, file, options) => api.layout(file, cyclePath(keyInfo), options),
  );
  if (layout.state !== 'ready') return <span class="cost" />;
  return <Reckoned store={store} layout={layout.value} tree={tree} {...query} />;
}

interface ReckonedProps extends Pick<CostLineProps, 'store' | 'tree' | 'expr' | 'cut'> {
  layout: TreeLayout;
}

function Reckoned({ store, layout, tree, expr, cut }: ReckonedProps): JSX.Element {
  const text = useSignal('');
  const read = store.trace.value;
  const busy = store.activities.list.value.some(({ slot }) => slot === 'detail');
  useEffect(() => {
    let here = true;
    const reckon = async () => {
      const branches = branchesOf(tree, expr, cut);
      if (branches.length === 0) {
        text.value = '';
        return;
      }
      const records = await store.reads();
      if (here) text.value = costText(queryCost(layout, branches, records, estimateLink(records)));
    };
    // While it is drawn, what is left changes with every basket: the status line tells of that.
    const timer = busy ? undefined : setTimeout(() => void reckon().catch(() => undefined), restTime);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [store, layout, tree, expr, cut, read, busy]);
  return <span class="cost">{text.value}</span>;
}

/** Nothing for what is no expression yet. */
function branchesOf(tree: TreeInfo, expr: string, cut: string): BranchInfo[] {
  try {
    return branchesOfQuery(tree, expr, cut);
  } catch {
    return [];
  }
}

/** "Reads 2.10 MB, 3 requests, about 400 ms". */
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
