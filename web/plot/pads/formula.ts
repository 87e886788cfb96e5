import { type Shape, short } from '../drawing/drawing';
import { titleRuns, titleWidth } from '../drawing/latex';

/** How a text is drawn: the members of a shape without its text and place. */
export type TextLook = Omit<Shape & { kind: 'text' }, 'kind' | 'x' | 'y' | 'text' | 'size'> & {
  size: number;
};

/** A part of a TLatex text. */
type Item =
  | { kind: 'plain'; text: string }
  | { kind: 'frac' | 'splitline'; parts: [Item[], Item[]] }
  | { kind: 'sqrt'; body: Item[] }
  | { kind: 'style'; name: string; value: number; body: Item[] }
  | { kind: 'script'; up: boolean; body: Item[] };

/** A text after layout. Lengths are in pixels from the start of its line; y points down. */
interface Laid {
  width: number;
  up: number;
  down: number;
  draw(x: number, y: number): (Shape & { kind: 'text' | 'path' })[];
}

const SPECIAL = /#(frac|splitline|sqrt|color|font|scale|kern|lower|bf|it)(?![a-z])/;
/** Maximum depth of nesting. Text nested deeper is drawn on one line. */
const MAX_DEPTH = 8;

/** Whether a text needs layout: it has parts above or below the line, or of another look. */
export function hasLevels(text: string): boolean {
  return SPECIAL.test(text);
}

/**
 * Draws a TLatex text with fractions, roots, two lines, and parts in other colours and fonts. The text is aligned at
 * the given place. `styled` returns the look for the number of a ROOT colour or font.
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
  styled: (name: 'color' | 'font', value: number, look: TextLook) => TextLook,
): Shape[] {
  const laid = row(itemsOf(text.slice(0, 1000), 0), look, styled);
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

function itemsOf(text: string, depth: number): Item[] {
  const items: Item[] = [];
  let plain = '';
  const put = (item: Item) => {
    if (plain !== '') items.push({ kind: 'plain', text: plain });
    plain = '';
    items.push(item);
  };
  let at = 0;
  const body = (): Item[] => {
    const end = closing(text, at);
    const inner = text.slice(at + 1, end);
    at = end + 1;
    return itemsOf(inner, depth + 1);
  };
  while (at < text.length) {
    const found =
      depth < MAX_DEPTH
        ? /^#(frac|splitline|sqrt|color|font|scale|kern|lower|bf|it)(?:\[([^\]]{0,20})\])?(?=\{)/.exec(
            text.slice(at, at + 40),
          )
        : null;
    const script = /^[\^_](?=\{)/.exec(text.slice(at, at + 2))?.[0];
    if (found) {
      const [whole, name = '', value = ''] = found;
      at += whole.length;
      const first = body();
      if (name === 'sqrt') put({ kind: 'sqrt', body: first });
      else if (name === 'frac' || name === 'splitline')
        put({ kind: name, parts: [first, text[at] === '{' ? body() : []] });
      else put({ kind: 'style', name, value: Number(value.split(',').at(-1)) || 0, body: first });
    } else if (script !== undefined && SPECIAL.test(text.slice(at, closing(text, at + 1)))) {
      at += 1;
      put({ kind: 'script', up: script === '^', body: body() });
    } else plain += text[at++];
  }
  if (plain !== '') items.push({ kind: 'plain', text: plain });
  return items;
}

/** Returns the place of the brace that closes the one at `from`; the end of the text if there is none. */
function closing(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') open++;
    else if (text[at] === '}' && --open === 0) return at;
  }
  return text.length;
}

type Styled = Parameters<typeof formulaShapes>[2];

