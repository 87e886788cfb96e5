import type { ErrorRecord } from '../base/errors';
import type { PartialNote } from './api';

/** Number of missing parts that are listed. */
const NAMED = 10;

/**
 * Returns lines about missing parts; empty if nothing is missing. `inJson` says that the JSON of the command lists
 * all of them.
 */
export function partialNotes(partial: PartialNote | undefined, what: string, inJson = false): string[] {
  if (partial === undefined) return [];
  const more = partial.errors.length - NAMED;
  return [
    `partial: ${partial.failed} of ${partial.total} ${what} unreadable`,
    ...partial.errors
      .slice(0, NAMED)
      .map((error, i) => `  ${withFileName(error)}${fixOf(error, partial.errors[i - 1])}`),
    ...(more > 0 ? [`  … and ${more} more${inJson ? '; --json has all' : ''}`] : []),
  ];
}

/** The fix of an error, once if several in turn have the same one. */
function fixOf({ fix }: ErrorRecord, before: ErrorRecord | undefined): string {
  return fix === undefined || fix === before?.fix ? '' : ` ${fix}`;
}

/** Whether a note is a line of `partialNotes`. */
export const isPartialNote = (note: string): boolean => /^(partial: | {2})/.test(note);

/** Returns the message and the code of an error, and its file if there are several. */
export function withFileName({ code, message, where }: ErrorRecord): string {
  const place = where?.url === undefined || message.includes(where.url) ? '' : `${where.url}: `;
  return `${place}${message} [${code}]`;
}
