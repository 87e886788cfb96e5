import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PlotFrame } from '../../../plot/drawing/frame';
import { readableLatex } from '../../../plot/drawing/latex';
import { type PlacedNote, placeNotes } from '../../../plot/drawing/notes';
import { MAX_NOTE, noteText } from '../../../plot/look/notes';
import type { AnyPlot } from '../../../plot/model';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { Check } from '../../../ui/widgets/segmented-control';
import { addNote, hasRoom, type NoteState, noteState, pointUnder, valuesAt } from './note-state';

interface NotesProps {
  store: ViewerStore;
  frame: PlotFrame;
}

/** The button that adds a note to a plot. */
export function NoteButton({ store, frame }: NotesProps): JSX.Element {
  return (
    <span class="save">
      <button
        type="button"
        class="quiet add-note"
        title="Write a note on the plot"
        disabled={!hasRoom(store)}
        onClick={() => addNote(store, frame)}
      >
        Note
      </button>
    </span>
  );
}

/** The notes of a plot as things that can be moved, edited and removed. The plot itself draws them. */
export function PlotNotes({ store, frame, shown }: NotesProps & { shown: AnyPlot }): JSX.Element | null {
  const state = noteState(store);
  const { notes } = store.plot.look.value;
  const edited = state.edited.value;
  const turn = store.plot.turn.value;
  // Another plot has other notes.
  useEffect(
    () => () => {
      state.edited.value = undefined;
    },
    [turn],
  );
  if (notes.length === 0) return null;
  const placed = placeNotes(notes, frame);
  const open = placed.find(({ index }) => index === edited?.index);
  return (
    <div class="plot-notes">
      {placed.map((one) => (
        <NoteHandles key={one.index} {...{ store, frame, state, placed: one }} />
      ))}
      {open && <NoteEditor key={open.index} {...{ store, frame, state, shown, placed: open }} />}
    </div>
  );
}

interface NoteProps extends NotesProps {
  state: NoteState;
  placed: PlacedNote;
}

/** Movement of a key in pixels. */
const MOVES: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Pixels by which a key moves a note; with Shift it is one pixel. */
const STEP = 8;

function NoteHandles({ frame, state, placed }: NoteProps): JSX.Element {
  const { index, left, top, width, height, to } = placed;
  const text = readableLatex(state.all()[index]?.text ?? '');
  const middle = { x: left + width / 2, y: top + height / 2 };
  const edit = () => {
    state.edited.value = { index, isNew: false };
  };
  return (
    <>
      <Handle
        class="note-handle"
        label={`Note: ${text}`}
        title="Drag to move, click to edit; with the keyboard arrows, Enter and Delete"
        at={middle}
        size={{ width, height }}
        onMove={(place) => state.change(index, valuesAt(frame, place))}
        onChoose={edit}
        onRemove={() => state.remove(index)}
      />
      {to && (
        <Handle
          class="note-tip"
          label={`Point of the arrow of ${text}`}
          title="Drag to the point; with the keyboard arrows"
          at={to}
          onMove={(place) => {
            const { x, y } = valuesAt(frame, place);
            state.change(index, { to: [x, y] });
          }}
          onChoose={edit}
          onRemove={() => state.change(index, { to: undefined })}
        />
      )}
    </>
  );
}

interface HandleProps {
  class: string;
  label: string;
  title: string;
  at: { x: number; y: number };
  size?: { width: number; height: number };
  /** Called at the end of a movement, with the new middle. */
  onMove(place: { x: number; y: number }): void;
  onChoose(): void;
  onRemove(): void;
}

/** Movements up to this many pixels are clicks. */
const MIN_MOVED = 4;

/** A part of a plot that can be dragged. While it is dragged, only its outline moves: the plot is drawn at the end. */
function Handle({
  class: name,
  label,
  title,
  at,
  size,
  onMove,
  onChoose,
  onRemove,
}: HandleProps): JSX.Element {
  const moved = useSignal<{ x: number; y: number } | undefined>(undefined);
  const from = useRef<{ x: number; y: number } | undefined>(undefined);
  const wasDragged = useRef(false);
  const { x = 0, y = 0 } = moved.value ?? {};
  const end = (isDone: boolean) => {
    const by = moved.peek();
    from.current = undefined;
    moved.value = undefined;
    wasDragged.current = by !== undefined;
    if (isDone && by) onMove({ x: at.x + by.x, y: at.y + by.y });
  };
  return (
    <button
      type="button"
      class={`${name}${moved.value ? ' moving' : ''}`}
      aria-label={label}
      title={title}
      style={{
        left: `${at.x + x}px`,
        top: `${at.y + y}px`,
        ...(size && { width: `${size.width}px`, height: `${size.height}px` }),
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, y: event.clientY };
        wasDragged.current = false;
      }}
      onPointerMove={(event) => {
        if (from.current === undefined) return;
        const by = { x: event.clientX - from.current.x, y: event.clientY - from.current.y };
        if (moved.peek() !== undefined || Math.hypot(by.x, by.y) > MIN_MOVED) moved.value = by;
      }}
      onPointerUp={() => end(true)}
      onPointerCancel={() => end(false)}
      onClick={() => {
        // The end of a drag is a click, too.
        if (!wasDragged.current) onChoose();
        wasDragged.current = false;
      }}
      onKeyDown={(event) => {
        const move = MOVES[event.key];
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (move !== undefined) {
          const far = event.shiftKey ? 1 : STEP;
          onMove({ x: at.x + move[0] * far, y: at.y + move[1] * far });
        } else if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
        else if (event.key === 'Escape' && from.current) end(false);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

/** The fields of a note, at the edge of the plot that is farther from it. */
function NoteEditor({ frame, state, shown, placed }: NoteProps & { shown: AnyPlot }): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const note = state.all()[placed.index];
  const text = note?.text ?? '';
  const { isNew = false } = state.edited.value ?? {};
  useEffect(() => field.current?.select(), []);
  const close = () => {
    state.edited.value = undefined;
  };
  const remove = () => {
    close();
    state.remove(placed.index);
  };
  const take = () => {
    const typed = noteText(field.current?.value ?? '');
    close();
    if (typed === '') state.remove(placed.index);
    else if (typed !== text) state.change(placed.index, { text: typed });
  };
  const isLow = placed.top + placed.height / 2 > (frame.box.top + frame.box.bottom) / 2;
  return (
    <form
      class={`note-editor${isLow ? ' above' : ''}`}
      aria-label="Note"
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (isNew) remove();
        else close();
      }}
    >
      <input
        ref={field}
        type="text"
        aria-label="Text of the note"
        placeholder="Text, as TLatex: Z^{0} #rightarrow #mu#mu"
        maxLength={MAX_NOTE}
        spellcheck={false}
        autofocus
        defaultValue={text}
      />
      <Check
        label="Arrow"
        on={note?.to !== undefined}
        onChange={(on) => {
          const x = placed.left + placed.width / 2;
          const y = placed.top + placed.height / 2;
          const point =
            pointUnder(shown, frame, { x, y }) ?? valuesAt(frame, { x: x + 40, y: isLow ? y - 70 : y + 70 });
          state.change(placed.index, { to: on ? [point.x, point.y] : undefined });
        }}
      />
      <button type="submit" class="primary">
        Done
      </button>
      <button type="button" onClick={remove}>
        Remove
      </button>
    </form>
  );
}
