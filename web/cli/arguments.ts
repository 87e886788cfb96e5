import type { EntryRange, EntrySelection } from '../api/api';
import { toXylemError, XylemError } from '../base/errors';
import { printable } from '../base/text';
import { parseBlockBytes } from '../io/blocks';
import { ascending } from '../model/entry-choice';
import { entryRange, FRACTION_WORDS, fractionOf, notEntryRange } from '../verbs/entry-range';
import type { Options } from './options';

/** A command line that is not valid; the command ends with status 2 and shows its usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns what `use` returns. Throws UsageError for a request that makes no sense, because an option asked for it. */
export function asOption<T>(name: string, use: () => T): T {
  try {
    return use();
  } catch (thrown) {
    const { code, message, fix } = toXylemError(thrown);
    if (code !== 'ARGUMENT') throw thrown;
    throw new UsageError(`--${name}: ${message}${fix === undefined ? '' : ` ${fix}`}`);
  }
}

/** Returns the words of a line before "--". After it, no word is an option. */
export function beforeEnd(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

/** Node treats "-5:5" after an option as another option, so it is joined: "--range=-5:5". */
export function joinNegativeValues(args: readonly string[], options: Options): string[] {
  const joined: string[] = [];
  const own = beforeEnd(args);
  for (let i = 0; i < own.length; i++) {
    const arg = own[i] ?? '';
    const next = own[i + 1];
    const takesValue = arg.startsWith('--') && options[arg.slice(2)]?.type === 'string';
    if (takesValue && next !== undefined && /^-[\d.:]/.test(next)) {
      joined.push(`${arg}=${next}`);
      i++;
    } else {
      joined.push(arg);
    }
  }
  return [...joined, ...args.slice(own.length)];
}

export interface EntryOptions {
  entries?: string[] | undefined;
  'entry-list'?: string | undefined;
  sample?: string | undefined;
  seed?: string | undefined;
}

/** The entries of a tree that the options choose; undefined when none of the options was given. */
export async function chosenEntries(
  given: EntryOptions,
  treeEntries: number,
): Promise<EntrySelection | undefined> {
  const { entries, sample, seed } = given;
  const file = given['entry-list'];
  if (file !== undefined && (entries ?? sample) !== undefined) {
    throw new UsageError('--entry-list goes without --entries and --sample.');
  }
  if (file !== undefined) return ascending(await readEntryList(file, treeEntries));
  const list = entries?.flatMap((text) => text.split(',')).map((text) => parseEntries(text, treeEntries));
  const ranges = list && ascending(list);
  if (sample === undefined) {
    if (seed !== undefined) throw new UsageError('--seed is for --sample.');
    return ranges?.length === 1 ? ranges[0] : ranges;
  }
  if (ranges && ranges.length > 1) throw new UsageError('--sample takes one range of --entries.');
  return {
    fraction: parseFraction(sample),
    ...(seed !== undefined && { seed: parseWhole(seed, '--seed', 0, 0xffffffff) }),
    ...(ranges?.[0] && { within: ranges[0] }),
  };
}

/** Limit on ranges of a list: entries that follow each other are one. */
const MAX_RANGES = 10_000_000;

/** Reads numbers and ranges with white space, commas or semicolons between them, and remarks after a #. */
async function readEntryList(path: string, treeEntries: number): Promise<EntryRange[]> {
  const { piecesOfFile } = await import('./read-file');
  const ranges: EntryRange[] = [];
  const take = (words: readonly string[]): void => {
    for (const word of words) {
      if (word === '') continue;
      const [from, to] = entriesOfWord(word, treeEntries);
      const last = ranges.at(-1);
      if (last && from >= last[0] && from <= last[1]) last[1] = Math.max(last[1], to);
      else ranges.push([from, to]);
    }
    if (ranges.length > MAX_RANGES) throw tooManyRanges(path);
  };
  let rest = '';
  let remark = false;
  for await (const piece of piecesOfFile(path)) {
    let text = piece.toString('latin1');
    if (remark) {
      const end = text.indexOf('\n');
      if (end < 0) continue;
      text = text.slice(end);
    }
    // The last word, or a remark, may go on in the next piece.
    remark = text.lastIndexOf('#') > text.lastIndexOf('\n');
    const words = (rest + text).replace(/#.*/g, '').split(SEPARATORS);
    rest = remark ? '' : (words.pop() ?? '').slice(0, MAX_WORD);
    take(words);
  }
  take([rest]);
  return ranges;
}

const SEPARATORS = /[\s,;]+/;
/** Characters of the longest range of entries, and more: a longer word is none. */
const MAX_WORD = 100;

function entriesOfWord(word: string, treeEntries: number): EntryRange {
  if (word.includes(':')) return parseEntries(word, treeEntries);
  const entry = parseWhole(word, 'The list', 0, Number.MAX_SAFE_INTEGER - 1);
  return [entry, entry + 1];
}

function tooManyRanges(path: string): XylemError {
  return new XylemError({
    code: 'BUDGET',
    message: `The list "${path}" has more than ${MAX_RANGES} ranges of entries.`,
    where: { path },
  });
}

/** Parses "1%" or "0.01" as a fraction. Throws UsageError. */
export function parseFraction(text: string): number {
  const fraction = fractionOf(text);
  if (fraction !== undefined) return fraction;
  throw new UsageError(`--sample takes ${FRACTION_WORDS}, not "${text}".`);
}

/** Parses "A:B" as entries of a tree: see `entryRange`. Throws UsageError. */
export function parseEntries(text: string, treeEntries: number): EntryRange {
  const range = entryRange(text, treeEntries);
  if (range !== undefined) return range;
  throw new UsageError(notEntryRange(text));
}

/** "A:B" as two numbers with A < B. */
export function parseAxisRange(text: string, option = '--range'): [low: number, high: number] {
  const parts = text.split(':');
  const [low, high] = parts.map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (parts.length !== 2 || low === undefined || high === undefined || !(low < high)) {
    throw new UsageError(`"${text}" is not a range of values; write LOW:HIGH, for example ${option} 0:120.`);
  }
  if (!Number.isFinite(low) || !Number.isFinite(high)) {
    throw new UsageError(`The range "${text}" of ${option} must be finite.`);
  }
  return [low, high];
}

/** A whole number within bounds. */
export function parseWhole(text: string, name: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    throw new UsageError(`${name} takes a whole number from ${least} to ${most}, not "${text}".`);
  }
  return value;
}

/** The size of blocks, in bytes. */
export function parseAlign(text: string): number {
  try {
    return parseBlockBytes(text);
  } catch (thrown) {
    throw new UsageError(`--align: ${toXylemError(thrown).message}`);
  }
}

/** "500MB" or "1.5 GB" as bytes. Throws UsageError. */
export function parseBytes(text: string): number {
  const match = /^(\d+(?:\.\d+)?) ?(B|kB|MB|GB|TB)?$/i.exec(text);
  const unit = ['b', 'kb', 'mb', 'gb', 'tb'].indexOf((match?.[2] ?? 'b').toLowerCase());
  const bytes = Math.round(Number(match?.[1]) * 1000 ** unit);
  if (Number.isSafeInteger(bytes)) return bytes;
  throw new UsageError(`"${text}" is not a size: give one like 500MB or 20GB.`);
}

/** "Name: value" lines as a record of request headers. */
export function parseHeaders(lines: readonly string[] | undefined): Record<string, string> {
  const headers = (lines ?? []).map((line): [string, string] => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    const value = line.slice(colon + 1).trim();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || printable(value) !== value) {
      // It may hold a token.
      throw new UsageError("What --header has is not a header; write 'Name: value'.");
    }
    return [name, value];
  });
  return Object.fromEntries(headers);
}
