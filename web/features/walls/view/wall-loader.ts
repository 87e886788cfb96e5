import { type ReadonlySignal, signal } from '@preact/signals';
import type { FileId } from '../../../api/api';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import { ByteLru } from '../../../base/lru';
import type { AgreementOptions } from '../../../bins/agreement';
import type { AnyPlot } from '../../../plot/model';
import { type OpenFile, sourceName, type ViewerStore } from '../../../ui/state/viewer-state';
import { layerFiles } from '../../layers/view/layer-files';
import { type OwnAxes, ownAxes } from '../work/common-axes';
import { type Judged, judgeWall } from '../work/judged';
import type { Verdict } from '../work/rules';
import type { Tile } from '../work/tile';
import type { ComparedSource, WallItem, WallSource } from './wall-source';

/** Maximum bytes of plots that are kept: the most recently seen ones. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Maximum bytes of a small plot: a map of 2 million cells. */
const MAX_PLOT_BYTES = 16 * 1024 * 1024;

/** Facts about a plot that are kept when it is dropped. */
interface Facts {
  entries: number;
  empty?: boolean | undefined;
  /** Result of the comparison with the reference. */
  verdict?: Verdict | undefined;
  linear?: OwnAxes | undefined;
  log?: OwnAxes | undefined;
}

/** Reads the visible plots of a wall, and keeps some. */
export interface WallLoader {
  /** The plots of the wall. Those that only the reference has come last, after it was opened. */
  readonly items: readonly WallItem[];
  /** Increases when plots have arrived. */
  readonly version: ReadonlySignal<number>;
  readonly error: ReadonlySignal<ErrorRecord | undefined>;
  /** The place with the focus. It is visible again when the user returns to the wall. */
  active: number;
  tile(index: number): Tile | Judged | undefined;
  facts(index: number): Facts | undefined;
  /** Reads these next, and nothing else that waits. With `all`, reads the others afterwards. */
  want(indices: readonly number[], all: boolean): void;
  /** Reads failed plots again. */
  again(): void;
  stop(): void;
}

const loaders = new WeakMap<OpenFile, Map<string, WallLoader>>();

/**
 * Returns the loader of a wall. It lives as long as its file is open. `how` compares plots with those of the
 * reference.
 */
export function loaderOf(
  store: ViewerStore,
  open: OpenFile,
  source: WallSource,
  reference: string | undefined,
  how: AgreementOptions,
): WallLoader {
  const known = loaders.get(open) ?? new Map<string, WallLoader>();
  loaders.set(open, known);
  const id = `${source.id} ${reference === undefined ? '' : `${reference} ${how.band} ${how.sameArea}`}`;
  const found = known.get(id) ?? createLoader(store, source, reference, how);
  known.set(id, found);
  return found;
}

function createLoader(
  store: ViewerStore,
  source: WallSource,
  reference: string | undefined,
  how: AgreementOptions,
): WallLoader {
  const tiles = new ByteLru<number, Tile | Judged>(MAX_BYTES);
  const facts = new Map<number, Facts>();
  const version = signal(0);
  const error = signal<ErrorRecord | undefined>(undefined);
  let both: ComparedSource | undefined;
  let wanted: readonly number[] = [];
  let wantsAll = false;
  let isReading = false;
  /** How often the user left the wall. */
  let stops = 0;

  /** Returns the plots to read next: visible and not loaded, then unknown ones. */
  function next(): number[] {
    const { items, batches } = both ?? source;
    const missing = wanted.filter((index) => !tiles.has(index));
    if (missing.length > 0) return batches(missing)[0] ?? [];
    if (!wantsAll) return [];
    const unknown = items.flatMap((_, index) => (facts.has(index) ? [] : [index]));
    return batches(unknown)[0] ?? [];
  }

  /** Opens the reference, and finds the plots that only it has. */
  async function openReference(name: string): Promise<FileId> {
    const { id } = await layerFiles(store).open(name);
    if (both) return id;
    both = await store.session.call('wall', 'Reading the reference', (api, _file, options) =>
      source.withReference(api, id, options),
    );
    version.value++;
    return id;
  }

  async function pump(): Promise<void> {
    if (isReading || error.peek()) return;
    isReading = true;
    const before = stops;
    try {
      const other = reference === undefined ? undefined : await openReference(reference);
      for (let batch = next(); batch.length > 0; batch = next()) {
        const reading = batch;
        const read = await store.session.call('wall', 'Reading plots', async (api, file, options) => {
          const own = await (both ?? source).read(api, file, reading, options);
          if (other === undefined || both === undefined) return own.map(({ tile }) => tile);
          const there = await both.readOther(api, other, reading, own, options);
          const label = sourceName(store.session.file.peek()?.source ?? { kind: 'url', url: '' });
          return judgeWall(own, there, { rules: [], ...how, label });
        });
        for (const [i, tile] of read.entries()) keep(reading[i] ?? -1, tile);
        version.value++;
      }
    } catch (thrown) {
      const failed = toXylemError(thrown);
      if (failed.code !== 'ABORTED') error.value = failed.toRecord();
    } finally {
      isReading = false;
    }
    // The user left the wall and returned before its reading had ended.
    if (stops !== before && wanted.length > 0) void pump();
  }

  /** Keeps the wanted plots, regardless of their total size. */
  function hold(indices: readonly number[]): void {
    for (const index of wanted) tiles.release(index);
    wanted = indices;
    for (const index of wanted) tiles.hold(index);
  }

  function keep(index: number, tile: Tile | Judged): void {
    const { model, picture, entries, empty } = tile;
    const bytes = (model ? bytesOf(model) : 0) + 500 * (picture?.shapes.length ?? 0);
    const isLarge = bytes > MAX_PLOT_BYTES;
    const kept = isLarge
      ? { ...tile, model: undefined, why: 'It is too large to be drawn small: open it.' }
      : tile;
    tiles.set(index, kept, 1000 + (isLarge ? 0 : bytes), wanted.includes(index) ? 1 : 0);
    facts.set(index, {
      ...{ entries, empty },
      verdict: 'verdict' in tile ? tile.verdict : undefined,
      linear: model && ownAxes(model, { x: false, y: false }),
      log: model && ownAxes(model, { x: false, y: true }),
    });
  }

  return {
    get items() {
      return (both ?? source).items;
    },
    version,
    error,
    active: 0,
    tile: (index) => tiles.get(index),
    facts: (index) => facts.get(index),
    want(indices, all) {
      hold(indices);
      wantsAll = all;
      void pump();
    },
    again() {
      error.value = undefined;
      void pump();
    },
    stop() {
      stops++;
      hold([]);
      wantsAll = false;
      store.activities.cancel('wall');
    },
  };
}

/** Returns the approximate bytes of the numbers of a plot. */
function bytesOf(model: AnyPlot): number {
  const own = model.kind === 'graph' ? 2 * model.x.byteLength : model.values.byteLength;
  return own + (model.curves ?? []).reduce((sum, { x }) => sum + 2 * x.byteLength, 0);
}
