import { type Signal, signal } from '@preact/signals';
import type { PlacedAxis, PlotFrame } from '../../../plot/drawing/frame';
import { MAX_NOTES, type PlotNote } from '../../../plot/look/notes';
import type { AnyPlot } from '../../../plot/model';
import type { ViewerStore } from '../../../ui/state/viewer-state';

/** The note whose text is being edited. */
interface Edited {
  index: number;
  /** Whether it was just placed, so that it is removed if it gets no text. */
  isNew: boolean;
}

/** The notes of the shown plot, and how they are changed. */
export interface NoteState {
  readonly edited: Signal<Edited | undefined>;
  all(): readonly PlotNote[];
  set(notes: readonly PlotNote[]): void;
  change(index: number, part: Partial<PlotNote>): void;
  remove(index: number): void;
}

const states = new WeakMap<ViewerStore, NoteState>();

export function noteState(store: ViewerStore): NoteState {
  const known = states.get(store);
  if (known !== undefined) return known;
  const { look } = store.plot;
  const all = () => look.peek().notes;
  const set = (notes: readonly PlotNote[]) => {
    look.value = { ...look.peek(), notes };
  };
  const state: NoteState = {
    edited: signal(undefined),
    all,
    set,
    change: (index, part) => set(all().map((note, i) => (i === index ? { ...note, ...part } : note))),
    remove: (index) => set(all().filter((_, i) => i !== index)),
  };
  states.set(store, state);
  return state;
}

export const hasRoom = (store: ViewerStore): boolean => store.plot.look.value.notes.length < MAX_NOTES;

/** Text of a note that was just placed. */
export const NEW_NOTE = 'Note';

/** Places a note in the upper part of the plot, and edits its text. */
export function addNote(store: ViewerStore, frame: PlotFrame): void {
  const { left, right, top, bottom } = frame.box;
  const state = noteState(store);
  const index = state.all().length;
  // Others that were placed before are not covered.
  const down = 0.2 + 0.12 * (index % 5);
  const place = { x: left + (right - left) * 0.5, y: top + (bottom - top) * down };
  state.set([...state.all(), { ...valuesAt(frame, place), text: NEW_NOTE }]);
  state.edited.value = { index, isNew: true };
}

/** Returns the values of the axes at a place in pixels, which is kept within the frame. */
export function valuesAt(
  { box, x, y }: PlotFrame,
  place: { x: number; y: number },
): { x: number; y: number } {
  const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
  return {
    x: valueAt(x, within(place.x, box.left, box.right)),
    y: valueAt(y, within(place.y, box.top, box.bottom)),
  };
}

/** Pixels between the middle of a note and the point of its arrow, so that the arrow can be seen. */
const MIN_ARROW = 30;

/**
 * Returns the content of the bin at the x of a place in pixels, as the values of the axes; undefined if the plot has no bins there, or
 * if the content is too near to the place for an arrow, or out of sight.
 */
export function pointUnder(
  shown: AnyPlot,
  frame: PlotFrame,
  place: { x: number; y: number },
): { x: number; y: number } | undefined {
  if (shown.kind !== 'bins') return undefined;
  const { edges, values } = shown;
  const { x } = valuesAt(frame, place);
  const bin = edges.findIndex((edge, i) => edge <= x && x < (edges[i + 1] ?? edge));
  const content = values[bin];
  if (content === undefined || !Number.isFinite(content)) return undefined;
  const y = frame.y.toPixel(content);
  const isInSight = y >= frame.box.top && y <= frame.box.bottom;
  return isInSight && Math.abs(y - place.y) >= MIN_ARROW ? valuesAt(frame, { x: place.x, y }) : undefined;
}

/** Returns the value of an axis at a pixel, with as many digits as a pixel has. */
function valueAt({ toValue }: PlacedAxis, pixel: number): number {
  const value = toValue(pixel);
  const step = Math.abs(toValue(pixel + 0.5) - toValue(pixel - 0.5));
  if (value === 0 || !(step > 0)) return value;
  if (Math.abs(value) < step / 2) return 0;
  const digits = Math.ceil(Math.log10(Math.abs(value) / step)) + 1;
  return Number(value.toPrecision(Math.min(15, Math.max(2, digits))));
}
