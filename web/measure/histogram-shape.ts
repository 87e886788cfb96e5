import type { DrawRequest } from '../api/api';
import { unsupported } from '../base/data-errors';
import { argumentError, type XylemError } from '../base/errors';
import { cellsOf, type HistogramShape } from '../bins/filled-histogram';
import type { Axis } from '../core/fill';
import { type DrawOptions, parseOptions } from '../query/compile/draw-options';
import { type DrawSpec, parseDraw } from '../query/compile/draw-spec';
import { expressionError } from '../query/language/errors';
import { titleOf } from '../query/language/source';
import { givenAxes, wishedAxes } from './axes';

/** Maximum number of cells of a histogram. A cell takes 16 bytes in each worker, or 32 in a profile. */
const MAX_CELLS = 10_000_000;
/** Maximum number of cells of all histograms that are filled together. */
export const MAX_TOGETHER = 2 * MAX_CELLS;

/** Returns the shape of a request with known axes. Throws BUDGET if there are too many cells. */
export function shapeOf(
  spec: DrawSpec,
  request: Omit<DrawRequest, 'tree'>,
  asked: DrawOptions,
  axes: readonly (Axis & { unit?: string | undefined; labels?: readonly string[] | undefined })[],
): HistogramShape {
  const text = spec.expressions.map(titleOf).join(':');
  const titles = [...spec.expressions].reverse().map(titleOf);
  checkCells(axes, text);
  const dims = titles.length;
  const profile = dims > 1 ? asked.profile : undefined;
  const cut = request.cut?.trim();
  return {
    title: cut ? `${text} {${cut}}` : text,
    name: spec.target ?? 'htemp',
    dims,
    profile,
    norm: asked.norm,
    axes: axes.map(({ labels, ...axis }, i) => ({
      title: titles[i] ?? '',
      ...axis,
      ...(labels && { labels: [...labels] }),
    })),
    valueTitle: profile === undefined ? undefined : titles[dims - 1],
  };
}

/**
 * Returns the shape of a request that gives bins and range of each axis, without opening a file. Throws ARGUMENT if one
 * is missing or the request is not valid, and UNSUPPORTED if it is not a histogram or profile.
 */
export function givenShape(request: DrawRequest): HistogramShape {
  const spec = parseDraw(request.expr ?? '');
  const asked = parseOptions(request.option);
  const dims = spec.expressions.length;
  if (dims === 0 || asked.entryList) throw notExact();
  const profile = dims > 1 && asked.profile !== undefined;
  const axes = givenAxes(wishedAxes(spec, request, profile ? dims - 1 : dims), profile);
  if (!axes) throw needsAxes();
  return shapeOf(spec, request, asked, axes);
}

export function needsAxes(): XylemError {
  return argumentError(
    'Results that are added up need bins and ends of each axis.',
    'Give them, as in "pt>>h(50,0,100)".',
  );
}

export function notExact(): XylemError {
  return unsupported(
    'Only histograms and profiles of numbers add up exactly, not lists of entries or of strings.',
  );
}

function checkCells(axes: readonly Axis[], text: string): void {
  const cells = cellsOf(axes);
  if (cells <= MAX_CELLS) return;
  const room = `there is room for ${MAX_CELLS} cells, with under- and overflow`;
  throw tooLarge(text, `A histogram of ${cells} cells is too large.`, `Take fewer bins: ${room}.`);
}

/** Subtracts the cells of a histogram from those that a call may still have. Throws BUDGET if too few are left. */
export function takeCells(kept: { cells: number }, axes: readonly Axis[], text: string): void {
  const cells = cellsOf(axes);
  if (cells > kept.cells) {
    const room = `there is room for ${MAX_TOGETHER} cells in histograms that are drawn together`;
    const message = `A histogram of ${cells} cells finds no room beside the others.`;
    throw tooLarge(text, message, `Draw it alone, or take fewer bins: ${room}.`);
  }
  kept.cells -= cells;
}

function tooLarge(text: string, message: string, fix: string): XylemError {
  return expressionError(text, { at: 0, end: text.length }, message, fix, 'BUDGET');
}
