import { type Shape, short } from './drawing';
import { isScript, type Level, type Part, partsOf, titleRuns, titleWidth } from './latex';

/** How a text is drawn: the members of a shape without its text and place. */
export type TextLook = Omit<Shape & { kind: 'text' }, 'kind' | 'x' | 'y' | 'text' | 'size'> & {
  size: number;
};

/** A laid out text: lengths are in pixels from the start of its line; y goes down. */
interface Laid {
  width: number;
  up: number;
  down: number;
  draw(x: number, y: number): (Shape & { kind: 'text' | 'path' })[];
}

/** Whether a part stands on one line, and looks as the text around it. */
const isPlain = (part: Part): boolean =>
  typeof part === 'string' || (isScript(part) && part.parts.every(isPlain));

/** Whether a text needs layout: it has parts above or below the line, or of another look. */
export function hasLevels(text: string): boolean {
  return !partsOf(text).every(isPlain);
}

/** Returns the look for the number of a ROOT colour or font. */
type Restyle = (name: 'color' | 'font', value: number, look: TextLook) => TextLook;
/** Returns the width of a text on one line, in pixels. */
type Measure = (text: string, look: TextLook) => number;

/** Functions by which the parts of a text are laid out. */
interface Setting {
  styled: Restyle;
  measure: Measure;
}

/**
 * Draws a TLatex text with fractions, roots, two lines, and parts in other colours and fonts. The text is aligned at
 * the given place. Without `measure`, widths are estimated.
 */
export function formulaShapes(
  text: string,
  {
    x,
    y,
    look,
    across,
    upward,
    angle,
  }: { x: number; y: number; look: TextLook; across: number; upward: number; angle: number },
  styled: Restyle,
  measure: Measure = estimated,
): Shape[] {
  const laid = row(partsOf(text), look, { styled, measure });
  const drawn = laid.draw(
    -laid.width * across,
    laid.up * upward - laid.down * (1 - upward) * (upward > 0 ? 1 : 0),
  );
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turned = (px: number, py: number): [number, number] => [
    x + px * cos + py * sin,
    y - px * sin + py * cos,
  ];
  return drawn.map((shape): Shape => {
    if (shape.kind === 'path') {
      const corners = shape.d.slice(1).split('L');
      const d = `M${corners
        .map((corner) => {
          const [px = 0, py = 0] = corner.split(' ').map(Number);
          return turned(px, py).map(short).join(' ');
        })
        .join('L')}`;
      return { ...shape, d };
    }
    const [tx, ty] = turned(shape.x, shape.y);
    return { ...shape, x: tx, y: ty, ...(angle !== 0 && { angle: (-angle * 180) / Math.PI }) };
  });
}

function row(parts: readonly Part[], look: TextLook, setting: Setting): Laid {
  const laid: Laid[] = [];
  for (let at = 0; at < parts.length; ) {
    const end = parts.findIndex((part, i) => i >= at && !isPlain(part));
    const line = parts.slice(at, end < 0 ? undefined : end);
    if (line.length > 0) laid.push(lineOf(line.map(sourceOf).join(''), look, setting.measure));
    at += line.length;
    const part = parts[at++];
    if (part !== undefined && typeof part !== 'string') laid.push(layOut(part, look, setting));
  }
  return {
    width: laid.reduce((sum, { width }) => sum + width, 0),
    up: Math.max(0.72 * look.size, ...laid.map(({ up }) => up)),
    down: Math.max(0, ...laid.map(({ down }) => down)),
    draw(x, y) {
      let at = x;
      return laid.flatMap((one) => {
        const shapes = one.draw(at, y);
        at += one.width;
        return shapes;
      });
    },
  };
}

/** A plain part as it is written. */
const sourceOf = (part: Part): string =>
  typeof part === 'string' ? part : `${part.command}{${part.parts.map(sourceOf).join('')}}`;

/** Letters of the fonts of canvases are narrower than they are judged. */
const NARROW = 0.92;

function estimated(text: string, { size, bold }: TextLook): number {
  // The letter at the end takes up what scripts above each other leave.
  return (titleWidth(`${text}i`) - titleWidth('i')) * size * NARROW * (bold ? 1.05 : 1);
}

