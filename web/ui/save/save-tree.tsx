import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { KeyInfo, TreeInfo } from '../../api/api';
import { formatBytes, formatCount } from '../../base/format';
import { withNeeded } from '../../insight/simulate/simulate-layout';
import { cyclePath } from '../../model/find-key';
import type { WriteApi } from '../../write/api';
import { costText } from '../query/cost-line';
import type { OpenFile, ViewerStore } from '../state/viewer-state';
import { Choice } from '../widgets/segmented-control';
import { counted, SaveRoot } from './save-root';

interface SaveTreeProps {
  store: ViewerStore;
  writer: WriteApi;
  open: OpenFile;
  keyInfo: KeyInfo;
  tree: TreeInfo;
  /** Indices of the chosen branches. */
  branches: readonly number[];
}

/** Saves branches of a tree as a ROOT file, and says before what that costs. */
export function SaveTree({ store, writer, open, keyInfo, tree, branches }: SaveTreeProps): JSX.Element {
  const all = useSignal(false);
  const chosen = all.value ? tree.branches : branches.flatMap((index) => tree.branches[index] ?? []);
  const stored = withNeeded(tree, chosen).reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  const selection = {
    trees: [keyInfo.path],
    objects: [],
    ...(!all.value && { branches: chosen.map(({ path }) => path) }),
  };
  return (
    <>
      <Choice
        label="Branches"
        options={[
          ['some', `${formatCount(branches.length)} shown`],
          ['all', `All ${formatCount(tree.branches.length)}`],
        ]}
        value={all.value ? 'all' : 'some'}
        onChange={(value) => {
          all.value = value === 'all';
        }}
      />
      <p class="hint">
        {formatCount(tree.entries)} entries, copied as they are compressed.{' '}
        <ReadCost {...{ store, open, keyInfo }} branches={chosen.map(({ index }) => index)} /> Writes about{' '}
        {formatBytes(stored)}.
      </p>
      <SaveRoot
        {...{ store, writer }}
        slot="export"
        label="Save as .root"
        name={`${tree.name}.root`}
        disabled={chosen.length === 0}
        write={async (api, sink, options) => {
          const { bytes, baskets, notes } = await api.skim(open.info, sink, { ...options, selection });
          return { bytes, notes, text: counted(baskets, 'basket') };
        }}
      />
    </>
  );
}

interface ReadCostProps {
  store: ViewerStore;
  open: OpenFile;
  keyInfo: KeyInfo;
  branches: readonly number[];
}

/** "Reads 2.10 MB, 3 requests, about 400 ms." */
function ReadCost({ store, open, keyInfo, branches }: ReadCostProps): JSX.Element {
  const text = useSignal('');
  const list = branches.join(' ');
  useEffect(() => {
    const aborter = new AbortController();
    const { signal } = aborter;
    store.insight.cost(open.info.id, cyclePath(keyInfo), branches, { signal }).then(
      (cost) => {
        const said = costText(cost);
        if (!signal.aborted) text.value = said && `${said}.`;
      },
      () => {
        // An estimate that fails leaves its place empty: what reads the file says why.
        text.value = '';
      },
    );
    return () => aborter.abort();
  }, [store, open, keyInfo, list]);
  return <>{text.value}</>;
}