function row(items: readonly Item[], look: TextLook, styled: Styled): Laid {
  const laid = items.map((item) => layOut(item, look, styled));
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

function layOut(item: Item, look: TextLook, styled: Styled): Laid {
  const { size } = look;
  if (item.kind === 'plain') {
    const { text } = item;
    const runs = titleRuns(text);
    const wide = look.bold ? 1.05 : 1;
    return {
      // The width of a letter is added and subtracted, because scripts above each other have no width.
      width: (titleWidth(`${text}i`) - titleWidth('i')) * size * wide,
      up: Math.max(0, ...runs.map((run) => (run.up + 0.72 * run.size) * size)),
      down: Math.max(0, ...runs.map((run) => (0.2 * run.size - run.up) * size)),
      // SVG drops spaces at the start of a text.
      draw: (x, y) => [
        {
          ...{ ...look, kind: 'text', y, latex: true, anchor: 'start' },
          x: x + titleWidth(/^ */.exec(text)?.[0] ?? '') * size * wide,
          text: text.trim(),
        },
      ],
    };
  }
  if (item.kind === 'script') {
    const body = row(item.body, { ...look, size: size * 0.72 }, styled);
    const by = (item.up ? -0.42 : 0.2) * size;
    return { ...moved(body, 0, by), width: body.width };
  }
  if (item.kind === 'sqrt') {
    const body = row(item.body, look, styled);
    const [sign, above] = [0.5 * size, 0.1 * size];
    return {
      width: body.width + sign + 0.1 * size,
      up: body.up + 2 * above,
      down: body.down,
      draw: (x, y) => {
        const [top, low] = [y - body.up - above, y + body.down];
        const corners = [
          [x + 0.05 * size, y - 0.3 * size],
          [x + 0.17 * size, y - 0.38 * size],
          [x + 0.32 * size, low],
          [x + sign - 0.02 * size, top],
          [x + sign + body.width + 0.06 * size, top],
        ];
        const d = `M${corners.map((corner) => corner.map(short).join(' ')).join('L')}`;
        return [rule(d, look), ...body.draw(x + sign, y)];
      },
    };
  }
  if (item.kind === 'style') return styledItem(item, look, styled);
  const [first, second] = item.parts.map((part) => row(part, look, styled)) as [Laid, Laid];
  const isFraction = item.kind === 'frac';
  const [middle, gap] = [0.3 * size, (isFraction ? 0.12 : 0.08) * size];
  const width = Math.max(first.width, second.width) + (isFraction ? 0.2 * size : 0);
  const [high, low] = [-middle - gap - first.down, -middle + gap + second.up];
  return {
    width,
    up: first.up - high,
    down: Math.max(0, low + second.down),
    draw: (x, y) => {
      const left = (part: Laid) => (isFraction ? x + (width - part.width) / 2 : x);
      const line = `M${short(x + 0.05 * size)} ${short(y - middle)}L${short(x + width - 0.05 * size)} ${short(y - middle)}`;
      return [
        ...first.draw(left(first), y + high),
        ...(isFraction ? [rule(line, look)] : []),
        ...second.draw(left(second), y + low),
      ];
    },
  };
}

function styledItem({ name, value, body }: Item & { kind: 'style' }, look: TextLook, styled: Styled): Laid {
  if (name === 'color' || name === 'font') return row(body, styled(name, value, look), styled);
  // Each style turns off the present one: #bf within bold text is not bold.
  if (name === 'bf') return row(body, { ...look, bold: !look.bold }, styled);
  if (name === 'it') return row(body, { ...look, italic: !look.italic }, styled);
  if (name === 'scale')
    return row(body, { ...look, size: look.size * Math.min(10, Math.max(0.1, value || 1)) }, styled);
  const inner = row(body, look, styled);
  const by = Math.min(10, Math.max(-10, value || 0)) * look.size;
  if (name === 'lower') return moved(inner, 0, by);
  return { ...moved(inner, by, 0), width: Math.max(0, inner.width + by) };
}

function moved(laid: Laid, right: number, down: number): Laid {
  const { up, down: below, draw } = laid;
  return { ...laid, up: up - down, down: below + down, draw: (x, y) => draw(x + right, y + down) };
}

function rule(d: string, { fill, size }: TextLook): Shape & { kind: 'path' } {
  return { kind: 'path', d, stroke: fill ?? 'ink', width: Math.max(0.6, Math.round(size * 5) / 100) };
}
