import type { FunctionRequest, FunctionValues, ObjectOutcome, PlainObject } from '../../../api/objects';
import { toXylemError } from '../../../base/errors';
import { emptiedIfPossible } from '../../../bins/buffers';
import { errorOf } from '../../../core/tape';
import { number } from '../../../model/plain-members';
import { checkRange } from '../../../plot/drawing/frame';
import type { AnyPlot } from '../../../plot/model';
import { shownRanges } from '../../../plot/ranges';
import { isCanvasClass } from '../../../plot/stored/classes';
import { samplesWithin } from '../../../plot/stored/functions';
import { drawnObject, loadKinds } from '../../../plot/stored/stored';
import { PLAIN } from '../../../plot/stored/style';
import { isEmptyPlot, type Tile } from './tile';

/** Returns the tiles of stored objects. The functions in all of them are evaluated together. */
export async function storedTiles(
  reader: { functionValues(requests: FunctionRequest[]): Promise<FunctionValues[]> },
  names: readonly string[],
  outcomes: readonly ObjectOutcome[],
): Promise<Tile[]> {
  const objects = outcomes.flatMap(({ object }) => object ?? []);
  const samples = await samplesWithin(objects, (requests) => reader.functionValues(requests));
  await Promise.all(outcomes.map(({ object }) => object && loadKinds(object)));
  const hasCanvas = outcomes.some(({ object }) => object && isCanvasClass(object._typename));
  const pads = hasCanvas ? await import('../../pads/work/canvas') : undefined;
  return outcomes.map(({ object, error }, i): Tile => {
    const name = names[i] ?? '';
    if (!object) return { name, title: '', entries: Number.NaN, why: error.message, failed: true };
    const title = typeof object.fTitle === 'string' ? object.fTitle : '';
    const tile = { name, title, entries: entriesOf(object) };
    const broken = errorOf(object);
    if (broken !== undefined) return { ...tile, why: `It cannot be decoded: ${broken}.`, failed: true };
    if (pads && isCanvasClass(object._typename)) {
      const { drawing, missing } = pads.canvasPicture(object, samples);
      const without = missing.length > 0 ? `Not drawn: ${missing.join(', ')}.` : undefined;
      return { ...tile, picture: drawing, why: without };
    }
    const { model, why } = drawnObject(object, samples, PLAIN);
    if (model) {
      const refused = whyNoAxes(model);
      const empty = isEmptyPlot(model);
      return {
        ...tile,
        title: model.title,
        empty,
        ...(refused === undefined ? { model } : { why: refused }),
      };
    }
    return { ...tile, why: why?.message };
  });
}

/** Returns the entries of a histogram, or the number of points of a graph. */
function entriesOf(object: PlainObject): number {
  const entries = number(emptiedIfPossible(object).fEntries);
  return Number.isNaN(entries) ? number(object.fNpoints) : entries;
}

/** Returns why a plot has no axes; undefined if it has. Reads its contents once. */
function whyNoAxes(model: AnyPlot): string | undefined {
  try {
    const { x, y } = shownRanges(model, { x: false, y: false });
    checkRange(x, false);
    checkRange(y, false);
    return undefined;
  } catch (thrown) {
    return toXylemError(thrown).message;
  }
}
