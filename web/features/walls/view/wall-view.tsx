import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { toXylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import type { Places } from '../../../ui/part';
import type { OpenFile, ViewerStore } from '../../../ui/state/viewer-state';
import type { ViewProps } from '../../../ui/view-tabs';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Check, Choice, Select } from '../../../ui/widgets/segmented-control';
import { slot } from '../../../ui/widgets/slot';
import { isAlarm } from '../work/states';
import type { WallOrder } from '../work/tile';
import { LargePlot } from './large-plot';
import { useNarrowContents } from './narrow-contents';
import { Reference } from './reference';
import { thresholdsOf } from './thresholds';
import { WallGrid, type WallMoves } from './wall-grid';
import { loaderOf } from './wall-loader';
import { axesOf, compared, openItem, orderOf, stateOptions, verdictAt } from './wall-order';
import { formatWallParams, parseWallParams, type WallParams } from './wall-params';
import type { WallSize } from './wall-sizes';
import { firstItems, remembered, storedSource, treeSource, type WallSource } from './wall-source';

const ORDERS: readonly [WallOrder, string][] = [
  ['file', 'As in the file'],
  ['name', 'By name'],
  ['title', 'By title'],
  ['entries', 'Most entries first'],
];

/** Buttons of features for plots that are drawn from a tree. */
const WallButtons = slot('wall');

const SIZES: readonly [WallSize, string][] = [
  ['S', 'S'],
  ['M', 'M'],
  ['L', 'L'],
];

/** The view `wall` of a file or a tree. */
export function WallView({ store, open, tree, theme }: ViewProps): JSX.Element {
  const { items } = parseWallParams(paramsOf(store));
  if (!tree) return <FolderWall {...{ store, open, theme }} directory={-1} />;
  const words = items ?? '';
  const found = remembered(open, `tree ${tree.keyIndex} ${words}`, () =>
    sourceOf(() => treeSource(tree, words)),
  );
  return <Found {...{ store, open, theme, found }} deeper={undefined} isDrawn={true} />;
}

/** The plots of a folder; nothing if it has none. */
export function FolderWall({ store, open, directory, theme }: Places['folder']): JSX.Element | null {
  const first = firstItems(open, directory);
  const path = open.keyTree.keys[directory]?.path ?? '';
  const asked = parseWallParams(paramsOf(store)).items;
  // A pattern for another folder is ignored here.
  const items = asked !== undefined && (path === '' || asked.startsWith(`${path}/`)) ? asked : first?.items;
  if (items === undefined) return null;
  const hasReference = parseWallParams(paramsOf(store)).reference !== undefined;
  const found = remembered(open, `stored ${hasReference} ${items}`, () =>
    sourceOf(() => storedSource(open, items, hasReference)),
  );
  return <Found {...{ store, open, theme, found }} deeper={first?.deeper} />;
}

/** Returns the state of the view in the address, if it is that of a wall. */
function paramsOf(store: ViewerStore): string {
  return store.selection.view.value === 'wall' ? store.selection.viewParams.value : '';
}

type FoundSource =
  | { source: WallSource }
  | { error: ReturnType<ReturnType<typeof toXylemError>['toRecord']> };

function sourceOf(make: () => WallSource): FoundSource {
  try {
    return { source: make() };
  } catch (thrown) {
    return { error: toXylemError(thrown).toRecord() };
  }
}

interface FoundProps {
  store: ViewerStore;
  open: OpenFile;
  theme: 'light' | 'dark';
  /** The pattern that includes folders below. */
  deeper: string | undefined;
  /** Whether its plots are drawn from a tree. */
  isDrawn?: boolean | undefined;
}

function Found({ found, ...props }: FoundProps & { found: FoundSource }): JSX.Element {
  return 'error' in found ? <ErrorPane error={found.error} /> : <Wall {...props} source={found.source} />;
}

