import { formatBytes } from '../../../base/format';
import type { GraphModel, Series } from '../../../plot/model';
import { panelWithRight } from '../../../plot/right-axis';
import type { Outcome } from './simulate';

/**
 * Plots read calls and, on the right axis, time against cache size: ROOT's TTreeCache, compared with no cache and
 * xylem.
 */
export function whatIfPlot(outcomes: readonly Outcome[], title: string): GraphModel {
  const points = outcomes.flatMap((outcome) => {
    if (outcome.strategy.kind === 'none') return [{ mb: 0, outcome }];
    return outcome.strategy.kind === 'cache' ? [{ mb: outcome.strategy.bytes / 1e6, outcome }] : [];
  });
  const planned = outcomes.find(({ strategy }) => strategy.kind === 'xylem');
  const mostMb = Math.max(10, ...points.map(({ mb }) => mb));
  const x = Float64Array.from(points, ({ mb }) => mb);
  const calls: Series = {
    ...{ title: 'read calls', ink: 'network', x },
    y: Float64Array.from(points, ({ outcome }) => Math.max(1, outcome.calls)),
  };
  const time: Series = {
    ...{ title: 'time', ink: 'time', x, dash: '5 3', onRight: true },
    y: Float64Array.from(points, ({ outcome }) => outcome.ms / 1000),
  };
  const level = (y: number, more: Pick<Series, 'title' | 'ink' | 'onRight'>): Series => ({
    ...{ ...more, dots: false, dash: '2 4' },
    x: Float64Array.of(0, mostMb),
    y: Float64Array.of(y, y),
  });
  const seconds = (planned?.ms ?? 0) / 1000;
  const levels = planned && [
    level(Math.max(1, planned.calls), {
      title: `xylem: ${planned.calls} ${planned.calls === 1 ? 'call' : 'calls'}, ${formatBytes(planned.bytes)}`,
      ink: 'network',
    }),
    level(seconds, { title: `xylem: ${seconds.toPrecision(2)} s`, ink: 'time', onRight: true }),
  ];
  return {
    kind: 'graph',
    ...calls,
    label: calls.title,
    title,
    xTitle: 'TTreeCache (MB)',
    yTitle: 'Read calls',
    stats: [],
    overlays: [time, ...(levels ?? [])],
    right: { title: 'Time (s)', ink: 'time', panel: panelWithRight },
  };
}
