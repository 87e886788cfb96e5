import type { AxisRequest, DrawnTogether, Histogram, PlainObject } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { fromRecord, type XylemError } from '../../../base/errors';
import { binned, histogramIfAny, histogramOfObject } from '../../../bins/stored-histogram';
import { chosenEntries, UsageError } from '../../../cli/arguments';
import { type DrawGiven, wishesOf } from '../../../cli/commands/draw';
import { checkDecoded, isStored, storedModel } from '../../../cli/commands/draw-stored';
import {
  type Context,
  type OpenFile,
  progressLine,
  tellPartial,
  withFile,
  withFiles,
} from '../../../cli/context';
import { branchNamed, titled } from '../../../cli/drawn-branch';
import { openFriends, rulesOf, seedOf } from '../../../cli/expressions';
import type { DrawnGiven } from '../../../cli/terminal/show-drawn';
import { withTree } from '../../../cli/trees';
import { modelOfHistogram } from '../../../plot/histogram';
import { type LayerSpec, parseLayerText } from '../../../plot/layers/layer-spec';
import { lineLook } from '../../../plot/layers/lines';
import type { AnyPlot } from '../../../plot/model';
import { isMapClass } from '../../../plot/stored/classes';
import { parseDraw, withoutTarget } from '../../../query/compile/draw-spec';
import { elementsTitle } from '../../../query/compile/elements';
import { onlyTree } from '../../../verbs/trees';
import { type FilledLayer, fillLayers } from '../work/fill-layers';
import { layerNames } from '../work/layer-names';
import type { LayersGiven } from './options';
import { type ShownLayer, showLayers } from './show-layers';

type Given = DrawGiven & LayersGiven;

/** The thing that a layer draws. */
type Source = { open: OpenFile; file: string; what: string; cut: string; spec: LayerSpec } & (
  | { object: PlainObject; tree?: undefined }
  | { tree: string; option: string | undefined; object?: undefined }
);

/** The thing that the words of the line draw: the layer that others lie over. */
interface Base {
  open: OpenFile;
  /** The name of its file in the line. */
  file: string;
  /** Undefined for a stored object. */
  tree: string | undefined;
  what: string;
  cut: string;
  option: string | undefined;
}

/** Layers that were read, the query that they show, and the exit status: 1 if parts could not be read. */
export interface ReadLayers {
  layers: ShownLayer[];
  query: NonNullable<DrawnGiven['query']>;
  status: number;
}

/** Draws an expression or a stored object with others over it. Returns the exit status. */
export async function drawLayers(given: Given, words: readonly string[], context: Context): Promise<number> {
  return await withLayers(given, words, context, async ({ layers, query, status }) => {
    await showLayers(layers, { ...given, query }, context);
    return status;
  });
}

