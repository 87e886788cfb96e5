import type { AxisRequest, DrawnTogether, TreeInfo } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { XylemError } from '../../../base/errors';
import { UsageError } from '../../../cli/arguments';
import { type DrawGiven, wishesOf } from '../../../cli/commands/draw';
import { isStored } from '../../../cli/commands/draw-stored';
import { type Context, type OpenFile, progressLine, withFile } from '../../../cli/context';
import { branchNamed } from '../../../cli/drawn-branch';
import { givenLook } from '../../../cli/terminal/look-options';
import { outputsOf } from '../../../cli/terminal/show-drawn';
import { withTree } from '../../../cli/trees';
import { type LayerSpec, parseLayerText } from '../../../plot/layers/layer-spec';
import { parseDraw, withoutTarget } from '../../../query/compile/draw-spec';
import { onlyTree } from '../../../verbs/trees';
import { snippetOf } from '../work/snippets';
import type { ToolId, Use, UsedAxis, UsedLayer } from '../work/use';

type Given = DrawGiven & Readonly<Record<string, unknown>>;

/** Options that choose entries or rules of which programs know nothing. */
const WITHOUT_CODE = [
  ...['entries', 'entry-list', 'sample', 'seed', 'friend', 'friend-index', 'root-version', 'project'],
  ...['json', 'trace', 'partial', 'resume', 'jobs', 'axes-from'],
];

/** A layer with what fills it, and whether that is in the tree of the first one. */
interface Layer {
  used: UsedLayer;
  draw: DrawnTogether | undefined;
  isOwnTree: boolean;
}

/** Prints the program that the option --code names. Returns the exit status. */
export async function printCode(
  given: Readonly<Record<string, unknown>>,
  words: readonly string[],
  context: Context,
): Promise<number> {
  return await withUse(given, words, context, (use) => {
    const { tool, text, why } = snippetOf(given.code as ToolId, use);
    if (text === undefined) throw unsupported(`There is no program for ${tool}: ${why}`);
    context.out.put(text);
    return 0;
  });
}

/**
 * Calls `print` with the drawing of a command line, for a program of another tool. Throws UsageError for options of which
 * programs know nothing.
 */
export async function withUse<T>(
  given: Readonly<Record<string, unknown>>,
  [file = '', ...words]: readonly string[],
  context: Context,
  print: (use: Use) => T | Promise<T>,
): Promise<T> {
  const all = given as Given;
  const other =
    WITHOUT_CODE.find((name) => given[name] !== undefined) ?? (outputsOf(all).length > 0 ? 'svg' : undefined);
  if (other !== undefined) throw new UsageError(`--${other} does not go with --code.`);
  if (given.option !== undefined && given.option !== 'prof')
    throw new UsageError('--code takes no other --option than prof.');
  const specs = ((given.layer ?? []) as string[]).map(parseLayerText);
  return await withFile(file, all, context, async (open) => {
    const [path = ''] = words;
    if (words.length === 1 && (await isStored(open, path)))
      throw unsupported(
        'A stored object is not filled by a program.',
        'Name an expression, and objects as --layer.',
      );
    return await withTree(open, words, 'EXPR', async ({ path: tree, rest: [expr = '', cut = '', extra] }) => {
      if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`);
      const base = { open, file, tree, expr, cut };
      const label = typeof given.label === 'string' ? given.label : undefined;
      const first = await layerOf({ label }, base, all, context);
      const others: Layer[] = [];
      for (const spec of specs) others.push(await layerOf(spec, base, all, context));
      const axes = await axesOf([first, ...others], base, all, context);
      const layers = [first.used, ...others.map(({ used }) => used)] as const;
      return await print({ layers, axes, look: givenLook(given) });
    });
  });
}

/** The drawing of the words of the line. */
interface Base {
  open: OpenFile;
  file: string;
  tree: string;
  expr: string;
  cut: string;
}

async function layerOf(spec: LayerSpec, base: Base, given: Given, context: Context): Promise<Layer> {
  const { src } = spec;
  if (src !== undefined && src !== base.file)
    return await withFile(src, { ...given, trace: undefined }, context, (open) =>
      layerIn(spec, { ...base, open }, given),
    );
  return await layerIn(spec, base, given);
}

async function layerIn(spec: LayerSpec, base: Base, given: Given): Promise<Layer> {
  const { open } = base;
  const { label } = spec;
  const address = spec.src ?? base.file;
  const what = spec.draw ?? base.expr;
  if (spec.draw !== undefined && spec.tree === undefined && (await isStored(open, what)))
    return { used: { address, label, item: what }, draw: undefined, isOwnTree: false };
  const cut = spec.cut ?? (spec.draw === undefined ? base.cut : '');
  const isSame = address === base.file;
  const path = spec.tree ?? (isSame ? base.tree : (open.ownTree ?? base.tree ?? (await onlyTree(open))));
  const { info } = await open.tree(path);
  checkOneFile(info);
  const option = spec.opt ?? (spec.draw === undefined ? (given.option as string | undefined) : undefined);
  const branch = option === undefined ? await branchNamed(info, what) : undefined;
  const expr = branch?.name ?? withoutTarget(what);
  const draw = {
    ...(branch ? { branch: branch.index } : { expr: what }),
    ...(cut !== '' && { cut }),
    ...(option && { option }),
  };
  const used = { address, label, tree: info, branch: branch?.path, expr, cut, profile: option === 'prof' };
  return { used, draw, isOwnTree: isSame && path === base.tree };
}

function checkOneFile({ fileStarts }: TreeInfo): void {
  if (fileStarts !== undefined && fileStarts.length > 1)
    throw unsupported('Programs read one file.', 'Name one of the files.');
}

/** The axes: as they are written, or as drawing finds them. Throws UsageError where several trees would have to agree. */
async function axesOf(
  layers: readonly Layer[],
  base: Base,
  given: Given,
  context: Context,
): Promise<UsedAxis[]> {
  const [first] = layers;
  const { expr = '' } = first?.draw ?? {};
  const { axes: written, expressions } =
    first?.draw?.branch === undefined ? parseDraw(expr) : { axes: [], expressions: [] };
  const isProfile = first?.draw?.option === 'prof';
  const count = Math.max(1, expressions.length - (isProfile ? 1 : 0));
  const asked = wishesOf(given)
    .axes.slice(0, count)
    .map((axis, i): AxisRequest => ({ ...axis, ...defined(written[i]) }));
  if (asked.every(({ bins, range }) => bins !== undefined && range !== undefined))
    return asked.map(({ bins = 1, range: [low, high] = [0, 1] }) => ({ bins, low, high }));
  if (layers.some(({ isOwnTree, draw }) => draw !== undefined && !isOwnTree))
    throw new UsageError('Layers of several trees need bins and ends: give --hist, or --bins and --range.');
  const progress = progressLine(context);
  const draws = layers.flatMap(({ draw }) => (draw ? [{ ...draw, axes: asked }] : []));
  const outcomes = await base.open.reader.drawAll(
    base.open.info.id,
    { tree: base.tree, draws, sameAxes: true },
    { onProgress: progress.show },
  );
  await progress.wipe();
  for (const outcome of outcomes) if (outcome.kind === 'error') throw new XylemError(outcome.error);
  const [drawn] = outcomes;
  if (drawn?.kind !== 'histogram') throw unsupported('This is not a histogram.');
  return drawn.axes.map(({ bins, low, high }) => ({ bins, low, high }));
}

function defined<T extends object>(members: T | undefined): Partial<T> {
  const all = Object.entries(members ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as Partial<T>;
}
