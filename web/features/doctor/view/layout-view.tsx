import { useMemo, useRef, useState } from 'preact/hooks';
import { formatBytes, formatCount } from '../../../base/format';
import { cyclePath } from '../../../model/keys';
import { branchColour } from '../../../plot/drawing/branch-colours';
import { type PlotLook, plainLook } from '../../../plot/look/look';
import { type BranchStats, collectionStats, type TreeStats } from '../../../reads/layout-stats';
import { useFileTerms } from '../../../ui/plot/explained';
import { FreePlot } from '../../../ui/plot/free-plot';
import { ReportHead, ReportTable } from '../../../ui/report/report';
import { branchNode } from '../../../ui/state/contents-model';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { shortPath } from '../../../ui/widgets/name-text';
import { Placeholder } from '../../../ui/widgets/progress';
import { Choice } from '../../../ui/widgets/segmented-control';
import { useRead } from '../../../ui/widgets/use-read';
import { useTyped } from '../../../ui/widgets/use-typed';
import { distributionPlots } from '../work/distributions';
import type { LayoutFacts } from '../work/layout-facts';
import { layoutReport } from '../work/layout-report';
import type { OptimizeOptions } from '../work/optimize-baskets';
import { type TreemapCell, treemap } from '../work/treemap';

const shapes = ['table', 'buffers', 'treemap', 'collections', 'distributions'] as const;
type Shape = (typeof shapes)[number];
const shapeNames: Record<Shape, string> = {
  table: 'Table',
  buffers: 'Buffers',
  treemap: 'Treemap',
  collections: 'Collections',
  distributions: 'Distributions',
};

/** Layout of the branches of a tree: bytes, baskets, clusters, seeks. From metadata. */
export function LayoutView(props: ViewProps): JSX.Element | null {
  const { store, open, tree } = props;
  const path = tree === undefined ? '' : cyclePath(tree.key);
  const [asked, setAsked] = useState<AskedBuffers>({});
  const [read, again] = useRead(
    store,
    open,
    `stats ${path} ${JSON.stringify(asked)}`,
    asked.streaming ? 'Reading a basket of each branch of objects' : 'Reading where its baskets lie',
    (_api, file, options) => store.insight.stats(file, path, { ...asked, ...options }),
  );
  // While other sizes are computed, the last ones stay.
  const before = useRef<{ path: string; stats: LayoutFacts } | undefined>(undefined);
  if (read.state === 'ready') before.current = { path, stats: read.value };
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (before.current?.path !== path) return <Placeholder store={store} />;
  return <KnownLayout {...props} stats={before.current.stats} asked={asked} onAsk={setAsked} />;
}

type AskedBuffers = OptimizeOptions & { streaming?: boolean };

interface KnownLayoutProps extends ViewProps {
  stats: LayoutFacts;
  asked: AskedBuffers;
  onAsk(asked: AskedBuffers): void;
}

function KnownLayout(props: KnownLayoutProps): JSX.Element {
  const { store, tree, theme, stats, asked, onAsk } = props;
  const terms = useFileTerms(props);
  const query = new URLSearchParams(store.selection.viewParams.value);
  const offered = shapes.filter((name) => name !== 'buffers' || stats.kind === 'TTree');
  const shape = offered.find((name) => name === query.get('as')) ?? 'table';
  const report = useMemo(() => layoutReport(stats, collectionStats(stats.branches)), [stats]);
  const sort = query.get('sort') ?? undefined;
  const shown = report.tables?.find(({ id }) => id === (shape === 'table' ? 'branches' : shape));
  const set = (change: Record<string, string>) =>
    store.selection.setView(
      'layout',
      String(new URLSearchParams({ as: shape, ...(sort && { sort }), ...change })),
    );
  const select = (index: number) => tree && store.selection.select(branchNode(tree.keyIndex, index));
  return (
    <>
      <ReportHead report={report} terms={terms} />
      <Choice
        label="Show as"
        options={offered.map((name) => [name, shapeNames[name]])}
        value={shape}
        onChange={(as) => set({ as })}
      />
      {shape === 'buffers' && <BufferFields stats={stats} asked={asked} onAsk={onAsk} />}
      {shape === 'distributions' && <Distributions stats={stats} theme={theme} />}
      {shape === 'treemap' ? (
        <Treemap stats={stats} dark={theme === 'dark'} onSelect={select} />
      ) : (
        shown && (
          <ReportTable
            key={shape}
            table={shown}
            sort={sort}
            onSort={(by) => set({ sort: by })}
            onPlace={({ branch }) => branch !== undefined && select(branch)}
          />
        )
      )}
    </>
  );
}

