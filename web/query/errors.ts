import { type ErrorCode, XylemError } from '../base/errors';

/** Where in an expression something stands: characters from its beginning. */
export interface Place {
  at: number;
  end: number;
}

/** An error of an expression's text; `where.offset` and `where.length` are characters of it. */
export function expressionError(
  text: string,
  place: Place,
  message: string,
  fix?: string,
  code: ErrorCode = 'ARGUMENT',
  instead: string[] = [],
): XylemError {
  const at = Math.min(place.at, text.length);
  const length = Math.max(1, place.end - place.at);
  return new XylemError({
    code,
    message,
    where: { expression: text, offset: at, length, ...(instead.length > 0 && { instead }) },
    fix,
  });
}

/** The text and a line below it that marks the place, for a terminal. */
export function markedText(text: string, at: number, length: number): string[] {
  const flat = text.replace(/\s/g, ' ');
  const mark = `${' '.repeat([...flat.slice(0, at)].length)}${'^'.repeat(Math.max(1, Math.min(length, flat.length - at)))}`;
  return [flat, mark];
}

/** The names nearest to a wrong one: few changes, small letters counting as large ones. At most 3, equally near. */
export function nearest(name: string, names: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
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

/** Levenshtein's distance, with neighbours swapped as one change; more than `most` is not told apart. */
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

/** "Did you mean …?", where there is something to propose. */
export function didYouMean(name: string, names: Iterable<string>): string | undefined {
  return meaning(nearest(name, names));
}

/** The same of names that were found before. */
export function meaning(found: readonly string[]): string | undefined {
  return found.length > 0 ? `Did you mean ${found.map((one) => `"${one}"`).join(' or ')}?` : undefined;
}
