import { formatCount } from '../../../base/format';
import { ROOT_VERSION } from '../../../base/options';
import { type OfMembers, oneOf, TEXT } from '../../../base/shape';
import { countsFrom, membersOf } from '../../../measure/json';
import { entriesOf, type Kind, refuseUnreadable } from '../../../measure/partial-kind';

const QUERY = { columns: TEXT, cut: TEXT, by: oneOf('instance', 'entry'), rootVersion: ROOT_VERSION };
export type ScanQuery = OfMembers<typeof QUERY>;

export interface ScanSum {
  /** Number of requested entries. */
  entries: number;
  /** Number of entries with lines, and number of lines. */
  passed: number;
  lines: number;
}

/** Counts the lines of a scan. */
export const scanKind: Kind<ScanQuery, ScanSum> = {
  member: 'scan',
  words: 'columns and cut',
  title: ({ columns, cut }) => (cut === '' ? columns : `${columns} {${cut}}`),
  empty: () => ({ entries: 0, passed: 0, lines: 0 }),
  add(sum, { entries, passed, lines }) {
    sum.entries += entries;
    sum.passed += passed;
    sum.lines += lines;
  },
  async read(query, input, options) {
    const read = await entriesOf(input, options);
    const { reader, info, tree, entries } = input;
    const { counted, partial } = await reader.scan(
      info.id,
      { tree, ...query, entries, count: true },
      options,
    );
    refuseUnreadable(partial);
    const { rows = 0, entries: passed = 0 } = counted ?? {};
    return { sum: { entries: read[1] - read[0], passed, lines: rows }, read };
  },
  json: (_, { entries, passed, lines }) => ({ entries, passed, lines }),
  report: ({ lines, passed, entries }) => ({
    lines: [
      `${formatCount(lines)} lines of ${formatCount(passed)} entries, of ${formatCount(entries)} that were read`,
    ],
    json: { lines, passed, entries },
  }),
  queryFrom: (json) => membersOf(json, QUERY),
  sumFrom: (_, json, wrong) => countsFrom(json, ['entries', 'passed', 'lines'], wrong),
};
