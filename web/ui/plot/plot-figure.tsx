import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { readableLatex } from '../../plot/drawing/latex';
import { type AnyPlot, withCountErrors } from '../../plot/model';
import { type Hovered, mountPlot, type PagePlot, type PagePlotOptions } from '../../plot/page-plot';
import { type Layer, layersOf } from '../../plot/panels';
import type { PlotWindow } from '../../plot/ranges';
import type { PlotLook } from '../state/plot-state';
import { knowsGestures } from './gesture-hint';

export interface PlotFigureProps extends Pick<PagePlotOptions, 'refills'> {
  model: AnyPlot;
  look: PlotLook;
  /** Redraws in the colours of the theme when it changes. */
  theme: 'light' | 'dark';
  /** The plot is from before the last change; shown fainter. */
  stale?: boolean;
  /** The visible part, when the plot is zoomed. */
  window?: PlotWindow | undefined;
  /** Called when a part of the axes was chosen. Without it the plot does not zoom. */
  onZoom?: ((window: PlotWindow) => void) | undefined;
  onReset?: (() => void) | undefined;
  /** Buttons in the corner of the plot. */
  children?: ComponentChildren;
}

const KEYS =
  'Arrow keys move, plus and minus zoom, comma and point go from value to value, 0 shows everything.';

/** A plot that fills its place, with a crosshair and the value at the pointer, and the names of its lines, which hide them. */
export function PlotFigure(props: PlotFigureProps): JSX.Element {
  const { model, look, theme, stale = false, window, refills, onZoom, onReset, children } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<PagePlot | undefined>(undefined);
  const at = useSignal<Hovered | null>(null);
  const hidden = useSignal<ReadonlySet<number>>(new Set());
  const actions = useRef({ onZoom, onReset });
  actions.current = { onZoom, onReset };
  const shown = model.kind === 'bins' && look.errors ? withCountErrors(model) : model;
  const layers = shown.kind === 'map' ? [] : layersOf(shown, false);
  const options: PagePlotOptions = {
    ...{ log: look.log, window, refills, dark: theme === 'dark', hidden: hidden.value },
    onHover(hovered) {
      at.value = hovered;
    },
    onZoom:
      onZoom &&
      ((next) => {
        knowsGestures.value = true;
        actions.current.onZoom?.(next);
      }),
    onReset: () => actions.current.onReset?.(),
  };

  useEffect(() => () => plot.current?.destroy(), []);
  useEffect(() => {
    if (host.current === null) return;
    if (plot.current === undefined) plot.current = mountPlot(host.current, shown, options);
    else plot.current.update(shown, options);
  }, [model, look, theme, refills, hidden.value, String(window?.x), String(window?.y)]);

  const lines = [...model.stats, ...(model.functions ?? []).flatMap((one) => one.lines)];
  const spoken = lines.map((line) => `${readableLatex(line.label)} ${line.value}`).join(', ');
  return (
    <figure class={`plot${stale ? ' stale' : ''}`} part="plot">
      <div class="plot-line">
        {children}
        {layers.length > 1 && (
          <Legend layers={layers} hidden={hidden.value} onHide={(next) => (hidden.value = next)} />
        )}
      </div>
      <div class="plot-stage">
        <div
          class="plot-host"
          ref={host}
          role="img"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows and + - 0 move the plot
          tabIndex={0}
          aria-label={`Plot of ${namesOf(model)}. ${spoken}. ${KEYS}`}
        />
        {at.value !== null && <Readout at={at.value} />}
      </div>
      {onZoom && !knowsGestures.value && <GestureHint />}
    </figure>
  );
}

/** The value at the crosshair, beside it. */
function Readout({ at: { text, x, y } }: { at: Hovered }): JSX.Element {
  return (
    <p class="readout" role="status" style={{ '--at-x': `${x}px`, '--at-y': `${y}px` }}>
      {text}
    </p>
  );
}

interface LegendProps {
  layers: readonly Layer[];
  hidden: ReadonlySet<number>;
  onHide(hidden: ReadonlySet<number>): void;
}

/** The names of what is drawn; each hides and shows its own. */
function Legend({ layers, hidden, onHide }: LegendProps): JSX.Element {
  return (
    <div class="plot-legend">
      {layers.map(({ title, ink }, i) => (
        <button
          type="button"
          key={`${ink} ${title}`}
          aria-pressed={!hidden.has(i)}
          title={hidden.has(i) ? 'Show it' : 'Hide it'}
          onClick={() => onHide(new Set(hidden.has(i) ? [...hidden].filter((k) => k !== i) : [...hidden, i]))}
        >
          <span
            class="line-swatch"
            style={{ background: `var(--plot-${ink.replace(/(\d)/, '-$1').replace('-1', '')})` }}
          />{' '}
          {readableLatex(title)}
        </button>
      ))}
    </div>
  );
}

/** Says what the pointer does, until it has been done once. */
function GestureHint(): JSX.Element {
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

function namesOf(model: AnyPlot): string {
  const [other] = model.kind === 'bins' ? (model.overlays ?? []) : [];
  const title = readableLatex(model.title);
  if (other === undefined) return title;
  const own = model.label ?? title;
  return `${title}: ${own} and ${other.title}, with the ratio of ${own} to ${other.title}`;
}
