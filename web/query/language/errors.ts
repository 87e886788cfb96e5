import { type ErrorCode, XylemError } from '../../base/errors';

/** A place in an expression, in characters from its beginning. */
export interface Place {
  at: number;
  end: number;
}

/** Makes an error about the text of an expression. `where.offset` and `where.length` count its characters. */
export function expressionError(
  text: string,
  place: Place,
  message: string,
  fix?: string,
  code: ErrorCode = 'ARGUMENT',
  instead: string[] = [],
): XylemError {
  const at = Math.min(place.at, text.length);
  const length = Math.max(1, place.end - place.at);
  return new XylemError({
    code,
    message,
    where: { expression: text, offset: at, length, ...(instead.length > 0 && { instead }) },
    fix,
  });
}

/** Number of characters that are shown before and after a place in a text. */
const SHOWN = 60;

/** Returns the text around a place and a second line that marks the place, for a terminal. */
export function markedText(text: string, at: number, length: number): string[] {
  const start = at <= SHOWN ? 0 : at - SHOWN;
  const end = text.length - at <= 2 * SHOWN ? text.length : at + 2 * SHOWN;
  const shown = (from: number, to: number): string[] =>
    [...text.slice(from, to)].map((one) => (/\s/.test(one) ? ' ' : one));
  const before = [...(start > 0 ? '…' : ''), ...shown(start, at)];
  const after = shown(at, end);
  const marked = Math.min(after.length, [...text.slice(at, Math.min(end, at + length))].length);
  return [
    [...before, ...after, ...(end < text.length ? '…' : '')].join(''),
    ' '.repeat(before.length) + '^'.repeat(Math.max(1, marked)),
  ];
}
