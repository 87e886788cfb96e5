import { ownText } from '../own-text';

/** Maximum number of console lines that are shown, and maximum characters of a line. */
export const MAX_LINES = 100;
const MAX_CHARACTERS = 500;

/** Returns the values of one console call as one text. */
export function consoleLine(values: readonly unknown[]): string {
  return values.map(textOf).join(' ').slice(0, MAX_CHARACTERS);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === 'object' && value !== null) return ownText(value).replace(/\n\s*/g, ' ');
  return String(value);
}

/** Returns a line sent by a worker, which may have sent any value; undefined if it is not a text. */
export function checkedLine(line: unknown): string | undefined {
  return typeof line === 'string' ? line.slice(0, MAX_CHARACTERS) : undefined;
}
