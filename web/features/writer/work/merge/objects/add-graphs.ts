import { arrayOf, isArray, type Members, numberOf, unaddable } from '../../../../../bins/object-values';

/** TGraph::kResetHisto in fBits. The stored axes fit fewer points; ROOT makes new ones for the next drawing. */
const RESET_AXES = 1 << 17;
/**
 * Classes of graphs that are added (hadd does not add TGraph2D either), and their members with a value for each
 * point.
 */
const ERRORS = ['fEX', 'fEY'];
const SIDES = ['fEXlow', 'fEXhigh', 'fEYlow', 'fEYhigh'];
const GRAPHS = new Map<string, readonly string[]>([
  ['TGraph', ['fX', 'fY']],
  ['TGraphErrors', ['fX', 'fY', ...ERRORS]],
  ['TGraphAsymmErrors', ['fX', 'fY', ...SIDES]],
  ['TGraphBentErrors', ['fX', 'fY', ...SIDES, ...SIDES.map((side) => `${side}d`)]],
  ['TGraphPolar', ['fX', 'fY', ...ERRORS]],
  ['TGraphMultiErrors', ['fX', 'fY', 'fExL', 'fExH']],
]);
/** Members of a TGraphMultiErrors with several y errors for each point. */
const SEVERAL = ['fEyL', 'fEyH'];

export function isGraph(className: string): boolean {
  return GRAPHS.has(className);
}

/**
 * Appends the points of a graph to another of the same class, as TGraph::Merge does. Throws UNSUPPORTED, and does not
 * change the first, if a graph does not have as many values as points.
 */
export function addGraph(into: Members, other: Members): void {
  const members = GRAPHS.get(String(into._typename));
  if (members === undefined || other._typename !== into._typename)
    throw unaddable(`A ${String(other._typename)} cannot be added to a ${String(into._typename)}.`);
  const joined = members.map((member) => appended(pointsOf(into, member), pointsOf(other, member)));
  const several = into._typename === 'TGraphMultiErrors' ? SEVERAL : [];
  const lists = several.map((member) => joinErrors(into, other, member));
  for (const [i, member] of members.entries()) into[member] = joined[i] ?? new Float64Array(0);
  for (const [i, member] of several.entries()) into[member] = lists[i] ?? [];
  if (into.fHistogram) into.fBits = numberOf(into, 'fBits') | RESET_AXES;
  into.fNpoints = numberOf(into, 'fNpoints') + numberOf(other, 'fNpoints');
}

function joinErrors(into: Members, other: Members, member: string): Float64Array[] {
  const [own, more] = [into[member], other[member]];
  if (!Array.isArray(own) || !Array.isArray(more) || own.length !== more.length)
    throw unaddable('It has another number of errors of y.');
  return own.map((errors, i) =>
    appended(
      pointsOf({ ...into, [member]: errors }, member),
      pointsOf({ ...other, [member]: more[i] ?? null }, member),
    ),
  );
}

/** Appends values to others. The first ones are copied only if there is not enough space, which is then doubled. */
function appended(own: Float64Array, more: Float64Array): Float64Array {
  const length = own.length + more.length;
  const room = (own.buffer.byteLength - own.byteOffset) / Float64Array.BYTES_PER_ELEMENT;
  const joined =
    length <= room
      ? new Float64Array(own.buffer, own.byteOffset, length)
      : new Float64Array(Math.max(length, 2 * own.length)).subarray(0, length);
  if (joined.buffer !== own.buffer) joined.set(own);
  joined.set(more, own.length);
  return joined;
}

function pointsOf(graph: Members, member: string): Float64Array {
  const values = isArray(graph[member]) ? arrayOf(graph, member) : new Float64Array(0);
  const points = numberOf(graph, 'fNpoints');
  if (values.length !== points)
    throw unaddable(`${member} has ${values.length} values for ${points} points.`);
  return values instanceof Float64Array ? values : Float64Array.from(values, Number);
}
