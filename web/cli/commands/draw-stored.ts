import type { PlainObject } from '../../api/api';
import { unsupported } from '../../base/data-errors';
import { XylemError } from '../../base/errors';
import { errorOf } from '../../core/tape';
import { writePlain } from '../../export/canonical';
import { findKey, isTree } from '../../model/keys';
import type { AnyPlot } from '../../plot/model';
import {
  hasManyAxes,
  isBinsClass,
  isGraphClass,
  isMapClass,
  isPictureClass,
} from '../../plot/stored/classes';
import type { FunctionSamples } from '../../plot/stored/functions';
import type { PointTable } from '../../plot/stored/points';
import { PLAIN } from '../../plot/stored/style';
import { asOption, UsageError } from '../arguments';
import { callOf } from '../calls';
import { type Context, type OpenFile, writeText } from '../context';
import { wantsPicture, writePicture } from '../terminal/picture';
import { type DrawnGiven, outputsOf, showDrawn, showPlot } from '../terminal/show-drawn';

/** Whether a path is of something in the file that is not a tree. */
export async function isStored(file: OpenFile, path: string): Promise<boolean> {
  const key = findKey(await file.keys(), path);
  return key !== undefined && !isTree(key);
}

/** Draws a stored histogram, graph or function, or prints it as JSON. Returns the exit status. */
export async function drawStored(
  open: OpenFile,
  path: string,
  asked: DrawnGiven & { option?: string | undefined; project?: string | undefined },
  context: Context,
): Promise<number> {
  const { out } = context;
  const given = { ...asked, query: { file: open.info.name, draw: path } };
  const object = await open.object(path);
  if (given.project !== undefined) {
    checkDecoded(object, path);
    if (given.option !== undefined) throw new UsageError('--option does not go with --project.');
    await showProjection(object, given.project, given, context);
    return 0;
  }
  checkOption(object, path, given.option);
  if (given.json) {
    const { emptied } = await import('../../bins/buffers');
    writePlain(emptied(object), (text) => out.put(text));
    out.line();
    return 0;
  }
  checkDecoded(object, path);
  if (given.csv !== undefined && isPoints(object._typename)) {
    const model = await storedModel(open, path, object);
    const tables = await tablesOf(object, model);
    if (tables.length === 0) throw unsupported(`"${path}" has no points.`);
    const { pointsCsv } = await import('../../bins/points-csv');
    await writeText(given.csv, pointsCsv(tables), context);
    return 0;
  }
  if (outputsOf(given).length > 0 && !wantsPicture(given)) {
    const { histogramOfObject } = await import('../../bins/stored-histogram');
    await showDrawn(histogramOfObject(object), given, context);
    return 0;
  }
  if (object._typename === 'TTreePerfStats') {
    await drawReading(object, given, context);
    return 0;
  }
  if (isPictureClass(object._typename)) {
    await drawPicture(open, path, object, given, context);
    return 0;
  }
  // A terminal has one way to show bins.
  const isText = isBinsClass(object._typename) && !wantsPicture(given);
  const model = await storedModel(open, path, object, isText ? PLAIN : given.option);
  if (model.kind === 'graph' && !wantsPicture(given)) {
    throw unsupported(`"${path}" is a ${object._typename}, which a terminal cannot show.`, 'Use --svg OUT.');
  }
  if (hasManyAxes(object._typename)) await noteProjection(path, object, context);
  await showPlot(model, given, context);
  return 0;
}

/** Says that a plot is a projection: its entries and its statistics are not those of the object. */
async function noteProjection(path: string, object: PlainObject, { err }: Context): Promise<void> {
  const { axesOfMany } = await import('../../bins/project');
  const names = axesOfMany(object)?.map(({ name }) => name) ?? [];
  err.line(
    `note: "${path}" has ${names.length} axes, ${names.join(', ')}: the projection to ${names.slice(0, 2).join(', ')} is drawn; --project names others`,
  );
}

const NO_READINGS = 'shows no readings';

/** Draws the reading that a TTreePerfStats has, as `perf` does. */
async function drawReading(object: PlainObject, given: DrawnGiven, context: Context): Promise<void> {
  const { perfReportOfObject } = await import('../../reads/perfstats');
  const report = perfReportOfObject(object);
  if (wantsPicture(given)) {
    const readingSvg = await callOf('readingSvg', NO_READINGS);
    await writePicture(given, readingSvg(report), context);
    return;
  }
  const [readingReport, { reportLines }] = await Promise.all([
    callOf('readingReport', NO_READINGS),
    import('../terminal/report'),
  ]);
  for (const line of reportLines(readingReport([report]))) context.out.line(line);
}

