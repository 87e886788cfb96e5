import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { mountMap } from '../plot/heat-map';
import {
  type AnyPlot,
  type GraphModel,
  type MapModel,
  type PlotModel,
  statNumber,
  withCountErrors,
} from '../plot/model';
import { mountPlot } from '../plot/page-plot';
import type { PlotLook } from './plot-state';

export interface PlotFigureProps {
  model: AnyPlot;
  look: PlotLook;
  /** Redraws in the colours of the theme when it changes. */
  theme: 'light' | 'dark';
  /** The plot is of before the last change; shown fainter. */
  stale?: boolean;
  onRange?: ((low: number, high: number) => void) | undefined;
  onReset?: (() => void) | undefined;
  /** Buttons in the corner of the plot. */
  children?: ComponentChildren;
}

/** A plot that fills its place, with what is under the pointer written above it. */
export function PlotFigure({
  model,
  look,
  theme,
  stale = false,
  onRange,
  onReset,
  children,
}: PlotFigureProps): JSX.Element {
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
        log: look.log.y,
        onHover(bin) {
          readout.value = bin === null ? '' : mapReadout(model, bin.x, bin.y);
        },
      });
      return () => map.destroy();
    }
    const shown = model.kind === 'bins' && look.errors ? withCountErrors(model) : model;
    const plot = mountPlot(host.current, shown, {
      log: look.log,
      onHover(bin) {
        readout.value = bin === null ? '' : readoutOf(shown, bin.index);
      },
      onRange: zooms ? (low, high) => actions.current.onRange?.(low, high) : undefined,
      onReset: zooms ? () => actions.current.onReset?.() : undefined,
    });
    return () => plot.destroy();
  }, [model, look, theme, zooms]);

  const spoken = model.stats.map((line) => `${line.label} ${line.value}`).join(', ');
  return (
    <figure class={`plot${stale ? ' stale' : ''}`} part="plot">
      <figcaption class="readout">{readout.value || ' '}</figcaption>
      <div class="plot-host" ref={host} role="img" aria-label={`Plot of ${model.title}. ${spoken}`} />
      {children}
    </figure>
  );
}

function span(edges: Float64Array, index: number): string {
  return `[${statNumber(edges[index] ?? Number.NaN)}, ${statNumber(edges[index + 1] ?? Number.NaN)})`;
}

function readoutOf(model: PlotModel | GraphModel, index: number): string {
  if (model.kind === 'graph') return pointReadout(model, index);
  const contents = [model, ...(model.overlays ?? [])].map(({ values, errors }) => {
    const value = statNumber(values[index] ?? Number.NaN);
    return errors === undefined ? value : `${value} ± ${statNumber(errors[index] ?? Number.NaN)}`;
  });
  const name = model.xLabels?.[index];
  return [name || span(model.edges, index), ...contents].join('   ');
}

function pointReadout({ x, y, errors }: GraphModel, index: number): string {
  const part = (name: string, value = Number.NaN, down = 0, up = 0) => {
    const error =
      down === up ? (up > 0 ? ` ± ${statNumber(up)}` : '') : ` −${statNumber(down)} +${statNumber(up)}`;
    return `${name} ${statNumber(value)}${error}`;
  };
  return [
    part('x', x[index], errors?.left[index], errors?.right[index]),
    part('y', y[index], errors?.down[index], errors?.up[index]),
  ].join('   ');
}

function mapReadout(model: MapModel, x: number, y: number): string {
  const value = model.values[y * (model.xEdges.length - 1) + x] ?? Number.NaN;
  const place = (labels: string[] | undefined, edges: Float64Array, at: number) =>
    labels?.[at] || span(edges, at);
  const at = [place(model.xLabels, model.xEdges, x), place(model.yLabels, model.yEdges, y)];
  return `x ${at[0]}   y ${at[1]}   ${statNumber(value)}`;
}
