import type { Places } from '../../../ui/part';
import { PlotSpan } from '../../../ui/plot/plot-span';
import { plotBands } from './band-state';

/** The ranges on the plot, with ends that are dragged. */
export function CalcBands({ store, frame }: Places['over']): JSX.Element | null {
  const shown = plotBands(store).value;
  if (shown === undefined) return null;
  const { axis, ends, step, bands, isGate, onBand } = shown;
  return (
    <>
      {bands.map(
        (span, i) =>
          span && (
            <PlotSpan
              key={i}
              {...{ frame, axis, ends, step, span }}
              label={i === 0 ? (isGate ? 'Gate' : 'Range') : 'Range of the background'}
              second={i > 0}
              onSpan={(next) => onBand(i, next)}
            />
          ),
      )}
    </>
  );
}
