import { argumentError } from '../../../base/errors';
import { formatBytes } from '../../../base/format';
import type { Shape } from '../../../base/shape';

/** A program that reads a tree, of which the reads follow from the places of the baskets or pages. */
export type Strategy =
  /** One read for each basket when its first entry is reached: ROOT without a cache. */
  | { kind: 'none' }
  /** As `none`, through a client that fetches at least this many bytes at once. */
  | { kind: 'readahead'; bytes: number }
  | CacheStrategy
  /** ROOT's cluster pool, which reads RNTuples. */
  | { kind: 'pool' }
  | { kind: 'uproot' }
  /** JSROOT, with the most ranges of one request; default `JSROOT_RANGES`. */
  | { kind: 'jsroot'; ranges?: number | undefined }
  /** NanoEvents of coffea, which read through uproot. */
  | { kind: 'coffea' };

/** ROOT's TTreeCache of this many bytes. */
export interface CacheStrategy {
  kind: 'cache';
  bytes: number;
  /** Maximum size of a read that goes over gaps (TFile::SetReadaheadSize). Default: `READ_AHEAD_BYTES`. */
  ahead?: number | undefined;
  /** The branches were given with AddBranchToCache, so nothing is learnt. */
  known?: boolean | undefined;
  /** Learns as this old release of ROOT did. Default: as ROOT 6.40. */
  release?: '5.28' | undefined;
}

/** A program whose reads can be told in advance. The reads of xylem come from its own planner. */
export type Program = Strategy | { kind: 'xylem' };

/** ROOT's TFile reads over gaps while the whole read stays below this (TFile::SetReadaheadSize). */
export const READ_AHEAD_BYTES = 256_000;

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };

/** Parses a number of bytes, "256k", "30M" or "1.5G"; undefined for other texts and for less than a byte. */
export function sizeOf(word: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([kmg]?)$/i.exec(word) ?? [];
  const bytes = Math.round(Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
  return bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER ? bytes : undefined;
}

const sizeWord = (bytes: number): string => {
  const [unit, factor] = bytes % 1e6 === 0 ? (['M', 1e6] as const) : (['k', 1e3] as const);
  return bytes % 1000 === 0 ? `${bytes / factor}${unit}` : String(bytes);
};

/** Returns the program that a word names; undefined for other words. */
export function programOf(word: string): Program | undefined {
  const [name = '', size, gap, ...others] = word.split(':');
  if (others.length > 0) return undefined;
  const bytes = size === undefined ? undefined : sizeOf(size);
  const release = name === 'cache-5.28' ? '5.28' : undefined;
  if ((name === 'cache' || release !== undefined) && bytes !== undefined) {
    const ahead = gap === undefined || gap === '0' ? 0 : sizeOf(gap);
    if (ahead === undefined) return undefined;
    return { kind: 'cache', bytes, ...(gap !== undefined && { ahead }), ...(release && { release }) };
  }
  if (gap !== undefined) return undefined;
  if (name === 'readahead' && (size === undefined || bytes !== undefined))
    return { kind: 'readahead', bytes: bytes ?? READ_AHEAD_BYTES };
  if (size !== undefined) return undefined;
  return PLAIN.find((kind) => kind === name) && ({ kind: name } as Program);
}

const PLAIN = ['none', 'pool', 'uproot', 'jsroot', 'coffea', 'xylem'] as const;

/** Returns the word that `programOf` takes. */
export function programWord(program: Program): string {
  if (program.kind === 'readahead') return `readahead:${sizeWord(program.bytes)}`;
  if (program.kind !== 'cache') return program.kind;
  const { bytes, ahead, release } = program;
  const name = release === undefined ? 'cache' : `cache-${release}`;
  return `${name}:${sizeWord(bytes)}${ahead === undefined ? '' : `:${ahead === 0 ? 0 : sizeWord(ahead)}`}`;
}

/** Returns the name of a program as reports show it. */
export function programName(program: Program): string {
  switch (program.kind) {
    case 'none':
      return 'no cache';
    case 'readahead':
      return `read-ahead of ${shownSize(program.bytes)}`;
    case 'cache': {
      const { bytes, ahead, release } = program;
      const gaps = ahead === undefined ? '' : `, read-ahead of ${shownSize(ahead)}`;
      return `TTreeCache of ${shownSize(bytes)}${gaps}${release ? `, ROOT ${release}` : ''}`;
    }
    case 'pool':
      return 'cluster pool';
    case 'jsroot':
      return 'JSROOT';
    default:
      return program.kind;
  }
}

const shownSize = (bytes: number): string =>
  bytes >= 1e6 ? `${bytes / 1e6} MB` : bytes >= 1000 ? `${bytes / 1000} kB` : formatBytes(bytes);

/** Says which programs may be named. */
export const PROGRAM_WORDS =
  'none, readahead:SIZE, cache:SIZE (TTreeCache) or cache:SIZE:GAPS (with TFile::SetReadaheadSize), cache-5.28:SIZE (as ' +
  'ROOT 5.28 learnt), pool, uproot, jsroot, coffea or xylem, with sizes as 256k or 30M';

/** The name of a program, as an option of a verb. */
export const PROGRAM: Shape<string> = {
  words: PROGRAM_WORDS,
  is: (value): value is string => typeof value === 'string' && programOf(value) !== undefined,
  schema: {
    type: 'string',
    pattern:
      '^(none|pool|uproot|jsroot|coffea|xylem|readahead(:\\d+(\\.\\d+)?[kKmMgG]?)?|cache(-5\\.28)?(:\\d+(\\.\\d+)?[kKmMgG]?){1,2})$',
  },
  parse: (word) => (programOf(word) === undefined ? undefined : word),
};

/** A number of bytes, as an option of a verb: "256k", "30M". */
export const SIZE: Shape<string> = {
  words: 'a number of bytes above 0, as 256k or 30M',
  is: (value): value is string => typeof value === 'string' && sizeOf(value) !== undefined,
  schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?[kKmMgG]?$' },
  parse: (word) => (sizeOf(word) === undefined ? undefined : word),
};

/** Throws ARGUMENT for a program that does not read this kind of tree. */
export function refuseOther(program: Program, kind: 'TTree' | 'RNTuple'): void {
  const isTree = kind === 'TTree';
  const other = isTree ? program.kind === 'pool' : program.kind === 'cache' || program.kind === 'coffea';
  if (!other) return;
  throw argumentError(
    `"${programWord(program)}" does not read ${kind}s.`,
    isTree
      ? 'Take none, readahead, cache:30M, uproot, jsroot, coffea or xylem.'
      : 'Take none, readahead, pool, uproot, jsroot or xylem.',
  );
}
