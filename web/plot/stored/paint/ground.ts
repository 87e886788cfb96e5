import type { PlainValue } from '../../../api/api';
import type { Places } from '../../drawing/axes';
import type { Colour } from '../../drawing/drawing';

export type Members = { [member: string]: PlainValue };
export type Point = [x: number, y: number];

/** Axes on which an object is painted by its own attributes: a frame of a canvas, or a plot. */
export interface Ground {
  places: Places;
  log: { x: boolean; y: boolean };
  /** Returns the colour of one of ROOT's numbers, for a line or for an area. */
  colour(index: PlainValue | undefined, area?: boolean): Colour;
  /** Whether the colour with this number is known. */
  knows(index: PlainValue | undefined): boolean;
  /** Notes something that cannot be drawn. */
  miss(what: string): void;
}
