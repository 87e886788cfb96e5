import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Hovered, mountPlot, type PagePlot, type PagePlotOptions } from '../../plot/chart/page-plot';
import type { PlotFrame } from '../../plot/drawing/frame';
import { readableLatex } from '../../plot/drawing/latex';
import type { PlotLook } from '../../plot/look/look';
import { type AnyPlot, inLook } from '../../plot/model';
import { layersOf } from '../../plot/panels';
import type { PlotWindow } from '../../plot/ranges';
import type { ViewerStore } from '../state/viewer-state';
import { knowsGestures } from './gesture-hint';
import { type ShownRange, useRanges } from './use-ranges';

export interface PlotFigureProps extends Pick<PagePlotOptions, 'refills' | 'onChoose'> {
  model: AnyPlot;
  look: PlotLook;
  /** The viewer whose look the plot has, if it may be changed on the plot, as by notes. */
  store?: ViewerStore | undefined;
  /** The theme. The plot is redrawn when it changes. */
  theme: 'light' | 'dark';
  /** Whether the plot is from before the last change. It is then shown fainter. */
  stale?: boolean;
  /** The visible part, when the plot is zoomed. */
  window?: PlotWindow | undefined;
  /** Called when a part of the axes was selected. Without it the plot cannot be zoomed. */
  onZoom?: ((window: PlotWindow) => void) | undefined;
  onReset?: (() => void) | undefined;
  /** The part that is shown, and how it is set. Default: `window` and `onZoom`. */
  range?: ShownRange | undefined;
  /** Whether a hint about zooming may be shown. Default: true. */
  hint?: boolean;
  /** Buttons in the corner of the plot. */
  children?: ComponentChildren;
}

const KEYS =
  'Arrow keys move, plus and minus zoom, comma and point go from value to value, 0 shows everything, Backspace the range before.';

/** A plot that fills its place, with a crosshair, the value at the pointer, and a legend to hide lines. */
export function PlotFigure(props: PlotFigureProps): JSX.Element {
  const {
    model,
    look,
    store,
    theme,
    stale = false,
    window,
    refills,
    onZoom,
    onReset,
    onChoose,
    range,
    hint = true,
    children,
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<PagePlot | undefined>(undefined);
  const at = useSignal<Hovered | null>(null);
  const parts = useSignal<typeof import('./plot-legend') | undefined>(undefined);
  const frame = useSignal<PlotFrame | undefined>(undefined);
  const hidden = useSignal<ReadonlySet<number>>(new Set());
  const steps = useRanges(range ?? { of: undefined, now: window ?? {}, show: (next) => onZoom?.(next) });
  const actions = useRef({ onZoom, onReset, onChoose, steps });
  actions.current = { onZoom, onReset, onChoose, steps };
  const shown = inLook(model, look);
  const layers =
    shown.kind === 'map' ? [{ title: shown.label ?? '' }, ...(shown.overlays ?? [])] : layersOf(shown, false);
  const options: PagePlotOptions = {
    ...{ ...look, window, refills, dark: theme === 'dark', hidden: hidden.value },
    // They come with the chart, after the first picture.
    onReady: () =>
      void import('./plot-legend').then((loaded) => (parts.value = loaded)).catch(() => undefined),
    onFrame: (next) => (frame.value = next),
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
    onStep: (to) => actions.current.steps[to]?.(),
    onChoose: (layer, index) => actions.current.onChoose?.(layer, index),
  };

  useEffect(() => () => plot.current?.destroy(), []);
  // At the same time as the numbers beside it, so that a key acts on the visible plot.
  useLayoutEffect(() => {
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
        {parts.value && store && frame.value && <parts.value.Tools store={store} frame={frame.value} />}
        {(steps.back || steps.forward) && (
          <span class="plot-steps">
            <StepButton label="Back" title="The range before (Backspace, Ctrl Z)" step={steps.back} />
            <StepButton label="Forward" title="The next range (Ctrl Y)" step={steps.forward} />
          </span>
        )}
        {parts.value && layers.length > 1 && (
          <parts.value.Legend
            theme={theme}
            layers={layers}
            hidden={hidden.value}
            onHide={(next) => (hidden.value = next)}
          />
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
        {parts.value && at.value && <parts.value.Readout at={at.value} />}
        {parts.value && store && frame.value && (
          <parts.value.Over store={store} frame={frame.value} shown={shown} />
        )}
      </div>
      {parts.value && onZoom && hint && !knowsGestures.value && <parts.value.GestureHint />}
    </figure>
  );
}

/** A button that shows another part of the plot. */
function StepButton(props: { label: string; title: string; step: (() => void) | undefined }): JSX.Element {
  const { label, title, step } = props;
  return (
    <button type="button" title={title} disabled={step === undefined} onClick={step}>
      {label === 'Back' ? `← ${label}` : `${label} →`}
    </button>
  );
}

function namesOf(model: AnyPlot): string {
  const title = readableLatex(model.title);
  const { overlays = [] } = model;
  if (overlays.length === 0) return title;
  const names = [model.label ?? title, ...overlays.map((one) => one.title)].map(readableLatex);
  const below =
    model.kind !== 'map' && model.below
      ? `, with the ${readableLatex(model.below.model.title).replace(/^R/, 'r')}`
      : '';
  return `${title}: ${names.slice(0, -1).join(', ')} and ${names.at(-1)}${below}`;
}
