import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ratioModel } from '../../plot/compare';
import { readableLatex } from '../../plot/drawing/latex';
import { type TimeAxis, timeText } from '../../plot/drawing/time-axis';
import {
  type AnyPlot,
  type GraphModel,
  type MapModel,
  type PlotModel,
  statNumber,
  withCountErrors,
} from '../../plot/model';
import { mountPlot } from '../../plot/page-plot';
import type { PlotWindow } from '../../plot/ranges';
import type { PlotLook } from '../state/plot-state';

export interface PlotFigureProps {
  model: AnyPlot;
  look: PlotLook;
  /** Redraws in the colours of the theme when it changes. */
  theme: 'light' | 'dark';
  /** The plot is from before the last change; shown fainter. */
  stale?: boolean;
  /** The visible part, when the plot is zoomed. */
  window?: PlotWindow | undefined;
  /** Called when a part of the axes was dragged. Without it the plot does not zoom. */
  onZoom?: ((window: PlotWindow) => void) | undefined;
  onReset?: (() => void) | undefined;
  /** Buttons in the corner of the plot. */
  children?: ComponentChildren;
}

/** Told where the value under the pointer is while there is none. */
const gestures = 'Drag across to zoom, double-click for everything';

/** A plot that fills its place, with the value under the pointer written above it. */
export function PlotFigure(props: PlotFigureProps): JSX.Element {
  const { model, look, theme, stale = false, window, onZoom, onReset, children } = props;
  const host = useRef<HTMLDivElement>(null);
  const readout = useSignal('');
  const actions = useRef({ onZoom, onReset });
  actions.current = { onZoom, onReset };
  const zooms = onZoom !== undefined;

  useEffect(() => {
    if (host.current === null) return;
    readout.value = '';
    const shown = model.kind === 'bins' && look.errors ? withCountErrors(model) : model;
    const plot = mountPlot(host.current, shown, {
      log: look.log,
      window,
      dark: theme === 'dark',
      onHover(bin) {
        readout.value = bin === null ? '' : readoutOf(shown, bin.index, bin.row);
      },
      onZoom: zooms ? (next) => actions.current.onZoom?.(next) : undefined,
      onReset: () => actions.current.onReset?.(),
    });
    return () => plot.destroy();
  }, [model, look, theme, zooms, String(window?.x), String(window?.y)]);

  const lines = [...model.stats, ...(model.functions ?? []).flatMap((one) => one.lines)];
  const spoken = lines.map((line) => `${readableLatex(line.label)} ${line.value}`).join(', ');
  return (
    <figure class={`plot${stale ? ' stale' : ''}`} part="plot">
      <div class="plot-line">
        {children}
        <figcaption class={readout.value === '' ? 'readout idle' : 'readout'}>
          {readout.value || (zooms ? gestures : ' ')}
        </figcaption>
      </div>
      <div class="plot-host" ref={host} role="img" aria-label={`Plot of ${namesOf(model)}. ${spoken}`} />
    </figure>
  );
}

function namesOf(model: AnyPlot): string {
  const [other] = model.kind === 'bins' ? (model.overlays ?? []) : [];
  const title = readableLatex(model.title);
  if (other === undefined) return title;
  const own = model.label ?? title;
  return `${title}: ${own} and ${other.title}, with the ratio of ${own} to ${other.title}`;
}

function readoutOf(model: AnyPlot, index: number, row: number): string {
  if (model.kind === 'graph') return pointReadout(model, index);
  return model.kind === 'map' ? mapReadout(model, index, row) : binReadout(model, index);
}

/** A value of an axis: a number, or a time. */
function axisText(value: number, time: TimeAxis | undefined): string {
  return time === undefined ? statNumber(value) : timeText(value, time);
}

function span(edges: Float64Array, index: number, time: TimeAxis | undefined): string {
  const [low, high] = [0, 1].map((more) => axisText(edges[index + more] ?? Number.NaN, time));
  return `[${low}, ${high})`;
}

function binReadout(model: PlotModel, index: number): string {
  const contents = [model, ...(model.overlays ?? [])].map(({ values, errors }) => {
    const value = statNumber(values[index] ?? Number.NaN);
    return errors === undefined ? value : `${value} ± ${statNumber(errors[index] ?? Number.NaN)}`;
  });
  const name = readableLatex(model.xLabels?.[index] ?? '');
  const ratio = ratioModel(model);
  const quotient = ratio?.values[index] ?? Number.NaN;
  const error = statNumber(ratio?.errors?.[index] ?? Number.NaN);
  const last = Number.isFinite(quotient) ? [`ratio ${statNumber(quotient)} ± ${error}`] : [];
  return [name || span(model.edges, index, model.xTime), ...contents, ...last].join('   ');
}

function pointReadout({ x, y, errors, xTime, yTime }: GraphModel, index: number): string {
  const part = (name: string, value: string, down = 0, up = 0) => {
    const error =
      down === up ? (up > 0 ? ` ± ${statNumber(up)}` : '') : ` −${statNumber(down)} +${statNumber(up)}`;
    return `${name} ${value}${error}`;
  };
  return [
    part('x', axisText(x[index] ?? Number.NaN, xTime), errors?.left[index], errors?.right[index]),
    part('y', axisText(y[index] ?? Number.NaN, yTime), errors?.down[index], errors?.up[index]),
  ].join('   ');
}

function mapReadout(model: MapModel, x: number, y: number): string {
  const value = model.values[y * (model.xEdges.length - 1) + x] ?? Number.NaN;
  const place = (labels: string[] | undefined, edges: Float64Array, at: number, time: TimeAxis | undefined) =>
    readableLatex(labels?.[at] ?? '') || span(edges, at, time);
  const at = [
    place(model.xLabels, model.xEdges, x, model.xTime),
    place(model.yLabels, model.yEdges, y, model.yTime),
  ];
  return `x ${at[0]}   y ${at[1]}   ${statNumber(value)}`;
}