/** A text on one line. */
function lineOf(text: string, look: TextLook, measure: Measure): Laid {
  const runs = titleRuns(text);
  return {
    width: measure(text, look),
    up: Math.max(0, ...runs.map((run) => (run.up + 0.72 * run.size) * look.size)),
    down: Math.max(0, ...runs.map((run) => (0.2 * run.size - run.up) * look.size)),
    // A picture leaves out spaces at the start of a text.
    draw: (x, y) => [
      {
        ...{ ...look, kind: 'text', y, latex: true, anchor: 'start' },
        x: x + measure(/^ */.exec(text)?.[0] ?? '', look),
        text: text.trim(),
      },
    ],
  };
}

function layOut(part: Level, look: TextLook, setting: Setting): Laid {
  const { size } = look;
  const { command } = part;
  if (isScript(part)) {
    const body = row(part.parts, { ...look, size: size * 0.72 }, setting);
    return moved(body, 0, (command === '^' ? -0.42 : 0.2) * size);
  }
  if (command === 'sqrt') {
    const body = row(part.parts, look, setting);
    const index = row(part.option ? [part.option] : [], { ...look, size: 0.55 * size }, setting);
    const [sign, above] = [0.5 * size, 0.1 * size];
    // The index stands over the short arm of the sign.
    const indent = Math.max(0, index.width - 0.2 * size);
    const raise = 0.45 * size;
    return {
      width: indent + body.width + sign + 0.1 * size,
      up: Math.max(body.up + 2 * above, part.option ? raise + index.up : 0),
      down: body.down,
      draw: (left, y) => {
        const x = left + indent;
        const [top, low] = [y - body.up - above, y + body.down];
        const corners = [
          [x + 0.05 * size, y - 0.3 * size],
          [x + 0.17 * size, y - 0.38 * size],
          [x + 0.32 * size, low],
          [x + sign - 0.02 * size, top],
          [x + sign + body.width + 0.06 * size, top],
        ];
        const d = `M${corners.map((corner) => corner.map(short).join(' ')).join('L')}`;
        return [rule(d, look), ...index.draw(left, y - raise), ...body.draw(x + sign, y)];
      },
    };
  }
  const isFraction = command === 'frac';
  if (!isFraction && command !== 'splitline') return styledLevel(part, look, setting);
  const [first, second] = [row(part.parts, look, setting), row(part.second ?? [], look, setting)];
  const [middle, gap] = [0.3 * size, (isFraction ? 0.12 : 0.08) * size];
  const width = Math.max(first.width, second.width) + (isFraction ? 0.2 * size : 0);
  const [high, low] = [-middle - gap - first.down, -middle + gap + second.up];
  return {
    width,
    up: first.up - high,
    down: Math.max(0, low + second.down),
    draw: (x, y) => {
      const left = (one: Laid) => (isFraction ? x + (width - one.width) / 2 : x);
      const line = `M${short(x + 0.05 * size)} ${short(y - middle)}L${short(x + width - 0.05 * size)} ${short(y - middle)}`;
      return [
        ...first.draw(left(first), y + high),
        ...(isFraction ? [rule(line, look)] : []),
        ...second.draw(left(second), y + low),
      ];
    },
  };
}

function styledLevel({ command, option = '', parts }: Level, look: TextLook, setting: Setting): Laid {
  const value = Number(option.split(',').at(-1)) || 0;
  const laid = (other: Partial<TextLook>) => row(parts, { ...look, ...other }, setting);
  if (command === 'color' || command === 'font')
    return row(parts, setting.styled(command, value, look), setting);
  // Each turns off what is on: of a bold font #bf is not bold.
  if (command === 'bf') return laid({ bold: !look.bold });
  if (command === 'it') return laid({ italic: !look.italic });
  if (command === 'scale') return laid({ size: look.size * Math.min(10, Math.max(0.1, value || 1)) });
  const inner = laid({});
  const by = Math.min(10, Math.max(-10, value)) * look.size;
  if (command === 'lower') return moved(inner, 0, by);
  return { ...moved(inner, by, 0), width: Math.max(0, inner.width + by) };
}

function moved(laid: Laid, right: number, down: number): Laid {
  const { up, down: below, draw } = laid;
  return { ...laid, up: up - down, down: below + down, draw: (x, y) => draw(x + right, y + down) };
}

function rule(d: string, { fill, size }: TextLook): Shape & { kind: 'path' } {
  return { kind: 'path', d, stroke: fill ?? 'ink', width: Math.max(0.6, Math.round(size * 5) / 100) };
}
