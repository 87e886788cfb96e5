import type { KeyInfo } from '../../../api/api';
import { formatCount } from '../../../base/format';
import { isPlotKey } from '../../../plot/stored/classes';
import { withNotes } from '../../../report/report';
import { OtherFile } from '../../../ui/other-file';
import { ReportView } from '../../../ui/report/report';
import { SaveReport } from '../../../ui/report/save-report';
import { REFERENCE } from '../../../ui/state/address/page-url';
import type { OpenFile, ViewerStore } from '../../../ui/state/viewer-state';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { Check } from '../../../ui/widgets/segmented-control';
import { useRead } from '../../../ui/widgets/use-read';
import { useTyped } from '../../../ui/widgets/use-typed';
import { layerFiles } from '../../layers/view/layer-files';
import { ComparedBranches, ComparedObjects } from '../../walls/view/compared-plots';
import { DIFF_PARTS, type DiffReport, diffReport } from '../work/diff-report';

/** The choices of the view, as in the address. */
interface DiffParams {
  /** Address of the other file, which is the older one. */
  other?: string | undefined;
  /** Whether the values of all branches are compared. */
  values: boolean;
  /** Histograms with this probability or more count as the same; undefined for exact comparison. */
  probability?: number | undefined;
}

function parseDiffParams(text: string): DiffParams {
  const query = new URLSearchParams(text);
  const p = Number(query.get('p') || Number.NaN);
  return {
    other: query.get(REFERENCE) ?? undefined,
    values: query.has('values'),
    probability: p >= 0 && p <= 1 ? p : undefined,
  };
}

function formatDiffParams({ other, values, probability }: DiffParams): string {
  const query = new URLSearchParams();
  if (other !== undefined) query.set(REFERENCE, other);
  if (values) query.set('values', '1');
  if (probability !== undefined) query.set('p', String(probability));
  return query.toString();
}

/** The view `diff` of a file: what came, went and changed since another one, with plots of what differs. */
export function DiffView({ store, open, theme }: ViewProps): JSX.Element {
  const params = parseDiffParams(store.selection.viewParams.value);
  const set = (change: Partial<DiffParams>) =>
    store.selection.setView('diff', formatDiffParams({ ...params, ...change }));
  if (open.chain !== undefined)
    return (
      <p class="hint">
        Two files are compared. Of a list, <i>Compare files</i> of a tree shows how its files differ.
      </p>
    );
  const { other, values, probability } = params;
  if (other === undefined)
    return (
      <>
        <p class="hint">
          Shows what this file has that an older one does not have, what it has lost, and what has changed:
          keys, branches, types, numbers of entries, objects, and values. Plots of both lie over each other.
        </p>
        <OtherFile
          store={store}
          label="Address of the older file"
          action="Compare"
          onSource={(source) => set({ other: layerFiles(store).srcOf(source) })}
        />
      </>
    );
  return (
    <>
      <Choices {...{ store, values, probability, other, set }} />
      <Result
        key={`${other} ${values} ${probability}`}
        {...{ store, open, theme, other, values, probability }}
      />
    </>
  );
}

interface ChoicesProps extends DiffParams {
  store: ViewerStore;
  other: string;
  set(change: Partial<DiffParams>): void;
}

function Choices({ store, other, values, probability, set }: ChoicesProps): JSX.Element {
  const field = useTyped(probability === undefined ? '' : String(probability), (text) =>
    set({ probability: text !== '' && Number(text) >= 0 && Number(text) <= 1 ? Number(text) : undefined }),
  );
  const title = layerFiles(store).titleOf(other);
  return (
    <div class="controls">
      <span class="hint" title={title}>
        Since <b>{title.replace(/^.*\/(?=.)/s, '')}</b>{' '}
        <button type="button" class="link" onClick={() => set({ other: undefined })}>
          Another file
        </button>
      </span>
      <Check label="Values of all branches" on={values} onChange={(on) => set({ values: on })} />
      <label
        class="number-field"
        title="Histograms that differ count as the same if ROOT's Chi2Test gives this probability or more. Empty: they have to be equal."
      >
        <span>Same from p</span>
        <input type="text" inputMode="decimal" size={6} placeholder="exact" {...field} />
      </label>
    </div>
  );
}

