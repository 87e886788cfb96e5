import { useState } from 'preact/hooks';
import { plainLook } from '../../plot/look/look';
import type { PlotWindow } from '../../plot/ranges';
import type { PlotFigureProps } from './plot-figure';
import { PlotView } from './plot-view';

type FreePlotProps = Pick<PlotFigureProps, 'model' | 'theme' | 'onChoose'> & {
  look?: PlotFigureProps['look'];
  /** The part that is shown first. */
  first?: PlotWindow | undefined;
};

/** A plot that keeps its zoomed range itself: links do not have it. */
export function FreePlot({ look = plainLook, first = {}, ...plot }: FreePlotProps): JSX.Element {
  const [window, setWindow] = useState<PlotWindow | undefined>(undefined);
  const reset = () => setWindow(undefined);
  return (
    <div class="free-plot">
      <PlotView
        {...plot}
        look={look}
        window={window ?? first}
        onZoom={setWindow}
        onReset={reset}
        hint={false}
      />
    </div>
  );
}
