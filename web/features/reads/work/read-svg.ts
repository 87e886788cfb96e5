import type { PerfReport } from '../../../api/reading';
import { plotSvg } from '../../../plot/svg';
import { readPatternPlot, waterfallPlot } from './read-pattern';

const WIDTH = 1000;
/** Most rows that a picture shows, and the pixels of each. */
const MAX_ROWS = 120;
const ROW = 15;

/** Returns the pattern of reads as SVG, with the numbers of TTreePerfStats beside it, also of another reading. */
export function patternSvg(report: PerfReport, compare?: PerfReport): string {
  const height = compare === undefined ? 460 : 720;
  return plotSvg(readPatternPlot(report, { compare }).model, { width: WIDTH, height });
}

/** The reads along the axis of time as SVG. */
export function waterfallSvg(report: PerfReport): string {
  const { model } = waterfallPlot(report, MAX_ROWS);
  return plotSvg(model, { width: WIDTH, height: 100 + ROW * Math.max(8, model.rows?.length ?? 0) });
}
