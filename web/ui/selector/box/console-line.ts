import { ownText } from '../own-text';

/** Lines of the console that are shown, and characters of a line. */
export const MAX_LINES = 100;
const MAX_CHARACTERS = 500;

/** Returns the values of one call of the console as one text. */
export function consoleLine(values: readonly unknown[]): string {
  return values.map(textOf).join(' ').slice(0, MAX_CHARACTERS);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === 'object' && value !== null) return ownText(value).replace(/\n\s*/g, ' ');
  return String(value);
}

/** A line that a worker sent, which may have sent anything; undefined if it is not a text. */
export function checkedLine(line: unknown): string | undefined {
  return typeof line === 'string' ? line.slice(0, MAX_CHARACTERS) : undefined;
}
