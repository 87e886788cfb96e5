import type { PerfReport } from '../../../api/reading';
import { drawingSvg, escapeXml } from '../../../plot/drawing/drawing';
import { plotPicture, plotSvg } from '../../../plot/svg';
import { alike, readPatternPlot, waterfallPlot } from './read-pattern';

const WIDTH = 1000;
/** Most rows that a picture shows, and the pixels of each. */
const MAX_ROWS = 120;
const ROW = 15;

/** Returns the pattern of reads as SVG, with the numbers of TTreePerfStats beside it, also of another reading. */
export function patternSvg(report: PerfReport, compare?: PerfReport): string {
  const height = compare === undefined ? 460 : 720;
  return plotSvg(readPatternPlot(report, { compare }).model, { width: WIDTH, height });
}

/** Returns the patterns of two readings of a file side by side, on the same axes. */
export function patternsSvg(before: PerfReport, after: PerfReport): string {
  const [width, height] = [900, 520];
  const models = [before, after].map((report) => {
    const { model } = readPatternPlot(report);
    return { ...model, title: report.by };
  });
  const pictures = alike(models).map((model) => plotPicture(model, { width, height }));
  const title = `${before.tree} in ${before.file}: before and after`;
  const size = { width: 2 * width, height, viewBox: `0 0 ${2 * width} ${height}` };
  const attributes = Object.entries(size).map(([name, value]) => `${name}="${value}"`);
  const parts = pictures.map((picture, i) => drawingSvg(picture, { id: `p${i}`, x: i * width, y: 0 }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes.join(' ')} role="img">`,
    `<title>${escapeXml(title)}</title>`,
    ...parts.map((part) => part.trimEnd()),
    '</svg>\n',
  ].join('\n');
}

/** The reads along the axis of time as SVG. */
export function waterfallSvg(report: PerfReport): string {
  const { model } = waterfallPlot(report, MAX_ROWS);
  return plotSvg(model, { width: WIDTH, height: 100 + ROW * Math.max(8, model.rows?.length ?? 0) });
}