interface ResultProps extends DiffParams {
  store: ViewerStore;
  open: OpenFile;
  theme: 'light' | 'dark';
  other: string;
}

function Result({ store, open, theme, other, values, probability }: ResultProps): JSX.Element {
  const parts = DIFF_PARTS.filter((part) => part !== 'layout' && (part !== 'values' || values));
  const [read, again] = useRead(
    store,
    open,
    `diff ${other} ${values} ${probability}`,
    'Comparing the files',
    async (api, _file, options) => {
      const older = await layerFiles(store).open(other);
      const found = await store.insight.diff(older, open.info, { parts, probability }, options);
      return { found, keys: await api.keys(older.id, options) };
    },
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  const { found, keys } = read.value;
  const names = found.files.map((name) => name.replace(/^.*\/(?=.)/s, ''));
  const { title, verdict, ...rest } = diffReport(found);
  const report = withNotes({ ...rest, title: names.join(' -> '), ...(verdict && { verdict }) }, []);
  return (
    <>
      <p class="summary" role="status" aria-label="Differences">
        {summaryOf(found)}
      </p>
      <Plots {...{ store, open, theme, other, found, keys }} />
      <ReportView report={report} />
      <SaveReport {...{ store, report }} name="diff.html" />
    </>
  );
}

/** Says how much came, went and changed. */
function summaryOf({ same, keys, trees, values, objects }: DiffReport): string {
  if (same) return 'Nothing differs.';
  const schemas = [keys, ...trees];
  const sum = (of: (schema: (typeof schemas)[number]) => number) =>
    schemas.reduce((total, schema) => total + of(schema), 0);
  const grown = trees.filter(({ entries: [a, b] }) => a !== b).length;
  const changed = sum(({ changed }) => changed.length) + grown + values.length + objects.length;
  return [
    `${formatCount(sum(({ added }) => added.length))} came`,
    `${formatCount(sum(({ removed }) => removed.length))} went`,
    `${formatCount(changed)} changed`,
  ].join(', ');
}

interface PlotsProps extends Pick<ResultProps, 'store' | 'open' | 'theme' | 'other'> {
  found: DiffReport;
  /** The keys of the other file. */
  keys: readonly KeyInfo[];
}

/** Plots of what differs, each over that of the other file: objects, and branches of each tree. */
function Plots({ found, keys, ...props }: PlotsProps): JSX.Element {
  const { open } = props;
  const isPlot = (some: readonly KeyInfo[]) => {
    const plots = new Set(some.filter(isPlotKey).map(({ path }) => path));
    return (path: string) => plots.has(path);
  };
  const objects = [
    ...found.objects.map(({ path }) => path).filter(isPlot(open.keyTree.keys)),
    ...found.keys.removed.filter(isPlot(keys)),
    ...found.keys.added.filter(isPlot(open.keyTree.keys)),
  ];
  const trees = new Map<string, string[]>();
  const branchesOf = (path: string) => {
    const names = trees.get(path) ?? [];
    trees.set(path, names);
    return names;
  };
  for (const { tree, branch } of found.values) branchesOf(tree).push(branch);
  for (const { path, added, removed } of found.trees) branchesOf(path).push(...added, ...removed);
  return (
    <>
      {objects.length > 0 && <ComparedObjects {...props} paths={objects} reference={props.other} />}
      {[...trees].map(([path, names]) =>
        names.length === 0 ? null : (
          <ComparedBranches {...props} key={path} path={path} names={names} reference={props.other} />
        ),
      )}
    </>
  );
}
