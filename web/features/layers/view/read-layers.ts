import type {
  AxisRequest,
  DrawnTogether,
  FileId,
  FileInfo,
  Histogram,
  KeyInfo,
  PartialNote,
  PlainObject,
} from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { type ErrorRecord, toXylemError, XylemError } from '../../../base/errors';
import { binned, histogramIfAny } from '../../../bins/stored-histogram';
import { errorOf } from '../../../core/tape';
import { cyclePath, findKey, isTree } from '../../../model/keys';
import { modelOfHistogram } from '../../../plot/histogram';
import { isOwn, type LayerSpec } from '../../../plot/layers/layer-spec';
import type { LayerPart } from '../../../plot/layers/layered';
import type { AnyPlot } from '../../../plot/model';
import { isMapClass } from '../../../plot/stored/classes';
import { samplesWithin } from '../../../plot/stored/functions';
import { loadKinds, modelOfObject } from '../../../plot/stored/stored';
import { partAt } from '../../../ui/contents/items';
import type { DrawnLayer, OwnPlot } from '../../../ui/plot/own-plot';
import { sourceName, type ViewerStore } from '../../../ui/state/viewer-state';
import { fillLayers } from '../work/fill-layers';
import { layerNames } from '../work/layer-names';
import { layerFiles } from './layer-files';

/** A layer that was read, or the reason why it could not be. */
export interface ReadLayer {
  spec: LayerSpec;
  part?: LayerPart | undefined;
  /** The drawing, and where it is from. */
  drawn?: Omit<DrawnLayer, 'label'> | undefined;
  /** Its default name: the part in which it differs from the other layers. */
  label: string;
  histogram?: Histogram | undefined;
  partial?: PartialNote | undefined;
  error?: ErrorRecord | undefined;
}

const NOWHERE: FileId = -1;

/** The drawing that a layer describes: filled from a tree, or stored. */
interface Found {
  spec: LayerSpec;
  file: FileId;
  fileName: string;
  what: string;
  cut: string;
  tree?: string;
  draw?: DrawnTogether;
  model?: AnyPlot;
  object?: PlainObject;
  error?: ErrorRecord;
}

/** Reads all layers of a plot, including the plot itself. A layer that fails has its error in its place. */
export async function readLayers(
  store: ViewerStore,
  specs: readonly LayerSpec[],
  own: OwnPlot,
): Promise<ReadLayer[]> {
  const found: Found[] = [];
  for (const spec of specs) found.push(await findLayer(store, spec, own));
  const { filled } = own;
  // A map keeps its axes, and the others use them.
  const keeps = filled?.isGiven === true || own.model.kind === 'map';
  const filling = found.filter((one) => one.draw !== undefined && !(keeps && isOwn(one.spec)));
  const outcomes = await fillLayers(
    filling.map(({ file, tree = '', draw }) => ({ file, tree, ...draw })),
    axesOf(own, found, store.plot.settings.peek().bins),
    (file, request) =>
      store.session.call('layers', 'Drawing layers', (api, _shown, options) =>
        api.drawAll(file, request, options),
      ),
  );
  const names = layerNames(found.map(({ what, cut, fileName }) => ({ what, cut, file: fileName })));
  return found.map((one, i): ReadLayer => {
    const { spec, object, error } = one;
    const label = names[i] ?? '';
    const outcome = outcomes[filling.indexOf(one)];
    if (error !== undefined) return { spec, label, error };
    if (outcome?.kind === 'error')
      return { spec, label, error: toXylemError(errorFrom(outcome.error)).toRecord() };
    const histogram = outcome ?? (isOwn(spec) ? filled?.histogram : undefined) ?? histogramIfAny(object);
    const model = one.model ?? (histogram && titledAs(own, spec, modelOfHistogram(histogram)));
    return {
      spec,
      label,
      drawn: drawnOf(one),
      part: model && { model, label },
      histogram,
      partial: outcome?.partial,
    };
  });
}

function drawnOf({ file, spec, what, tree, draw, object }: Found): Omit<DrawnLayer, 'label'> {
  const filled = tree !== undefined && draw !== undefined ? { tree, draw } : undefined;
  return { file, src: spec.src, what, filled, object };
}

function errorFrom(error: unknown): unknown {
  return error instanceof Error ? error : new XylemError(error as ErrorRecord);
}

/** The drawing of the same branch keeps the title of its panel: for a collection, the number of elements. */
function titledAs({ model }: OwnPlot, spec: LayerSpec, drawn: AnyPlot): AnyPlot {
  return spec.draw === undefined ? { ...drawn, xTitle: model.xTitle } : drawn;
}

/**
 * Returns the common axes: those of a map; those of the plot if its range was chosen; otherwise the bins of the first
 * stored histogram.
 */
