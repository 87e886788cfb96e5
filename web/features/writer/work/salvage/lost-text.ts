import type { Lost } from '../../../../api/write';
import { formatCount } from '../../../../base/format';

/** Maximum number of entry ranges or branches listed in one line. */
const MAX_NAMED = 10;

/** Formats a loss as a line: "t;1: 25 of 100 entries are left out, … Entries 0:25. Branches x." */
export function lostText({ path, why, entries, branches }: Lost): string {
  const list = (texts: readonly string[]): string => {
    const more = texts.length > MAX_NAMED ? `, and ${formatCount(texts.length - MAX_NAMED)} more` : '';
    return texts.slice(0, MAX_NAMED).join(', ') + more;
  };
  return [
    path === '' ? why : `${path}: ${why}`,
    ...(entries ? [`Entries ${list(entries.map(([from, to]) => `${from}:${to}`))}.`] : []),
    ...(branches ? [`Branches ${list(branches)}.`] : []),
  ].join(' ');
}
