import { bareName, withoutDimensions } from '../base/text';

/** The documentation in the title of a branch, and the unit of the values. */
export interface Documented {
  documentation?: string;
  unit?: string;
}

/** One leaf of a list: its name, its dimensions, its type, and the range and bits of a Float16_t or Double32_t. */
const LEAF = /^\s*[^\s/[\]:]+(?:\[[^\]]*\])*(\/[A-Za-z](?:\[[^\]]*\])?)?\s*$/;
/** Maximum number of characters of a title that is examined as a list of leaves. No branch has a list of this length. */
const MAX_LIST = 10_000;

/**
 * Returns the documentation in the title of a branch or the description of a field of an RNTuple, and the unit at its
 * end. ROOT gives a branch the list of its leaves ("pt[n]/F", "x/D:y/D"), its name, or the name of a leaf as title
 * unless somebody sets another one; these say nothing that the name and the type do not say. A word without a blank is
 * taken for such a name in a TTree, and for documentation in an RNTuple, whose descriptions are empty otherwise.
 */
export function documentationOf(name: string, title: string, kind: 'TTree' | 'RNTuple'): Documented {
  const text = title.trim();
  if (text === '' || text === name) return {};
  if (kind === 'TTree' && isListOfLeaves(name, text)) return {};
  const unit = unitAtEnd(text);
  return { documentation: text, ...(unit !== undefined && { unit }) };
}

function isListOfLeaves(name: string, text: string): boolean {
  // A name may have blanks, and then its list has them, too.
  if (bareName(name) === bareName(withoutDimensions(text.replace(/\/[A-Za-z]$/, '')))) return true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters of ASCII
  if (!/\s|[^\x00-\x7f]/.test(text)) return true;
  if (text.length > MAX_LIST) return false;
  const leaves = text.split(':').map((part) => LEAF.exec(part));
  return leaves.every((leaf) => leaf !== null) && leaves.some((leaf) => leaf?.[1] !== undefined);
}

/** The words in brackets at the end of a text, after a blank: "momentum (GeV)", "position [cm]". */
const IN_BRACKETS = /\s(?:\(([^()[\]]{1,24})\)|\[([^()[\]]{1,24})\])\.?$/;

const PREFIXES = 'fpnuµμmckMGTP';
/** Units that take prefixes, and those that do not. */
const SCALED = ['eV', 'm', 's', 'Hz', 'V', 'A', 'T', 'W', 'g', 'b', 'rad', 'C', 'F', 'J', 'N', 'Pa', 'bar'];
const PLAIN = ['c', 'K', 'deg', 'degree', 'degrees', '°', '%', 'ADC', 'h', 'min', 'd', 'MIP', 'p.e.', 'ppm'];
/** Letters that mean many other things in round brackets, such as "tight (T)". */
const DOUBTFUL = new Set([...'VATWgbCFJNcKhd']);

const UNITS = new Set([
  ...SCALED,
  ...PLAIN,
  ...SCALED.flatMap((unit) => Array.from(PREFIXES, (prefix) => prefix + unit)),
]);

/**
 * Returns the unit in brackets at the end of a text; undefined if there are none, or if what they hold is not a known
 * unit, a power, a product or a quotient of such. "(optional)" and "(jet pt>25 GeV)" are not units.
 */
export function unitAtEnd(text: string): string | undefined {
  const [, round, square] = IN_BRACKETS.exec(text) ?? [];
  const inside = (round ?? square ?? '').trim();
  if (inside === '' || (round !== undefined && DOUBTFUL.has(inside))) return undefined;
  return inside.split(/[\s*·/]+/).every(isFactor) ? inside : undefined;
}

/** Whether a text is a unit with an optional power: "GeV", "c^2", "c^{2}", "cm-2", "pb^-1". The 1 of "1/GeV" is one, too. */
function isFactor(text: string): boolean {
  if (text === '1') return true;
  const [, unit = ''] = /^(\D+?)(?:\^?\{?[-+]?\d\}?|²|³|⁻¹|⁻²)?$/.exec(text) ?? [];
  return UNITS.has(unit);
}
