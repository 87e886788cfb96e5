import { formatNumber } from '../../base/format';
import { readableLatex } from '../../plot/drawing/latex';
import { cellsOf, contentRange } from '../../plot/map-cells';
import type { MapModel } from '../../plot/model';
import { statLines } from './terminal-plot';

const shades = [' ', '·', '░', '▒', '▓', '█'];
const LABEL_WIDTH = 9;
const MAX_LINES = 24;

/** A two-dimensional histogram as shades of grey, y upwards, with its axes and statistics. */
export function terminalHeat(model: MapModel, width: number, log: boolean): string[] {
  const room = Math.max(40, width) - LABEL_WIDTH - 2;
  const cells = cellsOf(model, room, MAX_LINES);
  const nx = cells.xEdges.length - 1;
  const rows = Array.from({ length: cells.yEdges.length - 1 }, (_, row) => [
    ...cells.values.subarray(row * nx, (row + 1) * nx),
  ]);
  const across = Math.max(1, Math.floor(room / nx));
  const [low, most] = contentRange(cells.values, log);
  const high = model.limits?.high ?? most;
  const shade = (value: number): string => {
    if (!(value > 0)) return shades[0] as string;
    const share = log ? Math.log(value / low) / Math.log(high / low || 1) : value / high;
    return shades[Math.min(shades.length - 1, 1 + Math.floor(share * (shades.length - 1)))] as string;
  };
  const [xLabels, yLabels] = [model.xLabels, model.yLabels].map((labels) => labels?.map(readableLatex));
  const yLow = clipped(yLabels?.[0] ?? formatNumber(model.yEdges[0] ?? 0, 5));
  const yHigh = clipped(yLabels?.at(-1) ?? formatNumber(model.yEdges.at(-1) ?? 1, 5));
  const lines = [model.title];
  rows.reverse().forEach((row, i) => {
    const own = yLabels && rows.length === yLabels.length ? yLabels[rows.length - 1 - i] : undefined;
    const text = clipped(own ?? (i === 0 ? yHigh : i === rows.length - 1 ? yLow : ''));
    lines.push(
      `${text.padStart(LABEL_WIDTH)} │${row.map((value) => shade(value).repeat(across)).join('')}`.trimEnd(),
    );
  });
  lines.push(`${' '.repeat(LABEL_WIDTH + 1)}└${'─'.repeat(nx * across)}`);
  if (xLabels?.length === nx) lines.push(`${' '.repeat(LABEL_WIDTH + 2)}${labelsLine(xLabels, across)}`);
  else lines.push(`${' '.repeat(LABEL_WIDTH + 2)}${endsLine(model, nx * across, xLabels)}`);
  lines.push(`${' '.repeat(LABEL_WIDTH + 2)}x: ${model.xTitle}   y: ${model.yTitle}`);
  return [...lines, ...statLines(model, Math.max(40, width))];
}

/** Names of columns, each below the middle of its own. One that has no room is cut, and one without any is left out. */
function labelsLine(labels: readonly string[], across: number): string {
  let line = '';
  for (const [i, label] of labels.entries()) {
    const begin = Math.max(line === '' ? 0 : line.length + 1, i * across);
    const room = (i + 1) * across - begin;
    const text =
      [...label].length <= room ? label : room < 3 ? '' : `${[...label].slice(0, room - 1).join('')}…`;
    if (text === '') continue;
    const at = Math.max(begin, Math.floor((i + 0.5) * across - [...text].length / 2));
    line = line.padEnd(at) + text;
  }
  return line;
}

/** The ends of an axis: its numbers, or the names of its first and last bin. */
function endsLine(model: MapModel, wide: number, labels: readonly string[] | undefined): string {
  const left = labels?.[0] ?? formatNumber(model.xEdges[0] ?? 0, 6);
  const right = labels?.at(-1) ?? formatNumber(model.xEdges.at(-1) ?? 1, 6);
  return `${left}${right.padStart(Math.max(1, wide - left.length))}`;
}

function clipped(text: string): string {
  const characters = [...text];
  return characters.length <= LABEL_WIDTH ? text : `${characters.slice(0, LABEL_WIDTH - 1).join('')}…`;
}
