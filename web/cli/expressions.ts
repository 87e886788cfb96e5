import { existsSync } from 'node:fs';
import type { FriendTree, RulesOfRoot } from '../api/api';
import { UsageError } from './arguments';
import type { Context, OpenFile } from './context';
import { type Options, valued } from './options';
import { sourceOf, splitTree } from './targets';

const VERSIONS: readonly RulesOfRoot[] = ['6.40', '6.42'];

/** Options for the meaning of expressions. */
export const languageOptions = {
  'root-version': valued(
    'V',
    'the rules of ROOT 6.40 or of 6.42, the default: there sqrt of a negative number is NaN, before it was the ' +
      'square root of its amount',
    { choices: VERSIONS },
  ),
  seed: valued(
    'N',
    'the start of the random numbers of rndm, 1 without it: the same seed gives the same numbers',
  ),
} as const satisfies Options;

export function rulesOf(given: { 'root-version'?: string | undefined }): RulesOfRoot | undefined {
  return VERSIONS.find((version) => version === given['root-version']);
}

/** Returns the seed of a command line, if any. Throws UsageError for a text that is not a whole number. */
export function seedOf({ seed }: { seed?: string | undefined }): number | undefined {
  if (seed === undefined) return undefined;
  if (!/^\d{1,15}$/.test(seed)) throw new UsageError(`--seed takes a whole number, not "${seed}".`);
  return Number(seed);
}

/** Options that give a tree friends. */
export const friendOptions = {
  friend: valued(
    '[ALIAS=]FILE[#TREE]',
    'a tree beside this one, as TTree::AddFriend: expressions may name its branches as ALIAS.branch, ' +
      'TREE.branch, or alone where this tree has none of that name. TREE is by default the same path. May be ' +
      'repeated; friends that the tree names itself are found',
    { multiple: true },
  ),
  'friend-index': valued(
    '[ALIAS=]MAJOR[,MINOR]',
    'entries belong together where these expressions have equal whole numbers in both trees; else by the ' +
      'index that the friend was written with, or by entry number',
    { multiple: true },
  ),
} as const satisfies Options;

export interface FriendGiven {
  friend?: string[] | undefined;
  'friend-index'?: string[] | undefined;
  header?: string[] | undefined;
  'no-cache'?: boolean | undefined;
}

/** Opens the files of --friend, which are closed with the file of the tree. Returns undefined without any. */
export async function openFriends(
  file: OpenFile,
  path: string,
  given: FriendGiven,
  { files }: Context,
): Promise<FriendTree[] | undefined> {
  const indices = (given['friend-index'] ?? []).map(parseIndex);
  if (given.friend === undefined) {
    if (indices.length > 0) throw new UsageError('--friend-index is for --friend.');
    return undefined;
  }
  const friends: FriendTree[] = [];
  for (const text of given.friend) {
    const { alias, target, tree } = parseFriend(text);
    const { index } = indices.find((one) => one.alias === undefined || one.alias === alias) ?? {};
    const { source } = await sourceOf(target, given, files);
    const { info } = await file.open(source);
    friends.push({ file: info.id, tree: tree ?? path, alias, index });
  }
  return friends;
}

function parseFriend(text: string): { alias: string | undefined; target: string; tree: string | undefined } {
  const named = existsSync(text) ? null : /^([A-Za-z_]\w*)=(.+)$/s.exec(text);
  const [alias, place] = named ? [named[1], named[2] ?? ''] : [undefined, text];
  const whole = existsSync(place) ? { name: place, tree: undefined } : splitTree(place, true);
  return { alias, target: whole.name, tree: whole.tree };
}

function parseIndex(text: string): { alias: string | undefined; index: [string, string?] } {
  const named = /^([A-Za-z_]\w*)=(?!=)(.+)$/s.exec(text);
  const [major = '', minor, more] = splitCommas(named?.[2] ?? text);
  if (major.trim() === '' || minor?.trim() === '' || more !== undefined) {
    throw new UsageError(`"${text}" is not an index; write MAJOR or MAJOR,MINOR.`);
  }
  return { alias: named?.[1], index: minor === undefined ? [major] : [major, minor] };
}

/** Splits at commas outside of brackets. */
function splitCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}
