import { type ErrorRecord, toXylemError } from '../base/errors';
import type { CallOptions, EntryRange } from './api';

/**
 * Rules of a check. Names are stable: programs and `--fail-on` use them.
 * Errors, data are lost or wrong: `not-opened`; `truncated`; `not-closed` (keys were recovered);
 * `streamers-missing`; `keys-damaged` (a list of keys cannot be read); `key-mismatch` (a list and the record
 * that it names differ); `streamers-damaged`; `object-damaged`; `tree-damaged` (its record, header, footer or
 * page list); `basket-damaged` (a basket or page cannot be read, decompressed or decoded); `checksum`;
 * `entries-mismatch` (baskets hold other entries than the tree counts); `overlap` (two baskets claim the same
 * bytes).
 * Warnings, no listed data are lost: `duplicate-key`; `free-list-damaged`; `uneven-branch` (a branch has
 * another number of entries than its tree); `orphaned-bytes` (records that nothing refers to).
 * Notes, not known to be good: `not-decoded` (decompressed, but the class cannot be decoded); `not-checked`
 * (this program cannot read it).
 */
export const CHECK_RULES = {
  'not-opened': 'error',
  truncated: 'error',
  'not-closed': 'error',
  'streamers-missing': 'error',
  'keys-damaged': 'error',
  'key-mismatch': 'error',
  'streamers-damaged': 'error',
  'object-damaged': 'error',
  'tree-damaged': 'error',
  'basket-damaged': 'error',
  checksum: 'error',
  'entries-mismatch': 'error',
  overlap: 'error',
  'duplicate-key': 'warning',
  'free-list-damaged': 'warning',
  'uneven-branch': 'warning',
  'orphaned-bytes': 'warning',
  'not-decoded': 'note',
  'not-checked': 'note',
} as const satisfies Record<string, Severity>;

export type Severity = 'error' | 'warning' | 'note';
export type CheckRule = keyof typeof CHECK_RULES;

export interface Finding {
  rule: CheckRule;
  severity: Severity;
  message: string;
  /** Path of the key, with its branch if there is one. */
  path?: string | undefined;
  /** Position in the file, in bytes. */
  offset?: number | undefined;
  length?: number | undefined;
  /** Lost entries of a tree: the first, and the one after the last. */
  entries?: EntryRange | undefined;
  /** The code of the reader's error, if reading failed. */
  code?: ErrorRecord['code'] | undefined;
}

export interface CheckOptions extends CallOptions {
  /** Maximum number of listed findings. Default: 1,000. */
  limit?: number | undefined;
}

export interface CheckReport {
  name: string;
  /** Size in bytes. */
  size: number;
  /** Numbers of checked parts. Bytes are those in the file. */
  counts: {
    keys: number;
    /** Objects other than trees and directories that were decoded. */
    objects: number;
    /** Number of classes in the streamer infos. */
    classes: number;
    trees: number;
    branches: number;
    /** Number of baskets of TTrees and of parts of clusters of RNTuples. */
    baskets: number;
    /** Entries of all trees. */
    entries: number;
    /** Bytes that were decompressed and decoded. */
    basketBytes: number;
    /** Bytes in records that nothing refers to. */
    orphanedBytes: number;
  };
  /** Findings in the order in which they were found: see `CheckOptions.limit` and `more`. */
  findings: Finding[];
  /** Number of findings that are not listed. */
  more: number;
}

const MAX_FINDINGS = 1000;

/** Collects the report of a file. */
export class Findings {
  readonly report: CheckReport;
  readonly #limit: number;

  constructor(name: string, size: number, limit = MAX_FINDINGS) {
    this.#limit = limit;
    const counts: CheckReport['counts'] = {
      keys: 0,
      objects: 0,
      classes: 0,
      trees: 0,
      branches: 0,
      baskets: 0,
      entries: 0,
      basketBytes: 0,
      orphanedBytes: 0,
    };
    this.report = { name, size, counts, findings: [], more: 0 };
  }

  get counts(): CheckReport['counts'] {
    return this.report.counts;
  }

  add(
    rule: CheckRule,
    message: string,
    place: Pick<Finding, 'path' | 'offset' | 'length' | 'entries' | 'code'> = {},
  ): void {
    if (this.report.findings.length < this.#limit) {
      this.report.findings.push({ rule, severity: CHECK_RULES[rule], message, ...place });
    } else this.report.more += 1;
  }

  /** Adds an error of the reader. `rule` is the rule for the part that was read. */
  fail(rule: CheckRule, error: ErrorRecord, path?: string, entries?: Finding['entries']): void {
    const { offset, length } = error.where ?? {};
    const place = {
      path: path ?? error.where?.path,
      ...{ offset, length },
      ...(entries && { entries }),
      code: error.code,
    };
    if (error.code === 'CHECKSUM') this.add('checksum', error.message, place);
    else if ((error.code === 'UNSUPPORTED' || error.code === 'NO_STREAMER') && rule === 'tree-damaged')
      this.add('not-checked', error.message, place);
    else this.add(rule, error.message, place);
  }
}

/** Returns a report with the error of opening a file, for a command that checks several files. */
export function reportOfFailure(name: string, thrown: unknown): CheckReport {
  const error = toXylemError(thrown);
  if (error.code === 'ABORTED') throw error;
  const found = new Findings(name, 0);
  const { offset, length } = error.where ?? {};
  found.add('not-opened', error.message, { offset, length, code: error.code });
  return found.report;
}
