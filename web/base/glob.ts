/** One element of a pattern: a character, ONE for any character, MANY for any characters, or a set. */
type Part = string | typeof ONE | typeof MANY | { has: (character: string) => boolean };
const ONE = 1;
const MANY = 2;

/**
 * Returns a function that matches names against a pattern: * matches any characters and ? one character. With `sets`,
 * [abc], [a-z] and [!abc] match one character. Creating it takes time proportional to the pattern. A match takes at
 * most time proportional to the product of both lengths, whatever the number of stars.
 */
export function globMatcher(pattern: string, sets = false): (name: string) => boolean {
  const parts = partsOf([...pattern], sets);
  if (parts.every((part) => typeof part === 'string')) return (name) => name === pattern;
  return (name) => isLike(parts, [...name]);
}

/**
 * Returns a function that matches paths against a pattern: * matches any characters within a name, ? one, [abc] one of
 * these, and ** any number of names, including none.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const wanted = pattern.split('/').filter((name, i, all) => name !== '**' || all[i - 1] !== '**');
  const like = wanted.map((name) => (name === '**' ? undefined : globMatcher(name, true)));
  return (path) => {
    // Positions in the pattern that can be reached after the names so far.
    let reached = closure(new Set([0]), like);
    for (const name of path.split('/')) {
      const next = new Set<number>();
      for (const at of reached) {
        const fits = like[at];
        if (at < like.length && fits === undefined) next.add(at);
        else if (fits?.(name)) next.add(at + 1);
      }
      reached = closure(next, like);
    }
    return reached.has(like.length);
  };
}

/** Adds the positions after each ** that was reached, because ** also matches no name. */
function closure(reached: Set<number>, like: readonly unknown[]): Set<number> {
  for (const at of reached) if (at < like.length && like[at] === undefined) reached.add(at + 1);
  return reached;
}

/** Whether a text contains pattern characters. */
export function isGlob(text: string, sets = false): boolean {
  return (sets ? /[*?[]/ : /[*?]/).test(text);
}

/**
 * Matches with backtracking: if the rest does not match, the last star takes one more character, and the rest is tried
 * again.
 */
function isLike(parts: readonly Part[], name: readonly string[]): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let restart = 0;
  while (at < name.length) {
    const wanted = parts[part];
    if (wanted === MANY) {
      star = part++;
      restart = at;
    } else if (wanted !== undefined && fits(wanted, name[at] ?? '')) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++restart;
    } else return false;
  }
  while (parts[part] === MANY) part++;
  return part === parts.length;
}

function fits(part: Part, character: string): boolean {
  if (typeof part === 'string') return part === character;
  return typeof part === 'object' ? part.has(character) : true;
}

function partsOf(pattern: readonly string[], sets: boolean): Part[] {
  const parts: Part[] = [];
  // Position of the next closing bracket. Searches start at increasing positions, so the whole search is linear.
  let close = 0;
  const closingFrom = (from: number): number => {
    close = Math.max(close, from);
    while (close < pattern.length && pattern[close] !== ']') close++;
    return close < pattern.length ? close : -1;
  };
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] ?? '';
    const end = sets && character === '[' ? closingFrom(i + (pattern[i + 1] === '!' ? 3 : 2)) : -1;
    if (end > 0) {
      parts.push({ has: setOf(pattern.slice(i + 1, end)) });
      i = end;
    } else if (character === '*') {
      if (parts.at(-1) !== MANY) parts.push(MANY);
    } else parts.push(character === '?' ? ONE : character);
  }
  return parts;
}

/** Parses the text between brackets: characters, ranges a-z; "!" before them means all others. */
function setOf(inside: readonly string[]): (character: string) => boolean {
  const others = inside[0] === '!';
  const single = new Set<string>();
  const ranges: [number, number][] = [];
  for (let i = others ? 1 : 0; i < inside.length; i++) {
    const [from = '', dash, to] = inside.slice(i, i + 3);
    if (dash === '-' && to !== undefined) {
      ranges.push([from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0]);
      i += 2;
    } else single.add(from);
  }
  return (character) => {
    const code = character.codePointAt(0) ?? 0;
    const found = single.has(character) || ranges.some(([a, b]) => code >= a && code <= b);
    return found !== others;
  };
}
