import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { BranchInfo, EntryRange, KeyInfo, TreeInfo } from '../../../api/api';
import type { WriteApi } from '../../../api/write';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import { formatBytes, formatCount } from '../../../base/format';
import { cyclePath } from '../../../model/keys';
import { branchesOfQuery } from '../../../query/compile/branches-of-query';
import { withNeeded } from '../../../reads/basket-layout';
import type { Places } from '../../../ui/part';
import type { OpenFile, ViewerStore } from '../../../ui/state/viewer-state';
import { QueryField } from '../../../ui/widgets/query-field';
import { Choice } from '../../../ui/widgets/segmented-control';
import { costText } from '../../whatif/view/cost-line';
import { counted, SaveRoot } from './save-root';

/** Saves branches and entries of a tree as a ROOT file: their baskets, or an RNTuple with the values. */
export function SaveTree(props: Places['export']): JSX.Element | null {
  const { query } = props;
  const { writer, session } = props.store;
  const open = session.file.value;
  if (open === null || writer === undefined) return null;
  return <SaveForm key={query?.cut} {...props} open={open} writer={writer} />;
}

/** Shows the cost in advance. */
function SaveForm(props: Places['export'] & { open: OpenFile; writer: WriteApi }): JSX.Element {
  const { store, writer, open, keyInfo, tree, branches, query, format } = props;
  const becomes = format === 'rntuple' ? ('rntuple' as const) : undefined;
  const all = useSignal(false);
  const cut = useSignal(query?.cut ?? '');
  const range = useSignal('');
  const cutField = useRef<HTMLInputElement>(null);
  const some = query ? named(tree, query.columns).branches : branches.flatMap((i) => tree.branches[i] ?? []);
  const chosen = all.value ? tree.branches : some;
  const ofCut = named(tree, '', cut.value);
  const entries = rangeOf(range.value, tree.entries);
  // Entries can be chosen if trees are copied, and if values are decoded.
  const hasEntries = tree.kind === 'TTree' || becomes !== undefined;
  const isCut = hasEntries && cut.value.trim() !== '';
  const counts = useSignal<{ asked: string; passed: number } | undefined>(undefined);
  const asked = JSON.stringify([cut.value, entries]);
  const failed = useSignal<ErrorRecord | undefined>(undefined);
  const passed = counts.value?.asked === asked ? counts.value.passed : undefined;
  const [from, to] = entries ?? [0, 0];
  const copied = withNeeded(tree, chosen);
  const stored = copied.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  const disabled = chosen.length === 0 || entries === undefined || ofCut.error !== undefined;
  const choice = {
    selection: {
      trees: [cyclePath(keyInfo)],
      objects: [],
      ...(!all.value && { branches: chosen.map(({ path }) => path) }),
    },
    ...(range.value.trim() !== '' && { entries }),
    ...(isCut && { cut: cut.value }),
    to: becomes,
  };
  const count = async () => {
    failed.value = undefined;
    try {
      const numbers = await store.session.call('count', 'Counting entries', async (api, file, options) => {
        const { passingEntries } = await import('../../../export/expressions');
        return passingEntries(api, file, { tree: cyclePath(keyInfo), cut: cut.peek(), entries }, options);
      });
      counts.value = { asked, passed: numbers.length };
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'ABORTED') failed.value = error.toRecord();
    }
  };
  return (
    <>
      <Choice
        label="Branches"
        options={[
          ['some', `${formatCount(some.length)} ${query ? 'drawn' : 'shown'}`],
          ['all', `All ${formatCount(tree.branches.length)}`],
        ]}
        value={all.value ? 'all' : 'some'}
        onChange={(value) => {
          all.value = value === 'all';
        }}
      />
      {!hasEntries && <p class="hint">An RNTuple is copied with all its entries.</p>}
      {hasEntries && (
        <>
          <QueryField
            id="save-cut"
            label="Where"
            placeholder="everything"
            tree={tree}
            value={cut.value}
            invalid={ofCut.error !== undefined}
            input={cutField}
            onValue={(value) => {
              cut.value = value;
            }}
            onHistory={() => {}}
          />
          {ofCut.error !== undefined && <p class="hint bad">{ofCut.error.message}</p>}
          <label class="number-field">
            <span>Entries</span>
            <input
              type="text"
              placeholder={`0:${tree.entries}`}
              value={range.value}
              aria-invalid={entries === undefined}
              title="FROM:TO as whole numbers; the last entry is TO - 1"
              onInput={(event) => {
                range.value = event.currentTarget.value;
              }}
            />
          </label>
          {entries === undefined && <p class="hint bad">Entries are given as FROM:TO, such as 0:1000.</p>}
        </>
      )}
      <p class="hint">
        {formatCount(to - from)} entries
        {isCut &&
          (passed === undefined ? ', of which those that pass' : `, of which ${formatCount(passed)} pass`)}
        .{' '}
        {becomes
          ? 'Values are decoded and compressed anew.'
          : 'Baskets with all their entries are copied as they are compressed.'}{' '}
        <ReadCost
          {...{ store, open, keyInfo, from, to }}
          branches={copied.map(({ index }) => index)}
          cut={isCut ? ofCut.branches.map(({ index }) => index) : undefined}
        />{' '}
        {becomes === undefined &&
          `Writes ${isCut && passed === undefined ? 'at most about' : 'about'} ${formatBytes(
            (stored * (passed ?? to - from)) / Math.max(1, tree.entries),
          )}.`}
      </p>
      {isCut && passed === undefined && (
        <p>
          <button type="button" disabled={disabled} onClick={() => void count()}>
            Count those that pass
          </button>
        </p>
      )}
      {failed.value !== undefined && (
        <p class="hint bad" role="alert">
          {failed.value.message} {failed.value.fix}
        </p>
      )}
      <SaveRoot
        {...{ store, writer }}
        place={`export ${cyclePath(keyInfo)} ${becomes ?? 'root'}`}
        label="Save as .root"
        name={`${tree.name}.root`}
        disabled={disabled}
        write={async (api, sink, options) => {
          const done = await api.skim(open.info, sink, { ...options, ...choice });
          const { bytes, baskets, notes, lost = [] } = done;
          return { bytes, notes: [...notes, ...lost], text: counted(baskets, becomes ? 'page' : 'basket') };
        }}
      />
    </>
  );
}

