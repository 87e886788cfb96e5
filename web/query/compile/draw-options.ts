import type { ProfileErrors } from '../../api/api';
import { expressionError } from '../language/errors';

/** The options in the third argument of TTree::Draw. */
export interface DrawOptions {
  /** Kind of errors of a profile; undefined for a histogram. */
  profile?: ProfileErrors | undefined;
  /** Whether the contents are divided by their sum. */
  norm: boolean;
  /** Whether the entries that pass are listed. */
  entryList: boolean;
}

/** The options if none are given. */
export const NO_OPTIONS: DrawOptions = { norm: false, entryList: false };

const PROFILES: Readonly<Record<string, ProfileErrors>> = { prof: '', profs: 's', profi: 'i', profg: 'g' };
const LISTS = ['entrylist', 'elist'];
/**
 * Words that change nothing: the result is always computed before it is shown, and maps are always drawn
 * in colours.
 */
const PLAIN = ['goff', 'hist', 'colz'];

/**
 * Parses the words of an option, separated by blanks or commas; upper and lower case are the same. Throws
 * ARGUMENT for other words.
 */
export function parseOptions(text = ''): DrawOptions {
  const options = { ...NO_OPTIONS };
  for (const { 0: found, index } of text.matchAll(/[^\s,;]+/g)) {
    const word = found.toLowerCase();
    const place = { at: index, end: index + found.length };
    const profile = Object.hasOwn(PROFILES, word) ? PROFILES[word] : undefined;
    if (profile !== undefined) {
      if (options.profile !== undefined && options.profile !== profile) {
        throw expressionError(text, place, `A profile has errors of one kind; "${found}" asks for others.`);
      }
      options.profile = profile;
    } else if (word === 'norm') options.norm = true;
    else if (LISTS.includes(word)) options.entryList = true;
    else if (!PLAIN.includes(word)) {
      throw expressionError(
        text,
        place,
        `There is no option "${found}".`,
        `Options are ${[...Object.keys(PROFILES), 'norm', ...LISTS, ...PLAIN].join(', ')}. The others of ROOT choose how a plot looks.`,
      );
    }
  }
  return options;
}
