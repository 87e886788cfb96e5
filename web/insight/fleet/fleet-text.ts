import { formatBytes, formatCount, formatDuration } from '../../base/format';
import type { FleetReport } from './fleet';
import type { FleetFinding } from './simulate-fleet';

const seconds = (value: number) => formatDuration(value * 1000);
const percent = (value: number | undefined) => (value === undefined ? '' : `${(100 * value).toFixed(1)} %`);

/** Reports beside each other: the name of a figure, and its value in each. */
export function fleetRows(found: readonly FleetFinding[]): string[][] {
  const reports = found.map(({ report }) => report);
  const row = (name: string, of: (report: FleetReport) => string) => [name, ...reports.map(of)];
  const [first] = reports;
  return [
    row('Jobs', ({ jobs }) => formatCount(jobs)),
    row('Time to the last job', (report) => seconds(report.seconds)),
    row('CPU efficiency', ({ cpuEfficiency }) => percent(cpuEfficiency)),
    row('Time of a job, mean', ({ meanSeconds }) => seconds(meanSeconds)),
    row('Time of a job, 95 %', ({ p95Seconds }) => seconds(p95Seconds)),
    row('Wait for a slot, mean', ({ waitSeconds }) => seconds(waitSeconds)),
    row('Requests to the origin', ({ origin }) => formatCount(origin.requests)),
    row('Bytes from the origin', ({ origin }) => formatBytes(origin.bytes)),
    row("Origin's disk", ({ origin }) => percent(origin.diskLoad)),
    ...(first?.links ?? []).map(({ name }, i) =>
      row(`Link ${name}`, ({ links }) => {
        const { bytes = 0, load = 0 } = links[i] ?? {};
        return `${formatBytes(bytes)}, ${percent(load)}`;
      }),
    ),
    ...(first?.sites ?? []).flatMap(({ name }, i) => [
      row(`Site ${name}: jobs`, ({ sites }) => formatCount(sites[i]?.jobs ?? 0)),
      row(`Site ${name}: CPU efficiency`, ({ sites }) => percent(sites[i]?.cpuEfficiency)),
      row(`Site ${name}: hits`, ({ sites }) => percent(sites[i]?.hitRate)),
    ]),
  ];
}

/** Titles of the columns of `sweepRows`, behind that of the changed number. */
export const SWEEP_TITLES = ['Access', 'Time', 'CPU efficiency', 'From the origin', "Origin's disk"];

/** A row for each simulation of a sweep. */
export function sweepRows(found: readonly FleetFinding[]): string[][] {
  return found.map(({ value, report }) => [
    String(value),
    report.access,
    seconds(report.seconds),
    percent(report.cpuEfficiency),
    formatBytes(report.origin.bytes),
    percent(report.origin.diskLoad),
  ]);
}
