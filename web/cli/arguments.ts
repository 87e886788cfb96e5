import { type ParseArgsConfig, parseArgs } from 'node:util';
import { XylemError } from '../base/errors';
import type { EntryRange, EntrySelection } from '../file/api';

/** A command line that cannot be understood; the command ends with status 2 and shows its usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

/** Options that every command has. */
export const commonOptions = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  header: { type: 'string', multiple: true },
  'no-cache': { type: 'boolean' },
  trace: { type: 'string' },
} as const satisfies OptionsConfig;

export const commonHelp = `  --json           print JSON instead of text
  --header 'K: V'  send this header with each request; may be repeated
  --no-cache       neither use nor fill the folder that keeps what was read from URLs
  --trace OUT      write every read of the file to OUT as JSON, with counters as TTreePerfStats has them
  -h, --help       show this text
  FILE is a path or an http(s) URL; for what reads a TREE also several files as one: a quoted pattern
  ('run*.root'), a list (a.root,b.root), or a text file of paths and URLs (@list.txt). A file may name
  its own tree: file.root?#tree.`;

/**
 * Options and positional arguments of a command. A value may start with a minus ("--range -5:5").
 * Throws UsageError on unknown options, and when the number of positionals is not within the bounds.
 */
export function parseCommand<T extends OptionsConfig>(
  args: readonly string[],
  options: T,
  positionals: readonly [least: number, most: number],
) {
  const parsed = parse(joinNegativeValues(args, options), options);
  // Help is given however little else was said.
  if ('help' in parsed.values && parsed.values.help === true) return parsed;
  const [least, most] = positionals;
  const count = parsed.positionals.length;
  if (count < least) throw new UsageError(count === 0 ? 'Name a FILE.' : 'An argument is missing.');
  if (count > most) throw new UsageError(`"${parsed.positionals[most]}" is one argument too many.`);
  return parsed;
}

function parse<T extends OptionsConfig>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** Node takes "-5:5" after an option for another option; "--range=-5:5" says what is meant. */
function joinNegativeValues(args: readonly string[], options: OptionsConfig): string[] {
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    const next = args[i + 1];
    const takesValue = arg.startsWith('--') && options[arg.slice(2)]?.type === 'string';
    if (takesValue && next !== undefined && /^-[\d.:]/.test(next)) {
      joined.push(`${arg}=${next}`);
      i++;
    } else {
      joined.push(arg);
    }
  }
  return joined;
}

/** Options that choose entries. */
export const entryOptions = {
  entries: { type: 'string', multiple: true },
  'entry-list': { type: 'string' },
  sample: { type: 'string' },
  seed: { type: 'string' },
} as const satisfies OptionsConfig;

export const entryHelp = `  --entries A:B      the entries A to B-1; A or B may be left out; "-20:" are the last 20; several
                     ranges with commas: 0:10,50:60
  --entry-list FILE  the entries that a text file lists, as numbers or ranges A:B
  --sample P%        a random part of the entries (of the range, where one is given); only baskets
                     that hold some of them are read
  --seed N           another sample: 0 to 4294967295, default 0`;

export interface EntryOptions {
  entries?: string[] | undefined;
  'entry-list'?: string | undefined;
  sample?: string | undefined;
  seed?: string | undefined;
}

/** The entries that the options choose of a tree; undefined where none of them was given. */
export async function chosenEntries(
  given: EntryOptions,
  treeEntries: number,
): Promise<EntrySelection | undefined> {
  const { entries, sample, seed } = given;
  const file = given['entry-list'];
  if (file !== undefined && (entries ?? sample) !== undefined) {
    throw new UsageError('--entry-list goes without --entries and --sample.');
  }
  if (file !== undefined) return ascending(parseEntryList(await readText(file), treeEntries));
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

/** Numbers and ranges between white space, commas or semicolons; what follows a # is a remark. */
function parseEntryList(text: string, treeEntries: number): EntryRange[] {
  const words = text.replace(/#.*/g, '').split(/[\s,;]+/);
  return words
    .filter((word) => word !== '')
    .map((word): EntryRange => {
      if (word.includes(':')) return parseEntries(word, treeEntries);
      const entry = parseWhole(word, 'The list', 0, Number.MAX_SAFE_INTEGER - 1);
      return [entry, entry + 1];
    });
}

/** The same entries, ascending and none twice. */
function ascending(ranges: EntryRange[]): EntryRange[] {
  const merged: EntryRange[] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** "1%" or "0.01". */
function parseFraction(text: string): number {
  const match = /^(\d+(?:\.\d*)?|\.\d+)(%?)$/.exec(text.trim());
  const fraction = match ? Number(match[1]) / (match[2] ? 100 : 1) : Number.NaN;
  if (fraction > 0 && fraction <= 1) return fraction;
  throw new UsageError(`--sample takes a part as 1% or 0.01, not "${text}".`);
}

async function readText(path: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new XylemError({ code: 'IO', message: `"${path}" cannot be read.`, cause });
  }
}

/**
 * "A:B" as the half-open range of entries A to B-1 of a tree. Either may be left out; a negative
 * one counts from the end ("-20:" are the last 20). What lies outside the tree is cut off.
 */
export function parseEntries(text: string, treeEntries: number): EntryRange {
  const match = /^(-?\d*):(-?\d*)$/.exec(text);
  const bound = (part: string | undefined, otherwise: number): number => {
    if (part === undefined || part === '') return otherwise;
    const value = Number(part);
    if (!Number.isSafeInteger(value)) throw new UsageError(`"${text}" is no range of entries.`);
    return Math.min(treeEntries, Math.max(0, value < 0 ? value + treeEntries : value));
  };
  if (match === null) {
    throw new UsageError(`"${text}" is no range of entries; write A:B for the entries A to B-1.`);
  }
  const from = bound(match[1], 0);
  return [from, Math.max(from, bound(match[2], treeEntries))];
}

/** "A:B" as two numbers with A < B. */
export function parseAxisRange(text: string): [low: number, high: number] {
  const parts = text.split(':');
  const [low, high] = parts.map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (parts.length !== 2 || low === undefined || high === undefined || !(low < high)) {
    throw new UsageError(`"${text}" is no range of values; write LOW:HIGH, for example --range 0:120.`);
  }
  if (!Number.isFinite(low) || !Number.isFinite(high)) {
    throw new UsageError(`The range "${text}" must be finite.`);
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

/** "Name: value" lines as a record of request headers. */
export function parseHeaders(lines: readonly string[] | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines ?? []) {
    const match = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line);
    if (match === null) throw new UsageError(`"${line}" is no header; write 'Name: value'.`);
    headers[match[1] ?? ''] = match[2] ?? '';
  }
  return headers;
}
