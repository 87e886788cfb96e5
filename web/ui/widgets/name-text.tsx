/** Minimum number of characters of a name that is cut. */
const MIN_CUT = 8;
/**
 * Number of characters at the end of a name that are always shown, because similar names differ there. At most two
 * fifths of a name.
 */
const MAX_END = 11;

/**
 * Returns the position at which a name that is too long is cut; its length if it is not cut. The first `shared`
 * characters are hidden.
 */
export function cutOf(name: string, shared = 0): number {
  const shown = name.length - shared;
  return shown < MIN_CUT ? name.length : name.length - Math.min(MAX_END, Math.ceil(shown * 0.4));
}

interface NameTextProps {
  name: string;
  /** Number of characters at the beginning that the row above already shows. */
  shared?: number;
  /** Searched words, in lower case. */
  words?: readonly string[];
  title?: string | undefined;
}

/**
 * A name in one line, cut in its middle if it is too long, because members of one branch begin with the same text.
 * The part that the row above shows is hidden visually. Searched words are marked.
 */
export function NameText({ name, shared = 0, words = [], title }: NameTextProps): JSX.Element {
  const marks = markedParts(name, words);
  const cut = cutOf(name, shared);
  return (
    // Assistive tools would read a space between the two parts.
    <span
      class="label name-text"
      title={title}
      {...(cut < name.length && { role: 'img', 'aria-label': name })}
    >
      {shared > 0 && <span class="hidden">{name.slice(0, shared)}</span>}
      <span class="name-start">{pieces(name, shared, cut, marks)}</span>
      {cut < name.length && <span class="name-end">{pieces(name, cut, name.length, marks)}</span>}
    </span>
  );
}

/** A text in which the searched words, in lower case, are marked. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }): JSX.Element {
  return <>{pieces(text, 0, text.length, markedParts(text, words))}</>;
}

type Part = readonly [from: number, to: number];

/** Returns the parts of a name that match one of the words, in order and without overlaps. */
export function markedParts(name: string, words: readonly string[]): Part[] {
  const lower = name.toLowerCase();
  // Some letters change their length in lower case, so positions would be uncertain.
  if (lower.length !== name.length) return [];
  const found: Part[] = [];
  for (const word of words) {
    for (let at = lower.indexOf(word); word !== '' && at >= 0; at = lower.indexOf(word, at + word.length))
      found.push([at, at + word.length]);
  }
  found.sort(([a], [b]) => a - b);
  const apart: Part[] = [];
  for (const [from, to] of found) {
    const before = apart.at(-1);
    if (before === undefined || from > before[1]) apart.push([from, to]);
    else apart[apart.length - 1] = [before[0], Math.max(before[1], to)];
  }
  return apart;
}

function pieces(name: string, from: number, to: number, marks: readonly Part[]): (string | JSX.Element)[] {
  const made: (string | JSX.Element)[] = [];
  let at = from;
  for (const [begin, end] of marks) {
    const [low, high] = [Math.max(begin, from), Math.min(end, to)];
    if (low >= high) continue;
    if (low > at) made.push(name.slice(at, low));
    made.push(<mark key={low}>{name.slice(low, high)}</mark>);
    at = high;
  }
  if (at < to) made.push(name.slice(at, to));
  return made;
}

/**
 * Returns the length of the parent's name at the beginning of a name, including the dot after it; 0 if the name
 * begins differently.
 */
export function sharedLength(holder: string, name: string): number {
  const start = `${holder.replace(/\.$/, '')}.`;
  return name.length > start.length && name.startsWith(start) ? start.length : 0;
}

/** Splits a path into its last member and its parent. */
export function memberOf(path: string): { member: string; holder: string } {
  const parts = path.split('/');
  const last = parts.pop() ?? '';
  return { member: last.slice(sharedLength(parts.at(-1) ?? '', last)), holder: parts.join('/') };
}

/** Maximum number of characters of a name beside a bar. */
const MAX_CHARACTERS = 56;

/**
 * Shortens a path for a narrow place. Paths of split branches repeat names: of "jets./jets.obj/jets.obj.pt" only the
 * last part is needed. A longer name is cut in its middle, because its ends distinguish it from similar names.
 */
export function shortPath(path: string, most = MAX_CHARACTERS): string {
  const parts = path.split('/');
  const kept = parts.filter((part, i) => !(parts[i + 1] ?? '').startsWith(part.replace(/\.$/, '')));
  const name = kept.join('/');
  if (name.length <= most) return name;
  const head = Math.floor((most - 1) / 3);
  return `${name.slice(0, head)}…${name.slice(name.length - (most - 1 - head))}`;
}