/** Reads an expression or a stored object and others over it, and calls `use` with them while the files are open. */
export async function withLayers(
  given: Given,
  [file = '', ...words]: readonly string[],
  context: Context,
  use: (layers: ReadLayers) => Promise<number>,
): Promise<number> {
  if (given.project !== undefined) throw new UsageError('--project does not go with --layer.');
  const { axes } = wishesOf(given);
  const specs = (given.layer ?? []).map(parseLayerText);
  const targets = [...new Set(specs.flatMap(({ src }) => src ?? []))];
  return await withFile(file, given, context, (open) =>
    withFiles(targets, { ...given, trace: undefined }, context, async (files) => {
      const baseOf = (tree: string | undefined, [what = '', cut = '', extra]: readonly string[]): Base => {
        if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`);
        return { open, file, tree, what, cut, option: given.option };
      };
      const all = [{ label: given.label }, ...specs];
      const draw = async (base: Base): Promise<number> =>
        await use(
          await readAll(
            await Promise.all(all.map((spec) => sourceOf(spec, base, files))),
            base,
            axes,
            given,
            context,
          ),
        );
      const [path = ''] = words;
      if (words.length === 1 && (await isStored(open, path))) return await draw(baseOf(undefined, words));
      return await withTree(open, words, 'EXPR', ({ path, rest }) => draw(baseOf(path, rest)));
    }),
  );
}

/** The meaning of a layer. Throws NOT_FOUND and ARGUMENT. */
async function sourceOf(spec: LayerSpec, base: Base, files: ReadonlyMap<string, OpenFile>): Promise<Source> {
  const open = (spec.src === undefined ? undefined : files.get(spec.src)) ?? base.open;
  const what = spec.draw ?? base.what;
  const cut = spec.cut ?? (spec.draw === undefined ? base.cut : '');
  const named = { open, file: spec.src ?? base.file, what, cut, spec };
  const isObject =
    spec.draw === undefined
      ? base.tree === undefined
      : spec.tree === undefined && (await isStored(open, what));
  if (isObject) {
    if (cut !== '') throw new UsageError(`"${what}" is a stored object, which has no cut.`);
    const object = await open.object(what);
    checkDecoded(object, what);
    return { ...named, object };
  }
  const own = spec.src === undefined ? undefined : open.ownTree;
  const tree = spec.tree ?? own ?? base.tree ?? (await onlyTree(open));
  const option = spec.opt ?? (spec.draw === undefined ? base.option : undefined);
  return { ...named, tree, option };
}

async function readAll(
  sources: readonly Source[],
  base: Base,
  axes: readonly AxisRequest[],
  given: Given,
  context: Context,
): Promise<ReadLayers> {
  const progress = progressLine(context);
  const stored = sources.map((one) => one.object && histogramIfAny(binned(one.object)));
  const filling = sources.filter((one) => one.tree !== undefined);
  const drawn = await Promise.all(filling.map(whatOf));
  const files = new Map(filling.map(({ open }) => [open.info.id, open]));
  const outcomes = await fillLayers(
    filling.map((one, i): FilledLayer => ({ file: one.open.info.id, tree: one.tree, ...drawn[i]?.draw })),
    withBins(axes, axesCount(sources[0]?.object ? undefined : drawn[0]?.draw, stored[0]), stored),
    async (id, request) => {
      const open = files.get(id) ?? base.open;
      const { info } = await open.tree(request.tree);
      const isBase = open === base.open && request.tree === base.tree;
      const friends = isBase ? await openFriends(open, request.tree, given, context) : undefined;
      const entries = await chosenEntries(given, info.entries);
      const more = { entries, friends, rootVersion: rulesOf(given), seed: seedOf(given) };
      return await open.reader.drawAll(id, { ...request, ...more }, { onProgress: progress.show });
    },
  );
  await progress.wipe();
  const results = outcomes.map((outcome, i): Histogram => {
    if (outcome.kind !== 'error') {
      const title = drawn[i]?.title;
      return title === undefined ? outcome : titled(outcome, title);
    }
    const { error } = outcome;
    throw error instanceof Error ? error : fromRecord(error as ReturnType<XylemError['toRecord']>);
  });
  const names = layerNames(
    sources.map(({ what, cut, file, spec, object }) => ({
      what: object ? what : withoutTarget(what),
      cut,
      file,
      label: spec.label,
    })),
  );
  const shown: ShownLayer[] = [];
  for (const [i, source] of sources.entries()) {
    const result = source.tree === undefined ? undefined : results[filling.indexOf(source)];
    const model: AnyPlot = source.object
      ? await storedModel(
          source.open,
          source.what,
          source.object,
          isMapClass(source.object._typename)
            ? 'col'
            : source.spec.draw === undefined
              ? base.option
              : undefined,
        )
      : modelOfHistogram(result as Histogram);
    const { colour } = source.spec;
    shown.push({
      part: {
        ...{ model, label: names[i] ?? '', as: source.spec.as },
        ...(colour !== undefined && lineLook(colour - 1)),
      },
      object: source.object,
      histogram: () => result ?? histogramOfObject(source.object as PlainObject),
    });
  }
  const [query, ...layers] = sources.map(({ open, tree, what, cut }) => ({
    ...{ file: open.info.name, tree, draw: what },
    ...(cut !== '' && { cut }),
  }));
  const status = Math.max(0, ...results.map(({ partial }) => tellPartial(partial, 'baskets', context)));
  return { layers: shown, query: { ...query, layers }, status };
}

/** The number of axes of what a layer draws. Throws UNSUPPORTED for more than two. */
function axesCount(drawn: DrawnTogether | undefined, stored: Histogram | undefined): number {
  const isProfile = /prof/i.test(drawn?.option ?? '');
  const written =
    drawn?.expr === undefined ? 1 : parseDraw(drawn.expr).expressions.length - (isProfile ? 1 : 0);
  const count = drawn === undefined ? (stored?.axes.length ?? 1) : written;
  if (count <= 2) return Math.max(1, count);
  throw unsupported('Layers have one or two axes.');
}

/** This many axes, with the bins and ends of the first stored histogram that has as many, unless others are said. */
function withBins(
  asked: readonly AxisRequest[],
  count: number,
  stored: readonly (Histogram | undefined)[],
): AxisRequest[] {
  const found = stored.find((one) => one?.axes.length === count)?.axes ?? [];
  const isEven = found.every(({ edges }) => edges === undefined);
  return Array.from({ length: count }, (_, k) => {
    const [axis, own] = [asked[k] ?? {}, isEven ? found[k] : undefined];
    if (own === undefined) return axis;
    const { bins = own.bins, range = [own.low, own.high] } = axis;
    return { ...axis, bins, range };
  });
}

/** The drawing of a layer of a tree: of a branch where it names one, as it is stored. */
async function whatOf(
  source: Source & { tree: string },
): Promise<{ draw: DrawnTogether; title: string | undefined }> {
  const { open, tree, what: expr, cut, option } = source;
  const { info } = await open.tree(tree);
  const branch = cut === '' && option === undefined ? await branchNamed(info, expr) : undefined;
  if (branch) return { draw: { branch: branch.index }, title: elementsTitle(branch, info) };
  return { draw: { expr, ...(cut !== '' && { cut }), ...(option && { option }) }, title: undefined };
}
