import type { PartialNote } from '../api/api';
import type { ErrorRecord } from '../base/errors';

/** Number of missing parts that are named. */
const NAMED = 10;

/** Says which parts are missing; `inJson`: the JSON of the command lists all. Empty if nothing is missing. */
export function partialNotes(partial: PartialNote | undefined, what: string, inJson = false): string[] {
  if (partial === undefined) return [];
  const more = partial.errors.length - NAMED;
  return [
    `partial: ${partial.failed} of ${partial.total} ${what} unreadable`,
    ...partial.errors.slice(0, NAMED).map((error) => `  ${withFileName(error)}`),
    ...(more > 0 ? [`  … and ${more} more${inJson ? '; --json has all' : ''}`] : []),
  ];
}

/** Whether a note is a line of `partialNotes`. */
export const isPartialNote = (note: string): boolean => /^(partial: | {2})/.test(note);

/** The message and the code of an error, with its file if it is one of several. */
export function withFileName({ code, message, where }: ErrorRecord): string {
  const place = where?.url === undefined || message.includes(where.url) ? '' : `${where.url}: `;
  return `${place}${message} [${code}]`;
}
