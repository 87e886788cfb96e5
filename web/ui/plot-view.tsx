import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { mountMap } from '../plot/heat-map';
import { type MapModel, type PlotModel, statNumber } from '../plot/model';
import { mountPlot } from '../plot/page-plot';

interface PlotViewProps {
  model: PlotModel | MapModel;
  logY: boolean;
  /** Redraws in the colours of the theme when it changes. */
  theme: 'light' | 'dark';
  /** The plot is of before the last change; shown fainter. */
  stale?: boolean;
  onRange?: ((low: number, high: number) => void) | undefined;
  onReset?: (() => void) | undefined;
}

/** A plot that fills its place, with what is under the pointer written above it. */
export function PlotView({
  model,
  logY,
  theme,
  stale = false,
  onRange,
  onReset,
}: PlotViewProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const readout = useSignal('');
  const actions = useRef({ onRange, onReset });
  actions.current = { onRange, onReset };
  const zooms = onRange !== undefined;

  useEffect(() => {
    if (host.current === null) return;
    readout.value = '';
    if (model.kind === 'map') {
      const map = mountMap(host.current, model, {
        dark: theme === 'dark',
        log: logY,
        onHover(bin) {
          readout.value = bin === null ? '' : mapReadout(model, bin.x, bin.y);
        },
      });
      return () => map.destroy();
    }
    const plot = mountPlot(host.current, model, {
      logY,
      onHover(bin) {
        readout.value = bin === null ? '' : binReadout(model, bin.index);
      },
      onRange: zooms ? (low, high) => actions.current.onRange?.(low, high) : undefined,
      onReset: zooms ? () => actions.current.onReset?.() : undefined,
    });
    return () => plot.destroy();
  }, [model, logY, theme, zooms]);

  const spoken = model.stats.map((line) => `${line.label} ${line.value}`).join(', ');
  return (
    <figure class={`plot${stale ? ' stale' : ''}`}>
      <figcaption class="readout">{readout.value || ' '}</figcaption>
      <div class="plot-host" ref={host} role="img" aria-label={`Plot of ${model.title}. ${spoken}`} />
    </figure>
  );
}

function span(edges: Float64Array, index: number): string {
  return `[${statNumber(edges[index] ?? Number.NaN)}, ${statNumber(edges[index + 1] ?? Number.NaN)})`;
}

function binReadout(model: PlotModel, index: number): string {
  const error = model.errors?.[index];
  const value = statNumber(model.values[index] ?? Number.NaN);
  return `${span(model.edges, index)}   ${value}${error === undefined ? '' : ` ± ${statNumber(error)}`}`;
}

function mapReadout(model: MapModel, x: number, y: number): string {
  const value = model.values[y * (model.xEdges.length - 1) + x] ?? Number.NaN;
  return `x ${span(model.xEdges, x)}   y ${span(model.yEdges, y)}   ${statNumber(value)}`;
}
