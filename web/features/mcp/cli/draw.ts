import type { Histogram, TreeInfo } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { argumentError, XylemError } from '../../../base/errors';
import { membersJson } from '../../../base/json';
import { either, flag, listOf, oneOf, optional, PAIR, type Shape, TEXT, whole } from '../../../base/shape';
import { edgesOf } from '../../../bins/bin-axes';
import { parseEntries } from '../../../cli/arguments';
import { callOf } from '../../../cli/calls';
import { drawStored } from '../../../cli/commands/draw-stored';
import type { OpenFile } from '../../../cli/context';
import { writePlot } from '../../../cli/terminal/picture';
import type { Drawn, DrawnHistogram } from '../../../library/drawn';
import type { DrawOptions } from '../../../library/tree-handle';
import { findKey } from '../../../model/keys';
import { modelOfHistogram } from '../../../plot/histogram';
import { branchesOfQuery } from '../../../query/compile/branches-of-query';
import { type ReadCost, readCost } from '../../../reads/read-cost';
import { CUT, ENTRIES, TREE } from '../../../verbs/params';
import { treeOf } from '../../../verbs/trees';
import { checkCost } from './cost';
import { ofFile } from './schema';
import {
  type Answer,
  type Call,
  checkAnswer,
  filesOf,
  type Input,
  type Picture,
  type Tool,
  textOf,
} from './tool';

/** A value, or one for each axis. */
const forAxes = <T>(item: Shape<T>) => either(item, listOf(item, 3, 1));
/** Characters of a bin in an answer: a digit and a comma. */
const MIN_CHARACTERS = 2;

export const draw: Tool = {
  name: 'draw',
  title: 'Draw a histogram',
  description:
    'Fills a histogram of an expression over the entries of a tree, with a cut, as TTree::Draw does ("y:x" has two axes, option "prof" gives a profile), or takes a stored histogram or graph by its path. Answers edges, counts and statistics, and a picture if one is asked for.',
  input: ofFile({
    tree: TREE,
    expression: optional(
      TEXT,
      'EXPR',
      'A branch or an expression, e.g. "Muon_pt" or "sqrt(px*px+py*py)". Or give object.',
    ),
    object: optional(TEXT, 'PATH', 'Path of a stored object instead of an expression.'),
    cut: CUT,
    bins: optional(
      forAxes(whole(1, 10_000)),
      'N',
      'Number of bins, or one for each axis, x first; default 100, or 40 by 40.',
    ),
    range: optional(
      forAxes(PAIR),
      'LOW:HIGH',
      'Ends of the axis [low, high], or one such pair for each axis; default: found from the values.',
    ),
    option: optional(
      TEXT,
      'OPTION',
      '"prof" for a profile of y in bins of x, "norm" for contents divided by their sum.',
    ),
    entries: ENTRIES,
    code: optional(
      TEXT,
      'TOOL',
      'Also a program that fills the same bins, for one file: uproot, rdataframe, ttree, library or command.',
    ),
    picture: optional(
      oneOf('svg', 'png'),
      'FORMAT',
      'Also a picture. PNG needs the package @resvg/resvg-js.',
    ),
    log: flag('A logarithmic vertical axis in the picture.'),
  }),
  async run(input, call) {
    const [expression, object] = [textOf(input.expression), textOf(input.object)];
    if ((expression === undefined) === (object === undefined))
      throw argumentError('Give either expression or object.');
    return await call.withFile(filesOf(input), (open) =>
      object === undefined
        ? drawTree(open, expression ?? '', input, call)
        : drawObject(open, object, input, call),
    );
  },
};

/**
 * Throws BUDGET for more bins than an answer has room for, before they are filled or written: millions would keep all other
 * calls waiting for minutes.
 */
function checkBins(bins: number, { limits }: Call): void {
  checkAnswer(bins * MIN_CHARACTERS, limits.answer);
}

async function drawTree(open: OpenFile, expr: string, input: Input, call: Call): Promise<Answer> {
  const tree = await open.tree(await treeOf(open, textOf(input.tree)));
  const { info } = tree;
  const cut = textOf(input.cut);
  const entries = parseEntries(textOf(input.entries) ?? ':', info.entries);
  const { bins, range, option } = input as Pick<DrawOptions, 'bins' | 'range' | 'option'>;
  checkBins(
    [bins ?? 0].flat().reduce((cells, count) => cells * count, 1),
    call,
  );
  const branches = branchesOfQuery(info, expr, cut);
  const what = branches.length === 1 ? `"${branches[0]?.path}"` : `${branches.length} branches`;
  const read = checkCost(await readCost(open, info, branches, entries), what, call.limits);
  const drawn = await tree.draw(expr, { cut, bins, range, option, entries, signal: call.signal });
  const code = await codeFor(textOf(input.code), drawn, { tree: info, expr, cut: cut ?? '' }, input);
  const text = membersJson({ tree: info.path, ...answerOf(drawn), code, read });
  if (input.picture === undefined) return { text };
  if (drawn.kind !== 'histogram') throw unsupported('Texts have no picture.', 'Leave picture out.');
  const model = modelOfHistogram(drawn);
  return {
    text,
    picture: await pictureOf(input, call, (given, context) => writePlot(model, given, context)),
  };
}

