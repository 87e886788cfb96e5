import { type Ink, type Shape, short } from './drawing';
import type { Ticks } from './ticks';

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export type Scale = (value: number) => number;

/** A linear scale from [low, high] to pixels. */
export function linear(low: number, high: number, from: number, to: number): Scale {
  const span = high > low ? high - low : 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

/** The x axis below a box: grid, ticks, labels and title. */
export function bottomAxis(box: Box, ticks: Ticks, toX: Scale, title: string): Shape[] {
  let grid = '';
  const labels: Shape[] = [];
  ticks.values.forEach((value, i) => {
    const label = ticks.labels[i] ?? '';
    if (label === '') return;
    grid += `M${short(toX(value))} ${box.top}V${box.bottom}`;
    labels.push({
      kind: 'text',
      x: toX(value),
      y: box.bottom + 17,
      text: label,
      anchor: 'middle',
      fill: 'faint',
    });
  });
  return [
    { kind: 'path', d: grid, stroke: 'grid' },
    { kind: 'path', d: `M${box.left} ${box.bottom}H${box.right}`, stroke: 'ink' },
    ...labels,
    { kind: 'text', x: box.right, y: box.bottom + 35, text: title, anchor: 'end' },
  ];
}

/** A y axis at the left, with grid, or at the right. */
export function sideAxis(
  box: Box,
  side: 'left' | 'right',
  ticks: Ticks,
  toY: Scale,
  title: string,
  ink: Ink,
): Shape[] {
  const left = side === 'left';
  const x = left ? box.left : box.right;
  let grid = '';
  const labels: Shape[] = [];
  ticks.values.forEach((value, i) => {
    const label = ticks.labels[i] ?? '';
    if (label === '') return;
    if (left) grid += `M${box.left} ${short(toY(value))}H${box.right}`;
    labels.push({
      kind: 'text',
      x: left ? x - 7 : x + 7,
      y: toY(value) + 4,
      text: label,
      anchor: left ? 'end' : 'start',
      fill: left ? 'faint' : ink,
    });
  });
  return [
    { kind: 'path', d: grid, stroke: 'grid' },
    { kind: 'path', d: `M${x} ${box.top}V${box.bottom}`, stroke: ink },
    ...labels,
    {
      kind: 'text',
      x: left ? Math.max(16, box.left - 48) : box.right + 52,
      y: box.top,
      text: title,
      anchor: 'end',
      turn: true,
      fill: ink,
    },
  ];
}
