import { CHECK_RULES, type CheckReport, type Finding } from '../../../api/check-report';
import { countFrom, countsFrom, type Json, listOf, recordOf, type Wrong } from '../../../measure/json';
import type { Kind } from '../../../measure/partial-kind';

/** A check has a single question: whether the whole file is valid. */
export type CheckQuery = { depth: 'whole' };

type Counts = CheckReport['counts'];

export interface CheckSum {
  files: number;
  bytes: number;
  counts: Counts;
  /** The reports of files with findings. */
  reports: CheckReport[];
}

const COUNTS = [
  ...(['keys', 'objects', 'classes', 'trees', 'branches', 'baskets'] as const),
  ...(['entries', 'basketBytes', 'orphanedBytes'] as const),
];

const hasError = ({ findings }: CheckReport): boolean =>
  findings.some(({ severity }) => severity === 'error');

/** Checks of whole files. */
export const checkKind: Kind<CheckQuery, CheckSum> = {
  member: 'check',
  words: 'command',
  found: ({ reports }) => reports.some(hasError),
  badFiles: ({ reports }) => reports.filter(hasError).map(({ name }) => name),
  title: () => 'check',
  empty: () => ({ files: 0, bytes: 0, counts: countsOf(() => 0), reports: [] }),
  add(sum, { files, bytes, counts, reports }) {
    sum.files += files;
    sum.bytes += bytes;
    sum.counts = countsOf((name) => sum.counts[name] + counts[name]);
    sum.reports.push(...reports);
  },
  async read(_, { reader, info }, options) {
    const report = await reader.check(info.id, options);
    const { size, counts, findings } = report;
    const reports = findings.length > 0 ? [report] : [];
    return { sum: { files: 1, bytes: size, counts, reports }, read: [0, counts.entries] };
  },
  json: (_, { files, bytes, counts, reports }) => ({
    files,
    bytes,
    counts: countsOf((name) => counts[name]),
    reports: [...reports].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
  }),
  queryFrom: ({ depth }) => (depth === 'whole' ? { depth } : undefined),
  sumFrom: (_, { counts, reports, ...json }, wrong) => ({
    ...countsFrom(json, ['files', 'bytes'], wrong),
    counts: countsFrom(recordOf(counts), COUNTS, wrong),
    reports: listOf(reports, (one) => reportFrom(one, wrong)) ?? wrong('its reports cannot be read'),
  }),
};

function countsOf(value: (name: keyof Counts) => number): Counts {
  return Object.fromEntries(COUNTS.map((name) => [name, value(name)])) as unknown as Counts;
}

function reportFrom({ name, size, counts, findings, more }: Json, wrong: Wrong): CheckReport | undefined {
  const list = listOf(findings, findingFrom);
  if (typeof name !== 'string' || !list) return undefined;
  return {
    name,
    size: countFrom(size, wrong),
    counts: countsFrom(recordOf(counts), COUNTS, wrong),
    findings: list,
    more: countFrom(more, wrong),
  };
}

function findingFrom(json: Json): Finding | undefined {
  const { rule, message, path, offset, length, code } = json;
  if (typeof rule !== 'string' || !Object.hasOwn(CHECK_RULES, rule) || typeof message !== 'string')
    return undefined;
  const name = rule as Finding['rule'];
  return {
    rule: name,
    severity: CHECK_RULES[name],
    message,
    ...(typeof path === 'string' && { path }),
    ...(typeof offset === 'number' && { offset }),
    ...(typeof length === 'number' && { length }),
    ...(typeof code === 'string' && { code: code as NonNullable<Finding['code']> }),
  };
}
