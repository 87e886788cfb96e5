/** Maximum number of members that are shown, their depth, and number of characters. */
const [MEMBERS, DEPTH, CHARACTERS] = [5000, 100, 10_000];

/**
 * Returns the beginning of a value as JSON. A selector made the value: it may contain the same part many times, which
 * JSON would repeat, and lists with more places than values.
 */
export function ownText(value: unknown): string {
  let left = MEMBERS;
  /** Cache of the first names of each part. */
  const names = new Map<object, string[]>();
  const begin = (one: unknown, depth: number): unknown => {
    left--;
    if (typeof one === 'bigint') return String(one);
    if (typeof one !== 'object' || one === null) return one;
    const members: [string, unknown][] = [];
    const first = names.get(one) ?? namesOf(one);
    names.set(one, first);
    for (const name of first) {
      if (left <= 0 || depth >= DEPTH) break;
      members.push([name, begin((one as Record<string, unknown>)[name], depth + 1)]);
    }
    return Array.isArray(one) ? members.map(([, member]) => member) : Object.fromEntries(members);
  };
  try {
    return String(JSON.stringify(begin(value, 0), undefined, 1)).slice(0, CHARACTERS);
  } catch {
    return 'This cannot be shown.';
  }
}

function namesOf(one: object): string[] {
  const isList = Array.isArray(one) || ArrayBuffer.isView(one);
  return Object.keys(isList ? Array.prototype.slice.call(one, 0, MEMBERS) : one);
}
