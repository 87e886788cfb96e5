import { lazy } from './lazy';
import type { PlotFigureProps } from './plot-figure';

/** See `PlotFigure`. What draws is loaded while a file is being opened: the start does without it. */
export const PlotView = lazy<PlotFigureProps>(() =>
  import('./plot-figure').then(({ PlotFigure }) => PlotFigure),
);
