import type { AxisRequest, DrawnTogether, DrawOutcome } from '../api/api';
import { unsupported } from '../base/data-errors';
import { argumentError, fromRecord, type XylemError } from '../base/errors';
import { type Drawn, drawn } from './drawn';
import { DRAW, DRAW_CHOICE, DRAW_LIST } from './options';
import type { DrawChoice, DrawListOptions, DrawOptions, DrawShape, TreePlace } from './tree-handle';

/** At most three axes have bins. */
const MAX_AXES = 3;

export async function drawOne(place: TreePlace, expr: string, options: DrawOptions = {}): Promise<Drawn> {
  const { reader, file, tree, friends, check } = place;
  check('draw', options, DRAW);
  const { cut, bins, range, axis, option, entries, rootVersion, seed, ...call } = options;
  const wish = wishOf(place, { expr, cut, bins, range, axis, option });
  return drawnOf(await reader.draw(file, { tree, friends, entries, rootVersion, seed, ...wish }, call));
}

/** Draws a list together. Throws the error of the first that is mistaken. */
export async function drawList(
  place: TreePlace,
  list: readonly DrawChoice[],
  options: DrawListOptions = {},
): Promise<Drawn[]> {
  const { reader, file, tree, friends, check } = place;
  check('draw', options, DRAW_LIST);
  if (!Array.isArray(list)) throw argument('draw takes an expression, or a list of them.');
  for (const choice of list) {
    check('each drawing', choice, DRAW_CHOICE);
    if (choice?.expr === undefined) throw argument('A drawing of the list has no expression.');
  }
  const { entries, rootVersion, seed, sameAxes, ...call } = options;
  const draws = list.map((choice) => wishOf(place, choice));
  const request = { tree, friends, entries, rootVersion, seed, draws, sameAxes };
  const outcomes = await reader.drawAll(file, request, call);
  return outcomes.map(drawnOf);
}

function argument(message: string): XylemError {
  return argumentError(message, 'Write draw([{ expr: "pt", cut: "n > 1" }, { expr: "eta" }]).');
}

function wishOf({ info }: TreePlace, choice: DrawChoice): DrawnTogether {
  const { expr, cut, bins, range, axis, option } = choice;
  if (expr.includes(':') && info.branches.some(({ path }) => path === expr)) throw colonInPath(expr);
  return { expr, cut, option, axes: axesOf(bins, range, axis) };
}

function drawnOf(result: DrawOutcome): Drawn {
  if (result.kind === 'error') throw fromRecord(result.error);
  if (result.kind !== 'entries') return drawn(result);
  throw argumentError(
    'This lists entries, which is not a drawing.',
    'Call entryNumbers(cut) for the numbers of the entries that pass.',
  );
}

/** Fields of base classes of an RNTuple have colons in their paths, which separate expressions. */
function colonInPath(path: string): XylemError {
  return unsupported(
    `The path "${path}" has a colon, so that it cannot be an expression.`,
    `Read it with arrays(['${path}']).`,
    { path },
  );
}

/** Bins and ranges by axis, x first. */
function axesOf(bins: DrawShape['bins'], range: DrawShape['range'], rule: DrawShape['axis']): AxisRequest[] {
  const counts = typeof bins === 'object' ? bins : [bins];
  const isPair = (value: DrawShape['range']): value is readonly [number, number] =>
    value?.length === 2 && typeof value[0] === 'number';
  const ranges =
    range === undefined || isPair(range)
      ? [range]
      : (range as readonly (readonly [number, number] | undefined)[]);
  return Array.from({ length: MAX_AXES }, (_, i) => {
    const [low, high] = ranges[i] ?? [];
    return {
      bins: counts[i],
      range: low === undefined || high === undefined ? undefined : [low, high],
      rule,
    };
  });
}
