// One entry for each feature that plots of programs use (xylem/plot). Entries load code only when it is used.
import type { PlotPart } from './work-part';

export const figures: PlotPart = {
  figureSvg: async () => (await import('./figures/work/plot-figure')).figureSvgOf,
};
