import type { PlainObject } from '../../../api/api';
import type { Box } from '../../../plot/drawing/axes';
import { titleWidth } from '../../../plot/drawing/latex';
import { label, number, record } from '../../../plot/stored/members';
import { areaOf, closed, hasLine, lined, rectangle } from '../../../plot/stored/paint/attributes';
import { markersOf } from '../../../plot/stored/paint/markers';
import { lineBetween, textOf, textsOf } from './attributes';
import { colourAt, fourOf, type Members, ndcX, ndcY, type Pad, put, sideOf } from './pad';

/** Returns the place of a pave: shares of the pad if its option says so, else the pad's coordinates. */
function placeOf(pad: Pad, object: Members): Box | undefined {
  const ndc = [object.fX1NDC, object.fY1NDC, object.fX2NDC, object.fY2NDC].map(number);
  const own = [object.fX1, object.fY1, object.fX2, object.fY2].map(number);
  const isNdc = /NDC/i.test(label(object.fOption)) || number(object.fInit) === 1;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = isNdc && ndc.some((value) => value !== 0) ? ndc : own;
  const { box, range } = pad;
  const [shareX, shareY] = isNdc
    ? [(value: number) => value, (value: number) => value]
    : [
        (value: number) => (value - range.x1) / (range.x2 - range.x1),
        (value: number) => (value - range.y1) / (range.y2 - range.y1),
      ];
  const place = {
    left: ndcX(pad, shareX(x1)),
    right: ndcX(pad, shareX(x2)),
    top: ndcY(pad, shareY(y2)),
    bottom: ndcY(pad, shareY(y1)),
  };
  const isThere =
    Object.values(place).every(Number.isFinite) && place.right > place.left && place.bottom > place.top;
  return isThere && place.left < box.right + 1e4 ? place : undefined;
}

/** The ground of a pave with its border, which casts a shadow. */
function paintGround(pad: Pad, object: Members, { left, right, top, bottom }: Box): void {
  const border = number(object.fBorderSize);
  const corner = /b[rl]|t[rl]/i.exec(label(object.fOption))?.[0]?.toLowerCase() ?? '';
  if (border > 1 && corner !== '') {
    const [dx, dy] = [corner.includes('l') ? -border : border, corner.includes('t') ? -border : border];
    put(pad, {
      kind: 'path',
      d: closed(rectangle(left + dx, top + dy, right + dx, bottom + dy)),
      fill: colourAt(pad, object.fShadowColor ?? 1),
    });
  }
  const corners = rectangle(left, top, right, bottom);
  put(pad, ...areaOf(pad, object, [corners]));
  if (border > 0 && hasLine(object)) put(pad, lined(pad, closed(corners), object));
}

/** The font, the size and the colour of a line of text: its own, or those of the pave. */
function looksOf(pad: Pad, own: Members, object: Members, size: number) {
  const said = number(own.fTextSize);
  return {
    font: number(own.fTextFont) || number(object.fTextFont) || 42,
    size: said > 0 ? said : size,
    colour: colourAt(pad, number(own.fTextColor) > 0 ? own.fTextColor : (object.fTextColor ?? 1)),
  };
}

/**
 * Draws the lines of text of a pave. Without a given size the text is as large as fits. A "label = value" of
 * statistics is aligned to both sides.
 */
export function paintPaveText(pad: Pad, object: PlainObject): void {
  const place = placeOf(pad, object);
  if (place === undefined) return;
  paintGround(pad, object, place);
  const list = record(object.fLines)?.arr;
  const parts = (Array.isArray(list) ? list.slice(0, 200) : [])
    .map(pad.painting.follow)
    .filter((one) => one !== undefined);
  const lines = parts.filter(({ _typename: kind }) => !/^T(Line|Box)$/.test(kind));
  const label1 = label(object.fLabel);
  const texts =
    lines.length === 0 && label1 !== ''
      ? [{ _typename: 'TText', fTitle: label1 } satisfies PlainObject]
      : lines;
  const { left, right, top, bottom } = place;
  const isStats = object._typename === 'TPaveStats';
  const margin = number(object.fMargin) || 0.05;
  const step = (bottom - top) / Math.max(1, texts.length);
  const wide = (right - left) * (1 - 2 * margin);
  const widest = Math.max(1e-6, ...texts.map((one) => titleWidth(label(one.fTitle)) + (isStats ? 1 : 0)));
  const isLabel = object._typename === 'TPaveLabel';
  // The size of a label is a fraction of its height; 0.99 means as large as fits.
  const said = number(object.fTextSize) || 0;
  const given = !isLabel ? said : Math.abs(said - 0.99) < 0.001 ? 0 : (said * (bottom - top)) / sideOf(pad);
  const font = number(object.fTextFont) || 42;
  // The size that makes the lines fit: in shares of the pad, or in pixels.
  const share = Math.min(0.85 * step, wide / (0.86 * widest)) / sideOf(pad);
  const fitting = font % 10 === 3 ? share * sideOf(pad) : share;
  texts.forEach((line, i) => {
    const text = label(line.fTitle);
    const looks = looksOf(pad, line, object, given > 0 ? given : fitting);
    const align = number(line.fTextAlign) || number(object.fTextAlign) || 12;
    const y = top + (i + 0.5) * step;
    const [name, value] =
      isStats && !(i === 0 && !text.includes('=')) ? text.split('=', 2).map((part) => part.trim()) : [text];
    const inner = margin * (right - left);
    if (isStats && value !== undefined) {
      put(
        pad,
        textOf(pad, [left + inner, y], name ?? '', { ...looks, align: 12 }),
        textOf(pad, [right - inner, y], value.trim(), { ...looks, align: 32 }),
      );
      return;
    }
    const across = isStats ? 2 : Math.floor(align / 10);
    const x = across === 1 ? left + inner : across === 3 ? right - inner : (left + right) / 2;
    put(pad, ...textsOf(pad, [x, y], text, { ...looks, align: across * 10 + 2 }));
  });
  for (const one of parts.filter(({ _typename: kind }) => kind === 'TLine')) {
    const [x1, y1, x2, y2] = fourOf(one.fX1, one.fY1, one.fX2, one.fY2);
    // Without a height it is above the line of text that follows it.
    const next = top + lines.filter((line) => parts.indexOf(line) < parts.indexOf(one)).length * step;
    const [from, to] =
      y1 === 0 && y2 === 0 ? [next, next] : [bottom - y1 * (bottom - top), bottom - y2 * (bottom - top)];
    const [a, b] = x1 === x2 ? [0, 1] : [x1, x2];
    const wide = right - left;
    put(pad, lineBetween(pad, [left + a * wide, from], [left + b * wide, to], one));
  }
  if (isStats && texts.length > 1)
    put(pad, lineBetween(pad, [left, top + step], [right, top + step], object));
}

