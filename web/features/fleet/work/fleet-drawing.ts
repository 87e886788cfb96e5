import type { GraphModel, Series } from '../../../plot/model';
import { panelWithRight } from '../../../plot/right-axis';
import type { FleetFinding } from './simulate-fleet';

/**
 * Returns the plot of a simulated fleet. With a sweep: the time to the last job, and the CPU efficiency, against the
 * swept number. Otherwise the running jobs, and the bytes sent by the origin, against time.
 */
export function fleetPlot(found: readonly FleetFinding[], swept?: string): GraphModel {
  const [title, xTitle, left, right] =
    swept === undefined
      ? ['Jobs at all sites', 'Time (s)', 'Running jobs', 'Bytes from the origin (TB)']
      : [`Jobs by ${swept}`, swept, 'Last job ended (s)', 'CPU efficiency (%)'];
  const ways = [...new Set(found.map(({ report }) => report.access))];
  const series = ways.flatMap((access, i): Series[] => {
    const own = found.filter(({ report }) => report.access === access);
    const points = own.flatMap(({ value, report }) =>
      value === undefined
        ? report.samples.map(({ seconds, running, originBytes }) => [seconds, running, originBytes / 1e12])
        : [[value, report.seconds, 100 * report.cpuEfficiency]],
    );
    const column = (k: number) => Float64Array.from(points, (point) => point[k] ?? 0);
    const shared = { ink: i === 0 ? 'network' : 'time', x: column(0), dots: false } as const;
    return [
      { ...shared, title: access, y: column(1) },
      { ...shared, title: `${access}, right axis`, y: column(2), dash: '5 3', onRight: true },
    ];
  });
  const [own, ...overlays] = series;
  return {
    kind: 'graph',
    ...(own ?? { x: new Float64Array(), y: new Float64Array() }),
    ...{ label: own?.title, title, xTitle, yTitle: left, stats: [], overlays },
    limits: { low: 0 },
    right: { title: right, ink: 'ink', panel: panelWithRight },
  };
}