/** An object that is not a histogram, for example a graph or a canvas, has only a picture. */
/** Returns the program that a call asks for; undefined for none. */
async function codeFor(
  tool: string | undefined,
  drawn: Drawn,
  what: { tree: TreeInfo; expr: string; cut: string },
  input: Input,
): Promise<string | undefined> {
  if (tool === undefined) return undefined;
  const address = filesOf(input);
  if ((what.tree.fileStarts?.length ?? 1) > 1 || input.entries !== undefined)
    throw unsupported('Programs read all entries of one file.', 'Leave code out.');
  if (drawn.kind !== 'histogram') throw unsupported('Texts have no bins.', 'Leave code out.');
  const codeOf = await callOf('codeOf', 'writes no programs');
  return codeOf(tool, { address, ...what, histogram: drawn });
}

async function drawObject(open: OpenFile, path: string, input: Input, call: Call): Promise<Answer> {
  const read = objectCost(findKey(await open.keys(), path)?.storedBytes ?? 0);
  checkCost(read, `"${path}"`, call.limits);
  const text = await open
    .histogram(path)
    .then((drawn) => {
      if (drawn.kind === 'histogram') checkBins(drawn.counts.length, call);
      return membersJson({ path, ...answerOf(drawn), read });
    })
    .catch((thrown: unknown) => {
      if (input.picture === undefined || !(thrown instanceof XylemError) || thrown.code !== 'UNSUPPORTED')
        throw thrown;
      return JSON.stringify({ path, note: thrown.message, read });
    });
  if (input.picture === undefined) return { text };
  return {
    text,
    picture: await pictureOf(input, call, (given, context) => drawStored(open, path, given, context)),
  };
}

const objectCost = (bytes: number): ReadCost => ({ bytes, requests: bytes > 0 ? 1 : 0 });

async function pictureOf(
  input: Input,
  call: Call,
  draw: (
    given: { svg?: string; png?: string; log: boolean },
    context: Parameters<Parameters<Call['printed']>[0]>[0],
  ) => Promise<unknown>,
): Promise<Picture> {
  const svg = input.picture === 'svg';
  const given = { ...(svg ? { svg: '-' } : { png: '-' }), log: input.log === true };
  return {
    mimeType: svg ? 'image/svg+xml' : 'image/png',
    bytes: await call
      .printed((context) => draw(given, context))
      .catch((thrown: unknown) => {
        throw withOwnFix(thrown, svg);
      }),
  };
}

/** Returns the error of a picture with a remedy that names no options of a command line. */
function withOwnFix(thrown: unknown, svg: boolean): unknown {
  if (!(thrown instanceof XylemError) || thrown.code !== 'UNSUPPORTED') return thrown;
  const fix = svg
    ? 'Leave picture out.'
    : 'Give picture: "svg", which needs no package, or leave picture out.';
  return new XylemError({ ...thrown.toRecord(), fix, cause: thrown.cause });
}

/** Bins without under- and overflow, which have members of their own; x runs fastest. */
function answerOf(drawn: Drawn): object {
  if (drawn.kind === 'frequencies') {
    const { title, values, distinct, entries, top, partial } = drawn;
    return { kind: 'frequencies', title, values, distinct, entries, top, partial };
  }
  const { title, fills, entries, mean, stdDev, min, max, nan, valueTitle, partial } = drawn;
  return {
    kind: drawn.profile ? 'profile' : 'histogram',
    title,
    axes: drawn.axes.map(({ title, bins, low, high, labels }) => ({ title, bins, low, high, labels })),
    ...edgesByAxis(drawn),
    ...contentOf(drawn),
    ...outside(drawn),
    ...{ valueTitle, fills, entries, mean, stdDev, min, max, nan, partial },
  };
}

function edgesByAxis({ axes }: Histogram): object {
  const [x, y, z] = axes;
  return {
    ...(x && { edges: edgesOf(x) }),
    ...(y && { edgesY: edgesOf(y) }),
    ...(z && { edgesZ: edgesOf(z) }),
  };
}

/** Errors that are the roots of the counts are left out: they follow. */
function contentOf(drawn: DrawnHistogram): object {
  const bins = [...drawn];
  const errors = Float64Array.from(bins, ({ error = 0 }) => error);
  const { counts } = drawn;
  if (drawn.profile) {
    return { means: Float64Array.from(bins, ({ mean = Number.NaN }) => mean), errors, weights: counts };
  }
  const follow = counts.every(
    (count, i) => Math.abs((errors[i] ?? 0) ** 2 - count) <= 1e-9 * Math.abs(count),
  );
  return { counts, ...(!follow && { errors }) };
}

function outside({ axes, sums, profile }: Histogram): object {
  if (axes.length !== 1 || profile) return {};
  return { underflow: sums[0], overflow: sums.at(-1) };
}
