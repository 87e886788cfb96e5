import { XylemError } from './errors';
import { shortened } from './text';

/** Maximum number of characters of a name in a message. */
const MAX_LENGTH = 200;

/** Returns a NOT_FOUND error with similar names that exist. */
export function notFound(what: string, name: string, there: readonly string[]): XylemError {
  const like = similar(name, there);
  return new XylemError({
    code: 'NOT_FOUND',
    message: `There is no ${what} "${shortened(name, MAX_LENGTH)}".`,
    where: { path: name },
    fix: didYouMean(like.length > 0 || there.length > 8 ? like : [...new Set(there)].slice(0, 5)),
  });
}

/** Returns "Did you mean …?", or undefined if there are no names. For the command line, `quote` is empty. */
export function didYouMean(names: readonly string[], quote = '"'): string | undefined {
  if (names.length === 0) return undefined;
  return `Did you mean ${names.map((name) => quote + shortened(name, MAX_LENGTH) + quote).join(' or ')}?`;
}

/**
 * Returns up to 5 names that contain the text. If there are none, returns the nearest names; if there are no near names
 * either, names with the same first three letters.
 */
export function similar(name: string, there: readonly string[]): string[] {
  const low = name.toLowerCase();
  let found = there.filter((one) => one.toLowerCase().includes(low));
  if (found.length === 0) found = nearest(name, there);
  if (found.length === 0) found = there.filter((one) => one.toLowerCase().startsWith(low.slice(0, 3)));
  return [...new Set(found)].slice(0, 5);
}

/** Returns up to 3 names that differ least from a wrong one, all with the same number of changes. Case is ignored. */
export function nearest(name: string, names: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  // A name of one letter would be similar to any other.
  const most = wanted.length === 1 ? 0 : Math.max(1, Math.floor(wanted.length / 3));
  const found: { name: string; distance: number }[] = [];
  for (const other of new Set(names)) {
    const low = other.toLowerCase();
    const distance = Math.abs(low.length - wanted.length) > most ? most + 1 : changes(wanted, low, most);
    if (distance <= most) found.push({ name: other, distance });
    else if (wanted.length > 2 && low.includes(wanted)) found.push({ name: other, distance: most + 1 });
  }
  found.sort((a, b) => a.distance - b.distance || a.name.length - b.name.length);
  const best = found[0]?.distance ?? 0;
  return found
    .filter((one) => one.distance === best)
    .slice(0, 3)
    .map((one) => one.name);
}

/**
 * Returns the Levenshtein distance, in which swapping two neighbours counts as one change. It is exact only up to
 * `most`.
 */
function changes(a: string, b: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
