import type { PlotFrame } from '../../../plot/drawing/frame';
import type { AnyPlot } from '../../../plot/model';
import type { Places } from '../../../ui/part';
import { PlotSpan, type Span } from '../../../ui/plot/plot-span';
import { formatFitText, parseFitText, rangesIn } from '../work/fit-text';
import { draggedRange } from './use-fit';

/** The range of the fit on the plot, with ends that are dragged; of a map one on each axis. */
export function FitRange({ store, frame, shown }: Places['over']): JSX.Element {
  const { look } = store.plot;
  const fit = parseFitText(look.value.fit);
  const dragged = draggedRange(store);
  const asked = dragged.value ?? fit.range;
  const read = asked === '' ? [] : rangesIn(asked);
  const axes = shown.kind === 'map' ? (['x', 'y'] as const) : (['x'] as const);
  const ends = axes.map((axis) => endsOf(shown, frame, axis));
  const spans = ends.map((all, i): Span => (typeof read === 'string' ? all : (read[i] ?? all)));
  const put = (next: readonly Span[], isDone: boolean, isReset = false) => {
    // Without a range, values outside of the plot are fitted, too.
    const isWhole =
      isReset || (fit.unbinned === '' && next.every((span, i) => span.join() === ends[i]?.join()));
    const range = isWhole ? '' : next.map((span) => span.join(':')).join(',');
    dragged.value = isDone ? undefined : range;
    if (isDone && range !== fit.range) look.value = { ...look.value, fit: formatFitText({ ...fit, range }) };
  };
  return (
    <>
      {axes.map((axis, i) => {
        const all = ends[i] ?? [0, 1];
        return (
          <PlotSpan
            key={axis}
            {...{ frame, axis, ends: all, span: spans[i] ?? all, step: stepOf(shown, axis, all) }}
            label={axes.length > 1 ? `Range of the fit along ${axis}` : 'Range of the fit'}
            onSpan={(span, isDone) => put(spans.with(i, span), isDone)}
            onReset={() => put(spans.with(i, all), true, fit.unbinned !== '')}
          />
        );
      })}
    </>
  );
}

/** Ends of the bins along an axis; for points those of the axis that is drawn. */
function endsOf(shown: AnyPlot, frame: PlotFrame, axis: 'x' | 'y'): Span {
  const edges = edgesOf(shown, axis);
  if (edges) return [edges[0] ?? 0, edges.at(-1) ?? 1];
  return [frame.x.toValue(frame.box.left), frame.x.toValue(frame.box.right)];
}

const edgesOf = (shown: AnyPlot, axis: 'x' | 'y') =>
  shown.kind === 'map'
    ? axis === 'x'
      ? shown.xEdges
      : shown.yEdges
    : shown.kind === 'bins'
      ? shown.edges
      : undefined;

const stepOf = (shown: AnyPlot, axis: 'x' | 'y', [low, high]: Span) =>
  (high - low) / Math.min(200, (edgesOf(shown, axis)?.length ?? 101) - 1);