/** Plots, with controls for filtering, sorting and scaling. */
function Wall({
  store,
  open,
  theme,
  deeper,
  source,
  isDrawn,
}: FoundProps & { source: WallSource }): JSX.Element {
  const params = parseWallParams(paramsOf(store));
  const { filter, sort, log, same, size, reference, band, area, fail } = params;
  // Without a reference there are no results.
  const state = reference === undefined && params.state !== 'empty' ? undefined : params.state;
  const moves = useRef<WallMoves | undefined>(undefined);
  const large = useSignal<number | undefined>(undefined);
  useNarrowContents(store);
  const loader = useMemo(
    () => loaderOf(store, open, source, reference, { band, sameArea: area }),
    [store, open, source.id, reference, band, area],
  );
  const thresholds = useMemo(() => thresholdsOf(fail), [fail]);
  const { conditions } = thresholds;
  const set = (change: Partial<WallParams>) =>
    store.selection.setView('wall', formatWallParams({ ...params, ...change }));
  // Sorting and scaling need facts about plots that were not visible yet.
  const needsAll = same || sort === 'entries' || reference !== undefined || state !== undefined;
  const version = needsAll ? loader.version.value : 0;
  const { items } = loader;
  const needsOrder = sort === 'entries' || sort === 'worst' || state !== undefined;
  const order = useMemo(
    () => orderOf(loader, filter, state, sort, conditions),
    [loader, items, filter, state, sort, conditions, needsOrder ? version : 0],
  );
  const axes = useMemo(
    () => (same ? axesOf(loader, order, log) : undefined),
    [loader, order, same, log, version],
  );
  const error = loader.error.value;
  const count = formatCount(items.length);
  if (items.length === 0 && reference === undefined)
    return <p class="hint">There are no histograms, graphs or functions.</p>;
  return (
    <>
      <div class="controls wall-controls">
        <input
          type="search"
          placeholder="Filter by name or title"
          aria-label="Filter the wall"
          value={filter}
          onInput={(event) => set({ filter: event.currentTarget.value })}
        />
        <Select
          label="Sort"
          options={reference === undefined ? ORDERS : [...ORDERS, ['worst', 'Worst first']]}
          value={sort}
          onChange={(next) => set({ sort: next })}
        />
        <Select
          label="Show"
          options={stateOptions(loader, conditions, reference !== undefined)}
          value={state ?? ''}
          onChange={(next) => set({ state: next === '' ? undefined : next })}
        />
        <Choice label="Size" options={SIZES} value={size} onChange={(next) => set({ size: next })} />
        <Check label="Log y" on={log} onChange={(on) => set({ log: on })} />
        <Check label="Same axes" on={same} onChange={(on) => set({ same: on })} />
        {deeper !== undefined && (params.items === undefined || params.items === deeper) && (
          <Check
            label="With folders below"
            on={params.items === deeper}
            onChange={(on) => set({ items: on ? deeper : undefined })}
          />
        )}
        {isDrawn && <WallButtons store={store} plots={order.map((index) => items[index]?.name ?? '')} />}
        <span class="summary" role="status">
          {order.length === items.length
            ? `${count} plots`
            : `${formatCount(order.length)} of ${count} plots`}
        </span>
      </div>
      <Reference
        store={store}
        params={params}
        mistake={thresholds.mistake}
        results={reference === undefined ? undefined : compared(loader, conditions)}
        hasAlarms={order.some((index) => isAlarm(verdictAt(loader, index, conditions)))}
        onAlarm={(by) => moves.current?.toAlarm(by)}
        onChange={set}
      />
      {error && <ErrorPane error={error} onRetry={() => loader.again()} />}
      <WallGrid
        {...{ loader, order, size, log, axes, theme, conditions, moves }}
        wantsAll={needsAll}
        label="Plots"
        onOpen={(index, place) => {
          // A viewer that shows nothing but the wall has no way back to it, and a plot of the reference is not in the file.
          if (place.closest('.only-plot') || loader.items[index]?.isOther) large.value = index;
          else openItem(store, loader, index, reference);
        }}
      />
      {large.value !== undefined && <LargePlot {...{ loader, order, log, theme, large }} />}
    </>
  );
}
