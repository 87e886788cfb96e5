import { lazy } from '../widgets/lazy';
import type { PlotFigureProps } from './plot-figure';

/**
 * See `PlotFigure`. The code that draws is loaded while a file is being opened, because the start page does
 * not need it.
 */
export const PlotView = lazy<PlotFigureProps>(
  () => import('./plot-figure').then(({ PlotFigure }) => PlotFigure),
  true,
);
