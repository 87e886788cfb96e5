import type { PerfRead, Reading } from '../../../../api/reading';
import { overBudget } from '../../../../base/data-errors';
import { argumentError, type XylemError } from '../../../../base/errors';
import type { Range } from '../../../../io/source';
import type { ReadOrigin } from '../../../../io/trace';

/** A format in which programs record reads. */
export interface TraceFormat {
  /** Name for messages: "an access log of nginx or Apache". */
  name: string;
  /** Whether a trace has this format, judged by its beginning. */
  sniff(trace: TraceFile): boolean;
  /** Returns its readings, one for each file and reader. Throws XylemError ARGUMENT. */
  read(trace: TraceFile): Reading[];
}

/** Number of characters at the beginning by which formats are recognized. */
const HEAD = 4096;

/** Maximum number of ranges of a trace: about 1 GB of memory. */
const MAX_RANGES = 1_500_000;

/** A trace, as bytes and as text. */
export class TraceFile {
  readonly head: string;
  #text: string | undefined;
  #ranges = 0;

  constructor(
    readonly name: string,
    readonly bytes: Uint8Array,
  ) {
    this.head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD));
  }

  /** Counts ranges that were read. Throws BUDGET if there are too many to keep in memory. */
  count(ranges: number): void {
    this.#ranges += ranges;
    if (this.#ranges <= MAX_RANGES) return;
    throw overBudget(
      `The trace "${this.name}" has more than ${MAX_RANGES} reads.`,
      'Take a part of it: the first minutes, or one of the files.',
      { path: this.name },
    );
  }

  text(): string {
    this.#text ??= new TextDecoder().decode(this.bytes);
    return this.#text;
  }

  /** The trace as JSON. Throws XylemError ARGUMENT. */
  json(): unknown {
    try {
      return JSON.parse(this.text());
    } catch {
      throw unreadable(this, 'it is not JSON');
    }
  }

  /** Lines without their ends. */
  *lines(): Generator<string> {
    const text = this.text();
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf('\n', from);
      const to = end < 0 ? text.length : end;
      yield text.slice(from, text[to - 1] === '\r' ? to - 1 : to);
      from = to + 1;
    }
  }
}

export function unreadable({ name }: TraceFile, why: string, fix?: string): XylemError {
  return argumentError(`The trace "${name}" cannot be used: ${why}.`, fix, { path: name });
}

/** The times and bytes of one read. Times in seconds, of any clock. */
export interface TracedRead {
  ranges: readonly Range[];
  origin: ReadOrigin;
  started: number;
  /** Time of the first byte, if known. */
  answered?: number | undefined;
  done: number;
  failed?: string | undefined;
}

/** Returns reads without entries and branches. Their times are relative to the first read. */
export function perfReads(traced: readonly TracedRead[]): PerfRead[] {
  const start = traced.reduce((first, { started }) => Math.min(first, started), Number.POSITIVE_INFINITY);
  return traced
    .filter(({ ranges }) => ranges.length > 0)
    .map(({ ranges, origin, started, answered = started, done, failed }): PerfRead => {
      const offset = ranges.reduce((least, range) => Math.min(least, range.offset), Number.POSITIVE_INFINITY);
      return {
        entry: -1,
        offset,
        length: ranges.reduce((sum, { length }) => sum + length, 0),
        ...(ranges.length > 1 && { ranges }),
        origin,
        purpose: '',
        branches: [],
        queued: started - start,
        started: started - start,
        answered: answered - start,
        done: done - start,
        failed,
      };
    })
    .sort((a, b) => a.queued - b.queued);
}

/** Returns a text of JSON; empty for another type. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Parses the ranges of a request: "bytes=0-99,200-299". Ranges relative to the end, such as "-100", are left out. */
export function requestedRanges(header: string): Range[] {
  const ranges: Range[] = [];
  const [, list = ''] = /bytes=([\d,\s-]*)/.exec(header) ?? [];
  for (const one of list.split(',')) {
    const [first = '', last = ''] = one.trim().split('-');
    const [from, to] = [Number(first), Number(last)];
    if (first === '' || last === '' || !Number.isSafeInteger(from) || !Number.isSafeInteger(to)) continue;
    if (to >= from) ranges.push({ offset: from, length: to - from + 1 });
  }
  return ranges;
}
