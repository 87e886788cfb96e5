import type { BranchSummary, PartialNote } from '../../api/api';
import { formatCount, formatNumber } from '../../base/format';
import { floatText } from '../../export/canonical';
import { right, tableLines } from './table';

/** The shown figures of a branch. */
interface ShownBranch extends Omit<BranchSummary, 'branch' | 'exact'> {
  path: string;
  type: string;
  /** Whether the values are texts. */
  texts: boolean;
}

/** Summaries as lines of text, or of JSON. */
export function summaryLines(
  branches: readonly ShownBranch[],
  asJson: boolean,
  partial?: PartialNote,
): string[] {
  if (!asJson) return tableLines(columns, branches.map(cells));
  const note = partial ? `, "partial": ${JSON.stringify(partial)}` : '';
  return [`{"branches": [\n${branches.map(json).join(',\n')}\n]${note}}`];
}

const columns = [
  'Branch',
  ...['Values', 'Minimum', 'Maximum', 'Mean', 'Std dev', 'NaN', 'Zero', 'Distinct'].map(right),
  'Note',
];

function cells({ path, texts, missing, error, details, ...one }: ShownBranch): string[] {
  if (error && !details && one.values === 0)
    return [path, ...Array(8).fill(''), `${error.message} [${error.code}]`];
  const number = (value: number): string => (texts ? '' : formatNumber(value));
  const about = details ? `${details.distinctExact ? '' : '~'}${formatCount(details.distinct)}` : '';
  return [
    path,
    formatCount(one.values + one.nans),
    number(one.min),
    number(one.max),
    number(one.mean),
    number(one.stdDev),
    texts ? '' : formatCount(one.nans),
    details ? formatCount(details.zeros) : '',
    about,
    [
      ...(error ? [`partial: ${error.message} [${error.code}]`] : []),
      ...(missing ? [missing.message.replace(/\.$/, '')] : []),
      ...(details?.constant ? ['constant'] : []),
      ...(details?.duplicateOf === undefined ? [] : [`same as ${details.duplicateOf}`]),
    ].join(', '),
  ];
}

function json({ path, type, texts, missing, error, details, ...figures }: ShownBranch): string {
  const counts: Partial<typeof figures> = { entries: figures.entries, values: figures.values };
  const members = {
    path,
    type,
    ...(texts ? counts : figures),
    ...details,
    missing: missing?.message,
    error: error?.message,
  };
  const list = Object.entries(members).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [`"${name}": ${typeof value === 'number' ? floatText(value) : JSON.stringify(value)}`];
  });
  return `{${list.join(', ')}}`;
}
