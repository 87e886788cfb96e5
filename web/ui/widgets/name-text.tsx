/** Shorter names are not cut. */
const MIN_CUT = 8;
/** Characters at the end of a name that are always shown: there neighbours differ. At most two fifths of a name. */
const MAX_END = 11;

/** Returns the place at which a name that is too long is cut; its length if it is not cut. The first `shared` characters are hidden. */
export function cutOf(name: string, shared = 0): number {
  const shown = name.length - shared;
  return shown < MIN_CUT ? name.length : name.length - Math.min(MAX_END, Math.ceil(shown * 0.4));
}

interface NameTextProps {
  name: string;
  /** Number of characters at its beginning that the row above has already. */
  shared?: number;
  /** Words in small letters that are looked for. */
  words?: readonly string[];
  title?: string | undefined;
}

/**
 * A name in one line, cut in its middle where it is too long: members of one branch begin alike. What the row above says is
 * left out for the eye only, and words that are looked for are marked.
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

type Part = readonly [from: number, to: number];

/** The parts of a name that are one of the words, in their order and apart from each other. */
export function markedParts(name: string, words: readonly string[]): Part[] {
  const lower = name.toLowerCase();
  // Some letters have another length in small letters: then no place is sure.
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

/** Number of characters of a name that are its holder's, with the dot after them; 0 if it begins otherwise. */
export function sharedLength(holder: string, name: string): number {
  const start = `${holder.replace(/\.$/, '')}.`;
  return name.length > start.length && name.startsWith(start) ? start.length : 0;
}

/** A path as its last member, and what holds that. */
export function memberOf(path: string): { member: string; holder: string } {
  const parts = path.split('/');
  const last = parts.pop() ?? '';
  return { member: last.slice(sharedLength(parts.at(-1) ?? '', last)), holder: parts.join('/') };
}

/** Characters of a name that stand beside a bar. */
const MAX_CHARACTERS = 56;

/**
 * A path for a narrow place. Paths of split branches repeat the names above: of "jets./jets.obj/jets.obj.pt" the last part
 * says everything. A name that is still long is cut in its middle, because its ends tell it from its neighbours.
 */
export function shortPath(path: string, most = MAX_CHARACTERS): string {
  const parts = path.split('/');
  const kept = parts.filter((part, i) => !(parts[i + 1] ?? '').startsWith(part.replace(/\.$/, '')));
  const name = kept.join('/');
  if (name.length <= most) return name;
  const head = Math.floor((most - 1) / 3);
  return `${name.slice(0, head)}…${name.slice(name.length - (most - 1 - head))}`;
}
