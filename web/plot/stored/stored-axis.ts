import type { PlainValue } from '../../api/api';
import { type TimeAxis, timeAxisOf } from '../drawing/time-axis';
import { type Range, uniformEdges } from '../model';
import { label, number, numbers, record } from './members';

const MAX_BINS = 4_000_000;
/** TAxis::kAxisRange: only the bins fFirst to fLast are shown (SetRange, SetRangeUser). */
const AXIS_RANGE = 1 << 11;

/** A stored TAxis. */
export interface Axis {
  bins: number;
  edges: Float64Array;
  title: string;
  labels: string[] | undefined;
  /** The visible bins, [from, to), and their range when these are not all. */
  shown: [from: number, to: number];
  range: Range | undefined;
  time: TimeAxis | undefined;
}

/** Undefined when the members do not form an axis. */
export function axis(value: PlainValue | undefined): Axis | undefined {
  const members = record(value);
  if (members === undefined) return undefined;
  const bins = number(members.fNbins);
  if (!Number.isInteger(bins) || bins < 1 || bins > MAX_BINS) return undefined;
  const variable = numbers(members.fXbins);
  const edges =
    variable !== undefined && variable.length === bins + 1
      ? variable
      : uniformEdges(bins, number(members.fXmin), number(members.fXmax));
  const first = edges[0] ?? Number.NaN;
  const last = edges[bins] ?? Number.NaN;
  if (!Number.isFinite(first) || !Number.isFinite(last) || first >= last) return undefined;
  const shown = shownBins(members, bins);
  const range: Range | undefined =
    shown[0] === 0 && shown[1] === bins ? undefined : [edges[shown[0]] ?? first, edges[shown[1]] ?? last];
  const labels = binLabels(members.fLabels, bins);
  return { bins, edges, title: label(members.fTitle), labels, shown, range, time: timeOf(members) };
}

/** How a stored axis shows times; undefined where it shows numbers. */
export function timeOf(axis: { [member: string]: PlainValue } | undefined): TimeAxis | undefined {
  return axis?.fTimeDisplay === true ? timeAxisOf(label(axis.fTimeFormat)) : undefined;
}

function shownBins(members: { [member: string]: PlainValue }, bins: number): [from: number, to: number] {
  const from = number(members.fFirst) - 1;
  const to = number(members.fLast);
  const said = (number(members.fBits) & AXIS_RANGE) !== 0 && from >= 0 && to > from && to <= bins;
  return said ? [from, to] : [0, bins];
}

/** Names of bins: the unique ID of a label in the list is its bin, the first being 1 (TAxis::SetBinLabel). */
function binLabels(list: PlainValue | undefined, bins: number): string[] | undefined {
  const items = record(list)?.arr;
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const labels = new Array<string>(bins).fill('');
  for (const item of items) {
    const members = record(item);
    const bin = number(members?.fUniqueID);
    if (bin >= 1 && bin <= bins) labels[bin - 1] = label(members?.fString);
  }
  return labels;
}