/** Draws a legend: one row for each entry, with a sample of its line, area or marker. */
export function paintLegend(pad: Pad, object: PlainObject): void {
  const place = placeOf(pad, object);
  if (place === undefined) return;
  paintGround(pad, object, place);
  const list = record(object.fPrimitives)?.arr;
  const entries = (Array.isArray(list) ? list.slice(0, 300) : [])
    .map(pad.painting.follow)
    .filter((one) => one !== undefined);
  const columns = Math.max(1, Math.min(20, number(object.fNColumns) || 1));
  const isHead = (one: Members | undefined) => label(one?.fOption).toLowerCase().includes('h');
  const head = isHead(entries[0]) ? 1 : 0;
  const rows = head + Math.ceil((entries.length - head) / columns);
  const { left, right, top, bottom } = place;
  const step = (bottom - top) / Math.max(1, rows);
  const wide = (right - left) / columns;
  const symbol = wide * (number(object.fMargin) || 0.25);
  const widest = Math.max(1e-6, ...entries.map((one) => titleWidth(textOfEntry(pad, one))));
  const fitting =
    Math.min(step * (1 - (number(object.fEntrySeparation) || 0.1)), (wide - symbol) / (0.9 * widest)) /
    sideOf(pad);
  entries.forEach((one, i) => {
    const at = i < head ? 0 : i - head;
    const [row, column] = i < head ? [0, 0] : [head + Math.floor(at / columns), at % columns];
    const x = left + column * wide;
    const y = top + (row + 0.5) * step;
    const looks = looksOf(pad, one, object, number(object.fTextSize) || fitting);
    const indent = isHead(one) ? 0.05 * wide : symbol;
    if (!isHead(one))
      paintSymbol(pad, one, {
        left: x + 0.12 * symbol,
        right: x + 0.88 * symbol,
        top: y - 0.35 * step,
        bottom: y + 0.35 * step,
      });
    // A header has its own alignment.
    const across = isHead(one) ? Math.floor(number(one.fTextAlign) / 10) : 1;
    const place = across === 2 ? x + (right - left) / 2 : across === 3 ? right - indent : x + indent;
    const shown = { ...looks, align: 10 * Math.max(1, across) + 2 };
    put(pad, ...textsOf(pad, [place, y], textOfEntry(pad, one), shown));
  });
}

function textOfEntry(pad: Pad, entry: Members): string {
  return label(entry.fLabel) || label(pad.painting.follow(entry.fObject)?.fTitle);
}

function paintSymbol(pad: Pad, entry: Members, { left, right, top, bottom }: Box): void {
  const option = label(entry.fOption).toLowerCase();
  const y = (top + bottom) / 2;
  const looks = pad.painting.follow(entry.fObject) ?? entry;
  if (option.includes('f')) {
    put(pad, ...areaOf(pad, looks, [rectangle(left, top, right, bottom)]));
    if (hasLine(looks) && !/Graph/.test(label(looks._typename)))
      put(pad, lined(pad, closed(rectangle(left, top, right, bottom)), looks));
  }
  const middle = (left + right) / 2;
  if (/l/.test(option)) put(pad, lineBetween(pad, [left, y], [right, y], looks));
  if (/e/.test(option)) put(pad, lineBetween(pad, [middle, top], [middle, bottom], looks));
  if (/p/.test(option)) put(pad, ...markersOf(pad, looks, [[middle, y]]));
}