function axesOf(own: OwnPlot, found: readonly Found[], bins: number | undefined): AxisRequest[] {
  const wanted = own.model.kind === 'map' ? 2 : 1;
  const keeps = own.filled?.isGiven || wanted === 2;
  const objects = found.map(({ object }) => object && histogramIfAny(binned(object)));
  for (const { axes } of [keeps ? own.filled?.histogram : undefined, ...objects].filter(
    Boolean,
  ) as Histogram[]) {
    const isEven = axes.every(({ edges }) => edges === undefined);
    // The third axis of an expression is summed.
    if (isEven && axes.length >= wanted)
      return axes.slice(0, wanted).map((axis) => ({ bins: axis.bins, range: [axis.low, axis.high] }));
  }
  return Array.from({ length: wanted }, () => ({ bins: wanted === 1 ? bins : undefined }));
}

async function findLayer(store: ViewerStore, spec: LayerSpec, own: OwnPlot): Promise<Found> {
  const open = store.session.file.peek();
  const what = spec.item ?? spec.draw ?? own.what;
  const cut = spec.cut ?? (spec.draw === undefined && spec.item === undefined ? own.cut : '');
  const { src } = spec;
  const fileName = src === undefined ? (open?.info.name ?? '') : layerFiles(store).titleOf(src);
  const found: Found = { spec, file: open?.info.id ?? NOWHERE, fileName, what, cut };
  try {
    const file = src === undefined ? open?.info : await openedFile(store, src);
    if (open === null || file === undefined) return found;
    found.file = file.id;
    if (isOwn(spec)) {
      if (own.filled) return { ...found, tree: own.filled.tree, draw: own.filled.draw };
      return { ...found, model: own.model, ...(own.object && { object: own.object }) };
    }
    const keys =
      src === undefined
        ? open.keyTree.keys
        : await store.session.call('layers', 'Opening the file of a layer', (api, _file, options) =>
            api.keys(file.id, options),
          );
    const isPlain = spec.tree === undefined && spec.opt === undefined && cut === '';
    const isObject = (spec.draw ?? spec.item) !== undefined || !own.filled;
    const stored = isPlain && isObject ? objectAt(keys, what) : undefined;
    if (stored) return { ...found, ...(await readObject(store, file.id, stored)) };
    if (spec.item !== undefined || (spec.draw === undefined && !own.filled)) throw noObject(what, fileName);
    const tree = spec.tree ?? own.filled?.tree ?? onlyTree(keys);
    const option = spec.opt ?? (spec.draw === undefined ? own.filled?.draw.option : undefined);
    const { expr = undefined, branch = undefined } = spec.draw === undefined ? (own.filled?.draw ?? {}) : {};
    const drawn = branch !== undefined ? { branch: own.what } : { expr: expr ?? what };
    return { ...found, tree, draw: { ...drawn, ...(cut.trim() && { cut }), ...(option && { option }) } };
  } catch (thrown) {
    const error = toXylemError(thrown);
    // Another reading of layers has started.
    if (error.code === 'ABORTED') throw error;
    return { ...found, error: error.toRecord() };
  }
}

async function openedFile(store: ViewerStore, src: string): Promise<FileInfo> {
  return await layerFiles(store).open(src);
}

/** Returns the key of a stored object, and the rest of a path that leads into it. */
function objectAt(keys: readonly KeyInfo[], path: string): { key: KeyInfo; part: string } | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const key = findKey(keys, path.slice(0, end));
    if (key && !isTree(key) && key.kind !== 'directory') return { key, part: path.slice(end + 1) };
  }
  return undefined;
}

async function readObject(
  store: ViewerStore,
  file: FileId,
  { key, part }: { key: KeyInfo; part: string },
): Promise<{ object: PlainObject; model: AnyPlot }> {
  const object = await store.session.call('layers', `Reading ${key.name}`, async (api, _file, options) =>
    partAt(await api.object(file, cyclePath(key), options), part),
  );
  if (object === undefined)
    throw new XylemError({ code: 'NOT_FOUND', message: `${key.path} has no "${part}" there.` });
  const samples = await samplesWithin([object], (wanted) =>
    store.session.call('layers', 'Computing functions', (api, _file, options) =>
      api.functionValues(wanted, options),
    ),
  );
  await loadKinds(object);
  // As layers, maps are drawn by their cells in any style.
  const how = isMapClass(object._typename) ? 'col' : '';
  const model = errorOf(object) === undefined ? modelOfObject(object, samples, how) : undefined;
  if (model !== undefined) return { object, model };
  throw unsupported(`"${key.path}" is a ${object._typename}, which is not drawn.`);
}

function noObject(what: string, file: string): XylemError {
  return new XylemError({
    code: 'NOT_FOUND',
    message: `There is no "${what}" in ${sourceName({ kind: 'url', url: file })}.`,
  });
}

function onlyTree(keys: readonly KeyInfo[]): string {
  const paths = [...new Set(keys.filter(isTree).map(({ path }) => path))];
  const [only = ''] = paths;
  if (paths.length === 1) return only;
  throw new XylemError({
    code: 'NOT_FOUND',
    message:
      paths.length === 0 ? 'There is no tree in the file.' : `There are ${paths.length} trees in the file.`,
    fix: 'Name the tree of the layer.',
  });
}