interface BufferFieldsProps {
  stats: LayoutFacts;
  asked: AskedBuffers;
  onAsk(asked: AskedBuffers): void;
}

/** The parameters of OptimizeBaskets, and the button that reads how collections are stored. */
function BufferFields({ stats, asked, onAsk }: BufferFieldsProps): JSX.Element {
  const unread = stats.branches.filter(({ streaming }) => streaming === 'not read').length;
  const memory = useTyped(String((stats.optimized?.memory ?? 10_000_000) / 1e6), (text) => {
    const mb = Number(text);
    if (mb > 0 && Number.isFinite(mb)) onAsk({ ...asked, memory: Math.round(mb * 1e6) });
  });
  const least = useTyped(String(stats.optimized?.minCompression ?? 1.1), (text) => {
    const factor = Number(text);
    if (text.trim() !== '' && factor >= 0 && Number.isFinite(factor))
      onAsk({ ...asked, minCompression: factor });
  });
  return (
    <>
      <p class="hint">
        Sizes of baskets now, and as TTree::OptimizeBaskets of ROOT would set them for this memory. Nothing is
        changed.
      </p>
      <div class="controls">
        <label class="number-field">
          Memory (MB)
          <input type="number" min="0.001" step="any" {...memory} />
        </label>
        <label class="number-field">
          Compress from factor
          <input type="number" min="0" step="0.1" {...least} />
        </label>
        {unread > 0 && (
          <button type="button" onClick={() => onAsk({ ...asked, streaming: true })}>
            Read how {formatCount(unread)} {unread === 1 ? 'branch stores' : 'branches store'} collections
          </button>
        )}
      </div>
    </>
  );
}

/** Sizes and numbers of baskets or pages as histograms with logarithmic bins. */
function Distributions({ stats, theme }: { stats: LayoutFacts; theme: ViewProps['theme'] }): JSX.Element {
  const plots = useMemo(() => distributionPlots(stats.distributions, stats.kind), [stats]);
  if (plots.length === 0) return <p class="hint">No basket lies in the file itself.</p>;
  return (
    <>
      {plots.map((plot) => (
        <section key={plot.title}>
          <h3>{plot.title}</h3>
          <FreePlot model={plot} theme={theme} look={SIZES_LOOK} />
        </section>
      ))}
    </>
  );
}

const SIZES_LOOK: PlotLook = { ...plainLook, log: { x: true, y: false } };

/** Maximum number of drawn branches, and minimum area of a branch in its collection. */
const MAX_CELLS = 3000;
const MIN_AREA = 60;
const frame = { x: 0, y: 0, width: 1000, height: 520 };

interface TreemapProps {
  stats: TreeStats;
  dark: boolean;
  onSelect(index: number): void;
}

/** Stored bytes as areas: branches within their collections. */
function Treemap({ stats, dark, onSelect }: TreemapProps): JSX.Element {
  const [named, setNamed] = useState('');
  const { cells, collections } = useMemo(() => treemapCells(stats, dark), [stats, dark]);
  return (
    <figure class="plot treemap">
      <svg
        viewBox={`0 0 ${frame.width} ${frame.height}`}
        role="img"
        aria-label={`Stored bytes of ${formatCount(stats.branches.length)} branches as areas`}
        onPointerLeave={() => setNamed('')}
      >
        {cells.map(({ key, cell, colour, label, text, branch }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table has the same branches as buttons
          <g
            key={key}
            onClick={branch < 0 ? undefined : () => onSelect(branch)}
            onPointerEnter={() => setNamed(text)}
          >
            <rect x={cell.x} y={cell.y} width={cell.width} height={cell.height} fill={colour} />
            {label !== '' && (
              <text x={cell.x + 6} y={cell.y + 18}>
                {label}
              </text>
            )}
          </g>
        ))}
        {collections.map(({ name, x, y }) => (
          <text class="collection" key={`${name} ${x} ${y}`} x={x} y={y}>
            {name}
          </text>
        ))}
      </svg>
      <figcaption class="map-readout">
        {named || 'Areas are stored bytes. Click one to go to its branch.'}
      </figcaption>
    </figure>
  );
}