/** Returns the branches that expressions and a cut name, or the reason why they cannot be parsed. */
function named(tree: TreeInfo, expr: string, cut = ''): { branches: BranchInfo[]; error?: ErrorRecord } {
  try {
    return { branches: branchesOfQuery(tree, expr || '0', cut) };
  } catch (thrown) {
    return { branches: [], error: toXylemError(thrown).toRecord() };
  }
}

/** Parses "10:20" as a range of entries; either end may be left out. Returns undefined for another text. */
function rangeOf(text: string, total: number): EntryRange | undefined {
  if (text.trim() === '') return [0, total];
  const ends = text.split(':').map((end) => end.replaceAll(',', '').trim());
  const [from, to] = [Number(ends[0]), ends[1] === '' ? total : Math.min(total, Number(ends[1]))];
  const isRange = ends.length === 2 && Number.isSafeInteger(from) && Number.isSafeInteger(to);
  return isRange && from >= 0 && from <= to ? [from, to] : undefined;
}

function lower(text: string): string {
  return text === '' ? 'reads nothing' : text.charAt(0).toLowerCase() + text.slice(1);
}

interface ReadCostProps {
  store: ViewerStore;
  open: OpenFile;
  keyInfo: KeyInfo;
  /** Indices of the branches that are copied. */
  branches: readonly number[];
  /** Indices of the branches that the cut needs, if there is one. */
  cut: readonly number[] | undefined;
  from: number;
  to: number;
}

/** Time in ms without a change before the cost is estimated. */
const REST_TIME = 150;

/**
 * Shows "Reads 2.10 MB, 3 requests, about 400 ms." With a cut, shows what the cut reads, and the maximum that is then
 * copied.
 */
function ReadCost({ store, open, keyInfo, branches, cut, from, to }: ReadCostProps): JSX.Element {
  const text = useSignal('');
  const told = store.traffic.link.link.value;
  const asked = JSON.stringify([branches, cut, from, to, told]);
  useEffect(() => {
    const aborter = new AbortController();
    const { signal } = aborter;
    const cost = (of: readonly number[], copied: boolean) =>
      store.insight.cost(open.info.id, cyclePath(keyInfo), of, { signal, told, entries: [from, to], copied });
    const estimate = async () => {
      const copying = costText(await cost(branches, true));
      const cutting = cut && costText(await cost(cut, false));
      if (signal.aborted) return;
      if (cutting === undefined) text.value = copying && `${copying}.`;
      else text.value = `For the cut: ${lower(cutting)}. Then at most: ${lower(copying)}.`;
    };
    const timer = setTimeout(() => {
      estimate().catch(() => {
        // A failed estimate shows nothing. Reading the file reports the reason.
        text.value = '';
      });
    }, REST_TIME);
    return () => {
      aborter.abort();
      clearTimeout(timer);
    };
  }, [store, open, keyInfo, asked]);
  return <>{text.value}</>;
}
