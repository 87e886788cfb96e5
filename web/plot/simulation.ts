import { formatBytes } from '../base/format';
import type { Outcome } from '../insight/simulate/simulate';
import { bottomAxis, linear, sideAxis } from './drawing/axes';
import { type Drawing, type Shape, short } from './drawing/drawing';
import { linearTicks, logTicks } from './drawing/ticks';

/** Cache size against read calls and time: ROOT's TTreeCache, compared with no cache and xylem. */
export function whatIfDrawing(
  outcomes: readonly Outcome[],
  title: string,
  width = 720,
  height = 340,
): Drawing {
  const box = { left: 76, right: width - 70, top: 46, bottom: height - 56 };
  const points = outcomes.flatMap((outcome) => {
    if (outcome.strategy.kind === 'none') return [{ mb: 0, outcome }];
    return outcome.strategy.kind === 'cache' ? [{ mb: outcome.strategy.bytes / 1e6, outcome }] : [];
  });
  const planned = outcomes.find(({ strategy }) => strategy.kind === 'xylem');
  const all = planned
    ? [...points.map(({ outcome }) => outcome), planned]
    : points.map(({ outcome }) => outcome);
  const mostMb = Math.max(10, ...points.map(({ mb }) => mb));
  const calls = all.map((outcome) => Math.max(1, outcome.calls));
  const lowCalls = 10 ** Math.floor(Math.log10(Math.min(...calls)));
  const highCalls = 10 ** Math.max(Math.ceil(Math.log10(Math.max(...calls))), Math.log10(lowCalls) + 1);
  const mostTime = Math.max(0.001, ...all.map(({ ms }) => ms / 1000)) * 1.08;
  const toX = linear(0, mostMb, box.left + 8, box.right - 8);
  const toCalls = linear(Math.log10(lowCalls), Math.log10(highCalls), box.bottom, box.top);
  const toTime = linear(0, mostTime, box.bottom, box.top);
  const line = (y: (outcome: Outcome) => number) =>
    points
      .map(({ mb, outcome }, i) => `${i === 0 ? 'M' : 'L'}${short(toX(mb))} ${short(y(outcome))}`)
      .join('');
  const callsY = (outcome: Outcome) => toCalls(Math.log10(Math.max(1, outcome.calls)));
  const timeY = (outcome: Outcome) => toTime(outcome.ms / 1000);
  const shapes: Shape[] = [
    ...bottomAxis(box, linearTicks(0, mostMb, 8), toX, 'TTreeCache (MB)'),
    ...sideAxis(
      box,
      'left',
      logTicks(lowCalls, highCalls, 5),
      (v) => toCalls(Math.log10(v)),
      'Read calls',
      'network',
    ),
    ...sideAxis(box, 'right', linearTicks(0, mostTime, 5), toTime, 'Time (s)', 'time'),
    { kind: 'path', d: line(callsY), stroke: 'network', width: 1.6 },
    {
      kind: 'dots',
      points: points.map(({ mb, outcome }) => [toX(mb), callsY(outcome)]),
      radius: 3,
      fill: 'network',
    },
    { kind: 'path', d: line(timeY), stroke: 'time', width: 1.6, dash: '5 3' },
    {
      kind: 'dots',
      points: points.map(({ mb, outcome }) => [toX(mb), timeY(outcome)]),
      radius: 3,
      fill: 'time',
    },
    { kind: 'text', x: box.left, y: 26, text: title, bold: true },
  ];
  if (planned) {
    const said = `xylem: ${planned.calls} calls, ${formatBytes(planned.bytes)}, ${(planned.ms / 1000).toPrecision(2)} s`;
    shapes.push(
      {
        kind: 'path',
        d: `M${box.left} ${short(callsY(planned))}H${box.right}`,
        stroke: 'network',
        dash: '2 4',
      },
      { kind: 'path', d: `M${box.left} ${short(timeY(planned))}H${box.right}`, stroke: 'time', dash: '2 4' },
      { kind: 'text', x: box.right, y: 26, text: said, anchor: 'end', fill: 'faint' },
    );
  }
  return { width, height, title, shapes };
}