function describe(branch: BranchStats): string {
  const { path, storedBytes, factor, baskets } = branch;
  const ratio = Number.isFinite(factor) ? `, factor ${factor.toFixed(2)}` : '';
  return `${path} · ${formatBytes(storedBytes)}${ratio} · ${formatCount(baskets)} baskets`;
}

interface DrawnCell {
  key: string;
  cell: TreemapCell;
  colour: string;
  label: string;
  text: string;
  /** The branch to show on a click; -1 for a collection that is drawn as one. */
  branch: number;
}

/** The name of a collection, above its branches. */
interface CollectionLabel {
  name: string;
  x: number;
  y: number;
}

export function treemapCells(
  stats: TreeStats,
  dark: boolean,
): { cells: DrawnCell[]; collections: CollectionLabel[] } {
  const collections = collectionStats(stats.branches).filter(({ storedBytes }) => storedBytes > 0);
  const ofCollection = new Map<string, BranchStats[]>(collections.map(({ name }) => [name, []]));
  for (const branch of stats.branches) ofCollection.get(branch.collection)?.push(branch);
  const boxes = treemap(
    collections.map(({ storedBytes }) => storedBytes),
    frame,
  );
  let left = MAX_CELLS;
  const labels: CollectionLabel[] = [];
  const cells = boxes.flatMap((box): DrawnCell[] => {
    const collection = collections[box.index];
    const branches = ofCollection.get(collection?.name ?? '') ?? [];
    if (collection === undefined) return [];
    const { name } = collection;
    const colour = (shade: number) => branchColour(box.index * 2 + shade, collections.length * 2, dark);
    // Too many or too small to be distinguished, so the collection is drawn as one.
    if (branches.length > left || (box.width * box.height) / branches.length < MIN_AREA) {
      const { branches: count, storedBytes } = collection;
      const text = `${name} · ${formatBytes(storedBytes)} in ${formatCount(count)} ${count === 1 ? 'branch' : 'branches'}`;
      const only = count === 1 ? (branches[0]?.index ?? -1) : -1;
      return [{ key: name, cell: box, colour: colour(0), label: labelFor(box, name), text, branch: only }];
    }
    left -= branches.length;
    const isNamed = branches.length > 1 && box.height >= BAND_HEIGHT + 24 && labelFor(box, name) !== '';
    const band = isNamed ? BAND_HEIGHT : 0;
    if (isNamed) labels.push({ name: labelFor(box, name), x: box.x + 6, y: box.y + 15 });
    const within = { x: box.x + 1, y: box.y + 1 + band, width: box.width - 2, height: box.height - 2 - band };
    return treemap(
      branches.map(({ storedBytes }) => storedBytes),
      { ...within, width: Math.max(0.1, within.width), height: Math.max(0.1, within.height) },
    ).flatMap((cell, i) => {
      const branch = branches[cell.index];
      if (branch === undefined) return [];
      const { path, index } = branch;
      const label = labelFor(cell, isNamed ? withoutCollection(path, name) : path);
      return [{ key: `${index}`, cell, colour: colour(i % 2), label, text: describe(branch), branch: index }];
    });
  });
  return { cells, collections: labels };
}

/** Height of the name of a collection above its branches. */
const BAND_HEIGHT = 20;
/** Width of a letter of the labels. */
const LETTER = 7.2;

/** Returns the name of a branch below the name of its collection: "pt" for Muon_pt. */
function withoutCollection(path: string, collection: string): string {
  const name = shortPath(path, Number.POSITIVE_INFINITY);
  const rest = name.startsWith(collection) ? name.slice(collection.length).replace(/^[_./]+/, '') : name;
  return rest === '' ? name : rest;
}

/** Returns as much of the name as fits; nothing if only a few letters would. */
function labelFor(cell: TreemapCell, name: string): string {
  const room = Math.floor((cell.width - 12) / LETTER);
  if (cell.height <= 22 || room < Math.min(4, name.length)) return '';
  return shortPath(name, Math.max(room, 2));
}
