/** A note on a plot. Places are values of its axes, so a note stays at its place when the plot is zoomed. */
export interface PlotNote {
  /** The middle of the text. */
  x: number;
  y: number;
  /** TLatex, as in titles. */
  text: string;
  /** The point to which an arrow leads; undefined for a note without one. */
  to?: readonly [x: number, y: number] | undefined;
}

/** Maximum number of notes on a plot, and of characters of each. */
export const MAX_NOTES = 50;
export const MAX_NOTE = 300;

/**
 * Parses notes, each on a line of its own: `x,y: text`, or `x,y>px,py: text` with an arrow from the text to a point.
 * Returns undefined if a line is not valid.
 */
export function parseNotes(text: string): readonly PlotNote[] | undefined {
  const lines = text.split('\n');
  if (lines.length > MAX_NOTES) return undefined;
  const notes = lines.flatMap((line) => noteOf(line) ?? []);
  return notes.length === lines.length ? notes : undefined;
}

function noteOf(line: string): PlotNote | undefined {
  const colon = line.indexOf(':');
  const text = line.slice(colon + 1).trim();
  if (colon < 0 || text === '' || text.length > MAX_NOTE) return undefined;
  const places = line.slice(0, colon).split('>').map(placeOf);
  const [at, to] = places;
  if (at === undefined || places.length > 2 || (places.length === 2 && to === undefined)) return undefined;
  const [x, y] = at;
  return { x, y, text, ...(to && { to }) };
}

function placeOf(text: string): readonly [number, number] | undefined {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [x, y] = numbers;
  if (numbers.length !== 2 || x === undefined || y === undefined) return undefined;
  return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
}

/** Returns the text that `parseNotes` reads; empty for no notes. */
export function formatNotes(notes: readonly PlotNote[]): string {
  return notes.map(({ x, y, text, to }) => `${x},${y}${to ? `>${to.join(',')}` : ''}: ${text}`).join('\n');
}

/** Returns a text as a note can have it: on one line, and not too long. */
export function noteText(typed: string): string {
  return typed.replace(/\s+/g, ' ').trim().slice(0, MAX_NOTE);
}