/** Whether objects of a class are points with errors. */
function isPoints(className: string): boolean {
  return isGraphClass(className) || className === 'TEfficiency' || className === 'TMultiGraph';
}

/** The numbers of points, or of the cells of an efficiency of two axes. */
async function tablesOf(object: PlainObject, model: AnyPlot): Promise<PointTable[]> {
  if (model.kind === 'graph') return (await import('../../plot/stored/points')).pointTables(model);
  const { efficiencyCells } = await import('../../plot/stored/kinds/efficiency');
  const cells = efficiencyCells(object, model);
  return cells === undefined ? [] : [cells];
}

/** Shows the projection of a stored histogram in the form that the options name. */
async function showProjection(
  object: PlainObject,
  how: string,
  given: DrawnGiven,
  context: Context,
): Promise<void> {
  const { projected } = await import('../../bins/project');
  const histogram = asOption('project', () => projected(object, how));
  if (given.json) {
    const { rootJson } = await import('../../bins/to-root');
    context.out.line(rootJson(histogram));
  } else await showDrawn(histogram, given, context);
}

/** Options that the drawing of a stored object follows, by its class. */
const FOLLOWED: readonly [classes: (name: string) => boolean, option: RegExp][] = [
  [(name) => name === 'THStack', /./],
  [isMapClass, /cont|candle|violin|col/i],
  [isBinsClass, /^(plain|(hist|h?bar\d?|e[0-6]?|x0|p0?|l|c|b|\*|text\d*|[ ,;])+)$/i],
];

/** Throws UNSUPPORTED for an option that is not followed: without a word something else would be shown. */
function checkOption({ _typename }: PlainObject, path: string, option: string | undefined): void {
  if (option === undefined || option.trim() === '') return;
  if (FOLLOWED.some(([classes, words]) => classes(_typename) && words.test(option))) return;
  throw unsupported(
    `"${path}" is a stored ${_typename}, for which --option ${option} is not followed.`,
    'Leave it out, or draw an expression of a tree.',
  );
}

/** Draws a canvas, and writes on stderr which parts the picture does not have. */
async function drawPicture(
  open: OpenFile,
  path: string,
  object: PlainObject,
  given: DrawnGiven,
  context: Context,
): Promise<void> {
  if (!wantsPicture(given)) {
    throw unsupported(`"${path}" is a ${object._typename}, which a terminal cannot show.`, 'Use --svg OUT.');
  }
  const canvasPicture = await callOf('canvasPicture', 'draws no canvases');
  const { drawing, missing } = canvasPicture(object, await samplesFor(open, object));
  await writePicture(given, drawing, context);
  if (missing.length > 0) context.err.line(`note: not drawn: ${missing.join('; ')}`);
}

/** Values of the functions within an object, when the code that draws it is loaded. */
async function samplesFor(open: OpenFile, object: PlainObject, how = ''): Promise<FunctionSamples> {
  const [{ loadKinds }, { samplesWithin }] = await Promise.all([
    import('../../plot/stored/stored'),
    import('../../plot/stored/functions'),
  ]);
  await loadKinds(object, how);
  return await samplesWithin([object], (requests) => open.reader.functionValues(requests));
}

/** Throws UNSUPPORTED for an object that cannot be decoded. */
export function checkDecoded(object: PlainObject, path: string): void {
  const why = errorOf(object);
  if (why === undefined) return;
  throw unsupported(`"${path}" cannot be decoded: ${why}.`, `"xylem object" shows what there is of it.`);
}

/** Returns the drawable form of an object with its functions. Throws UNSUPPORTED for a class that is not drawn. */
export async function storedModel(
  open: OpenFile,
  path: string,
  object: PlainObject,
  how?: string,
): Promise<AnyPlot> {
  const { drawnObject } = await import('../../plot/stored/stored');
  const samples = await samplesFor(open, object, how);
  const { model, why } = drawnObject(object, samples, how ?? '');
  if (model !== undefined) return model;
  throw why === undefined ? unsupported(`"${path}" is not drawn.`) : new XylemError(why).at({ path });
}
