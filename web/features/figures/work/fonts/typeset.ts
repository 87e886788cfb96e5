import { type Drawing, type Shape, short, TEXT_SIZE } from '../../../../plot/drawing/drawing';
import { formulaShapes, hasLevels, type TextLook } from '../../../../plot/drawing/formula';
import { titleRuns } from '../../../../plot/drawing/latex';
import { type FontSet, faceOf, type Glyph } from './font-set';
import { drawGlyph } from './true-type';

type Text = Shape & { kind: 'text' };

/** Raised digits and signs, which fonts lack or draw in different ways. */
const RAISED = new Map([...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻'].map((sign, i) => [sign, '0123456789+−'[i] ?? '']));
const RAISED_TEXT = /[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+/g;

/** Returns a text whose raised digits are raised as exponents are. */
function withExponents(shape: Text): Text {
  if (shape.text.search(RAISED_TEXT) < 0) return shape;
  const text = shape.text.replace(
    RAISED_TEXT,
    (signs) => `^{${[...signs].map((sign) => RAISED.get(sign)).join('')}}`,
  );
  return { ...shape, text, latex: true };
}

/** A glyph with its place: pixels from the start of the text along its line and above it, and its size in pixels. */
export interface PlacedGlyph extends Glyph {
  x: number;
  up: number;
  size: number;
}

/** Marks that stand over the letter before them. */
const MARK = /\p{Mn}/u;

/** Returns the glyphs of a text on one line, and its width in pixels. */
export function setLine(
  fonts: FontSet,
  shape: Omit<Text, 'x' | 'y' | 'kind'>,
): { glyphs: PlacedGlyph[]; width: number } {
  const { text, latex, size = TEXT_SIZE, bold, italic } = shape;
  const face = faceOf(bold, italic);
  const glyphs: PlacedGlyph[] = [];
  let x = 0;
  for (const run of latex ? titleRuns(text) : [{ text, size: 1, up: 0, back: 0 }]) {
    // Where a lower part stands below a raised one, the estimated width of that is taken back.
    x -= run.back * size;
    const own = run.size * size;
    for (const letter of run.text) {
      const glyph = fonts.glyph(letter.codePointAt(0) ?? 0, face);
      if (glyph === undefined) {
        x += 0.6 * own;
        continue;
      }
      const { font } = glyph.used.subset;
      const advance = (font.advanceOf(glyph.glyph) * own) / font.unitsPerEm;
      const before = glyphs.at(-1);
      if (MARK.test(letter) && before) {
        const centre = before.x + (widthOf(before) - centreOf(glyph) * own) / 2;
        glyphs.push({ ...glyph, x: centre, up: run.up * size, size: own });
        continue;
      }
      glyphs.push({ ...glyph, x, up: run.up * size, size: own });
      x += advance;
    }
  }
  return { glyphs, width: x };
}

function widthOf({ used: { subset }, glyph, size }: PlacedGlyph): number {
  return (subset.font.advanceOf(glyph) * size) / subset.font.unitsPerEm;
}

/** Twice the middle of the outline of a glyph, in units of its size. */
function centreOf({ used: { subset }, glyph }: Glyph): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const see = (x: number) => {
    low = Math.min(low, x);
    high = Math.max(high, x);
  };
  drawGlyph(subset.font, glyph, {
    move: see,
    line: see,
    curve: (_, __, x) => see(x),
    close: () => undefined,
  });
  return high >= low ? (low + high) / subset.font.unitsPerEm : 0;
}

/** Calls `use` for all texts of a drawing, also within clips. */
function eachText(shapes: readonly Shape[], use: (shape: Text) => void): void {
  for (const shape of shapes) {
    if (shape.kind === 'clip') eachText(shape.shapes, use);
    if (shape.kind === 'text') use(shape);
  }
}

function mapped(shapes: readonly Shape[], change: (shape: Text) => Shape[]): Shape[] {
  return shapes.flatMap((shape): Shape[] => {
    if (shape.kind === 'clip') return [{ ...shape, shapes: mapped(shape.shapes, change) }];
    return shape.kind === 'text' ? change(shape) : [shape];
  });
}

/**
 * Loads the fonts of a drawing, and lays out its texts with their widths: each text of the result stands on one line in one face.
 */
export async function typeset(drawing: Drawing, fonts: FontSet): Promise<Shape[]> {
  const texts: Text[] = [];
  const exact = mapped(drawing.shapes, (shape) => {
    const text = withExponents(shape);
    texts.push(text);
    return [text];
  });
  // The faces of parts are known when a text is laid out, which needs no fonts the first time.
  const letters = new Map<string, { code: number; face: ReturnType<typeof faceOf> }>();
  const laid = mapped(exact, (text) => leveled(text, () => 1));
  eachText(laid, ({ text, latex, bold, italic }) => {
    const face = faceOf(bold, italic);
    for (const run of latex ? titleRuns(text) : [{ text }])
      for (const letter of run.text) letters.set(letter + face, { code: letter.codePointAt(0) ?? 0, face });
  });
  await fonts.load(letters.values());
  return mapped(exact, (text) =>
    leveled(text, (words, look) => setLine(fonts, { ...look, text: words, latex: true }).width),
  );
}

/** Lays out a text with fractions, roots, or parts in other faces, as several texts and lines. */
function leveled(shape: Text, measure: (text: string, look: TextLook) => number): Shape[] {
  if (!shape.latex || !hasLevels(shape.text)) return [shape];
  const { x, y, angle = 0, anchor = 'start', size = TEXT_SIZE, text, kind: _, ...look } = shape;
  const across = { start: 0, middle: 0.5, end: 1 }[anchor];
  return formulaShapes(
    text,
    { x, y, across, upward: 0, angle: (-angle * Math.PI) / 180, look: { ...look, size } },
    (_name, _value, same) => same,
    measure,
  );
}

/** Returns the start of a text, from its anchor and its width. */
export function startOf(
  { x, y, anchor = 'start', angle = 0 }: Text,
  width: number,
): { x: number; y: number; cos: number; sin: number } {
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const back = width * { start: 0, middle: 0.5, end: 1 }[anchor];
  return { x: x - back * cos, y: y - back * sin, cos, sin };
}

/** Returns the shapes with texts as outlines of their letters, for programs that have no fonts. */
export function outlined(shapes: readonly Shape[], fonts: FontSet): Shape[] {
  return mapped(shapes, (text) => {
    const { glyphs, width } = setLine(fonts, text);
    const { x, y, cos, sin } = startOf(text, width);
    let d = '';
    for (const { used, glyph, x: along, up, size } of glyphs) {
      const scale = size / used.subset.font.unitsPerEm;
      const to = (gx: number, gy: number): [number, number] => {
        const [right, high] = [along + gx * scale, up + gy * scale];
        return [x + right * cos + high * sin, y + right * sin - high * cos];
      };
      let [px, py] = [0, 0];
      const put = (command: string, ...points: [number, number][]) => {
        d += command + points.map(([a, b]) => `${short(a)} ${short(b)}`).join(' ');
        [px, py] = points.at(-1) ?? [px, py];
      };
      drawGlyph(used.subset.font, glyph, {
        move: (a, b) => put('M', to(a, b)),
        line: (a, b) => put('L', to(a, b)),
        curve(ca, cb, a, b) {
          // Paths of drawings have cubic curves only.
          const [c, end] = [to(ca, cb), to(a, b)];
          const third = (from: number, control: number) => from + (2 / 3) * (control - from);
          put('C', [third(px, c[0]), third(py, c[1])], [third(end[0], c[0]), third(end[1], c[1])], end);
        },
        close: () => {
          d += 'Z';
        },
      });
    }
    return d === '' ? [] : [{ kind: 'path', d, fill: text.fill ?? 'ink' }];
  });
}
