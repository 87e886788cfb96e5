import { trimEndOf } from '../base/text';
import { type Colour, type Shape, TEXT_SIZE } from './drawing/drawing';
import type { PlotFrame } from './drawing/frame';
import { fittedName, titleWidth } from './drawing/latex';
import type { AnyPlot, StatLine } from './model';

/** The lines of ROOT's statistics box (TPaveStats with its default options), in its order. */
const LINES = [/^Entries$/, /^Mean( .)?$/, /^Std dev( .)?$/];

/** Formats a number as `%.4g` in C does, which ROOT uses for means. */
function shortNumber(value: number, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value < 0 ? '−inf' : 'inf';
  const rounded = value.toExponential(digits - 1);
  const exponent = Number(rounded.slice(rounded.indexOf('e') + 1));
  const plain = exponent >= -4 && exponent < digits;
  const [number = '', power] = (plain ? value.toFixed(digits - 1 - exponent) : rounded).split('e');
  const short = number.includes('.') ? trimEndOf(trimEndOf(number, '0'), '.') : number;
  const raised = power === undefined ? '' : `e${power[0]}${power.slice(1).padStart(2, '0')}`;
  return `${short}${raised}`.replaceAll('-', '−');
}

/** Returns the texts of ROOT's statistics box for the statistics of a histogram. */
export function rootStats(stats: readonly StatLine[]): [label: string, text: string][] {
  return LINES.flatMap((line) =>
    stats
      .filter(({ label }) => line.test(label))
      .map(({ label, value, number }): [string, string] => [
        label.replace('Std dev', 'Std Dev'),
        number === undefined
          ? value
          : label === 'Entries'
            ? // As "%-7d", and as "%14.7g" from ten million on.
              Number.isSafeInteger(number) && number < 1e7
              ? String(number)
              : shortNumber(number, 7)
            : shortNumber(number, 4),
      ]),
  );
}

const SIZE = 11;
const PITCH = 15;
const MARGIN = 8;
/** Maximum part of the width of the plot that a box may cover. */
const MAX_PART = 0.6;

/** Draws the statistics of a histogram, and of those over it, in boxes at the upper right corner of the plot, as far as they fit. */
export function statBoxes(model: AnyPlot, { box }: PlotFrame, inks: readonly Colour[]): Shape[] {
  if (model.kind === 'graph') return [];
  const { overlays = [] } = model;
  const several = overlays.length > 0;
  const all = [
    { title: (several ? model.label : model.name) ?? model.name ?? '', stats: model.stats },
    ...overlays.map(({ title, stats = [] }) => ({ title, stats })),
  ];
  const em = SIZE / TEXT_SIZE;
  const shapes: Shape[] = [];
  let top = box.top + MARGIN;
  all.forEach(({ title, stats }, i) => {
    const lines = rootStats(stats);
    if (lines.length === 0) return;
    const widest = Math.max(...lines.map(([label, text]) => titleWidth(label) + titleWidth(text) + 1.5));
    const wide = Math.ceil(1.08 * widest * TEXT_SIZE * em) + 16;
    const name = fittedName(title, (wide - 16) / SIZE / 1.08);
    const tall = (lines.length + (name === '' ? 0 : 1)) * PITCH + 6;
    if (wide > MAX_PART * (box.right - box.left) || top + tall > box.bottom - MARGIN) return;
    const right = box.right - MARGIN;
    const left = right - wide;
    const ink = several ? (inks[i] ?? 'ink') : 'ink';
    const shared = { kind: 'text', size: SIZE, fill: ink, latex: true } as const;
    shapes.push({
      ...{ kind: 'path', d: `M${left} ${top}H${right}v${tall}H${left}Z` },
      ...{ fill: 'paper', fillOpacity: 0.88, stroke: several ? ink : 'faint' },
    });
    let y = top + 13;
    if (name !== '') {
      shapes.push({ ...shared, x: (left + right) / 2, y, text: name, anchor: 'middle', bold: true });
      y += PITCH;
    }
    for (const [label, text] of lines) {
      shapes.push({ ...shared, x: left + 8, y, text: label });
      shapes.push({ ...shared, x: right - 8, y, text, anchor: 'end' });
      y += PITCH;
    }
    top += tall + 6;
  });
  return shapes;
}
