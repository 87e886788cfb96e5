import { formatBytes, formatCount } from '../../../base/format';
import { type Column, column, type Report, type Unit, type Value } from '../../../report/report';
import { valueText } from '../../../report/rows';
import type { FleetReport } from './fleet';
import type { FleetFinding } from './simulate-fleet';

/** A quantity of a simulation. */
interface Figure {
  title: string;
  unit: Unit;
  value(report: FleetReport): Value;
}

const figure = (title: string, unit: Unit, value: Figure['value']): Figure => ({ title, unit, value });
/** Formats a time. The simulation counts in seconds. */
const time = (title: string, value: (report: FleetReport) => number): Figure =>
  figure(title, 'ms', (report) => 1000 * value(report));

/** Returns the report on the simulations of one model: a column for each, or with a sweep a row for each. */
export function fleetReport(found: readonly FleetFinding[], swept: string | undefined): Report {
  const table = swept === undefined ? besideEachOther(found) : belowEachOther(found, swept);
  return { title: 'Simulated jobs', tables: [{ id: 'jobs', ...table }] };
}

function besideEachOther(found: readonly FleetFinding[]) {
  const [first] = found;
  const columns: Column<Figure>[] = [
    column('figure', 'Figure', 'text', ({ title }) => title),
    ...found.map(({ report }) =>
      column<Figure>(report.access, report.access, 'number', ({ value }) => value(report), {
        text: ({ value, unit }) => valueText(value(report), unit),
      }),
    ),
  ];
  return { columns, rows: first === undefined ? [] : figuresOf(first.report) };
}

function figuresOf({ links, sites }: FleetReport): Figure[] {
  return [
    figure('Jobs', 'count', ({ jobs }) => jobs),
    time('Time to the last job', ({ seconds }) => seconds),
    figure('CPU efficiency', 'percent', ({ cpuEfficiency }) => cpuEfficiency),
    time('Time of a job, mean', ({ meanSeconds }) => meanSeconds),
    time('Time of a job, 95 %', ({ p95Seconds }) => p95Seconds),
    time('Wait for a slot, mean', ({ waitSeconds }) => waitSeconds),
    figure('Requests to the origin', 'count', ({ origin }) => origin.requests),
    figure('Bytes from the origin', 'bytes', ({ origin }) => origin.bytes),
    figure("Origin's disk", 'percent', ({ origin }) => origin.diskLoad),
    ...links.map(({ name }, i) =>
      figure(`Link ${name}`, 'text', ({ links }) => {
        const { bytes = 0, load = 0 } = links[i] ?? {};
        return `${formatBytes(bytes)}, ${valueText(load, 'percent')}`;
      }),
    ),
    ...sites.flatMap(({ name }, i) => [
      figure(`Site ${name}: jobs`, 'text', ({ sites }) => formatCount(sites[i]?.jobs ?? 0)),
      figure(`Site ${name}: CPU efficiency`, 'percent', ({ sites }) => sites[i]?.cpuEfficiency),
      figure(`Site ${name}: hits`, 'percent', ({ sites }) => sites[i]?.hitRate),
    ]),
  ];
}

function belowEachOther(rows: readonly FleetFinding[], swept: string) {
  const columns: Column<FleetFinding>[] = [
    column('value', swept, 'number', ({ value }) => String(value)),
    column('access', 'Access', 'text', ({ report }) => report.access),
    column('time', 'Time', 'ms', ({ report }) => 1000 * report.seconds),
    column('cpu', 'CPU efficiency', 'percent', ({ report }) => report.cpuEfficiency),
    column('bytes', 'From the origin', 'bytes', ({ report }) => report.origin.bytes),
    column('disk', "Origin's disk", 'percent', ({ report }) => report.origin.diskLoad),
  ];
  return { columns, rows };
}
