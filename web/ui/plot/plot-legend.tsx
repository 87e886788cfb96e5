import type { Hovered } from '../../plot/chart/page-plot';
import { type Colour, colourOf, DARK_PALETTE, PALETTE } from '../../plot/drawing/drawing';
import { readableLatex } from '../../plot/drawing/latex';
import { NameText } from '../widgets/name-text';
import { slot } from '../widgets/slot';
import { knowsGestures } from './gesture-hint';

/** The value at the crosshair, shown beside it. */
export function Readout({ at: { text, x, y } }: { at: Hovered }): JSX.Element {
  return (
    <p class="readout" role="status" style={{ '--at-x': `${x}px`, '--at-y': `${y}px` }}>
      {text}
    </p>
  );
}

interface LegendProps {
  theme: 'light' | 'dark';
  /** Layers in order. A layer coloured by content has no `ink`. */
  layers: readonly {
    title: string;
    ink?: Colour | undefined;
    dash?: string | undefined;
    isReference?: boolean | undefined;
  }[];
  hidden: ReadonlySet<number>;
  onHide(hidden: ReadonlySet<number>): void;
}

/** The names of the layers; a click on a name hides or shows its layer. */
export function Legend({ theme, layers, hidden, onHide }: LegendProps): JSX.Element {
  return (
    <div class="plot-legend">
      {layers.map(({ title, ink, dash, isReference }, i) =>
        title === '' ? null : (
          <button
            type="button"
            key={`${ink} ${title}`}
            aria-pressed={!hidden.has(i)}
            title={`${readableLatex(title)}: ${hidden.has(i) ? 'show it' : 'hide it'}`}
            onClick={() =>
              onHide(new Set(hidden.has(i) ? [...hidden].filter((k) => k !== i) : [...hidden, i]))
            }
          >
            {ink && <span class="line-swatch" style={swatchStyle(swatchOf(ink, theme), dash)} />}
            <NameText name={readableLatex(title)} />
            {isReference && <small>, reference</small>}
          </button>
        ),
      )}
    </div>
  );
}

/** A sample of a line, as in a plot on the page. */
export function Swatch({ ink, dash }: { ink: string; dash?: string | undefined }): JSX.Element {
  const number = Number(ink.slice(-1));
  const colour = ink === 'ink' ? 'currentColor' : `var(--plot-line${number === 1 ? '' : `-${number}`})`;
  return <span class="line-swatch" style={swatchStyle(colour, dash)} />;
}

/** A piece of a line with its colour and dashes. */
function swatchStyle(colour: string, dash: string | undefined): { background: string } {
  if (dash === undefined) return { background: colour };
  let at = 0;
  const stops = dash.split(' ').map((length, i) => {
    const from = at;
    at += Number(length);
    return `${i % 2 === 0 ? colour : 'transparent'} ${from}px ${at}px`;
  });
  return { background: `repeating-linear-gradient(90deg, ${stops.join(', ')})` };
}

/** Returns the colour of a line in the page; other inks have their colour in the theme. */
export function swatchOf(ink: Colour, theme: 'light' | 'dark'): string {
  const [, number] = /^line(\d)$/.exec(ink) ?? [];
  if (number === undefined) return colourOf(ink, theme === 'dark' ? DARK_PALETTE : PALETTE);
  return `var(--plot-line${number === '1' ? '' : `-${number}`})`;
}

/** A hint about gestures, until the user has used one. */
export function GestureHint(): JSX.Element {
  const isTouched = globalThis.matchMedia?.('(pointer: coarse)').matches === true;
  return (
    <figcaption class="plot-hint">
      {isTouched
        ? 'Two fingers zoom and move, a double tap shows everything.'
        : 'Drag or wheel to zoom, Shift and drag to move, double-click for everything.'}{' '}
      <button type="button" class="link" onClick={() => (knowsGestures.value = true)}>
        Got it
      </button>
    </figcaption>
  );
}

/** Parts of features above a plot and on it. */
export const Tools = slot('tools');
export const Over = slot('over');
