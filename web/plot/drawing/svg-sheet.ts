import { cellLattice, latticePath } from './cell-lattice';
import {
  type Drawing,
  dotsPath,
  escapeXml,
  PALETTE,
  pathLook,
  type Shape,
  shapeSvg,
  short,
  TEXT_SIZE,
  textLook,
  textPlace,
  textSvg,
} from './drawing';
import { type Digits, isStretched, pathSteps, type Step, type Stretch, shortPath } from './short-path';

/** A drawing as a part of the document. Its text is known when all drawings have been added. */
export type SheetPart = readonly (string | Shared)[];

/** A piece of SVG that is written once if it occurs several times. */
interface Shared {
  text: string;
  id: string;
  count: number;
}

/** A drawing, and a stretched copy of its contents for each of its frames. */
export interface Copy {
  drawing: Drawing;
  /** From the places of the first drawing to those of this one; undefined if the n-th frame is not a copy. */
  stretch: (frame: number) => Stretch | undefined;
}

/**
 * Many drawings in one HTML document, written as shortly as possible: looks are rules of a style sheet, coordinates are
 * rounded to tenths of a pixel, and equal pieces are written once. Pictures look as `drawingSvg` writes them.
 */
export interface SvgSheet {
  /** Adds a drawing, and perhaps the same one in another size, which shares its contents. */
  add(drawing: Drawing, copy?: Copy): { svg: SheetPart; copy: SheetPart | undefined };
  /** Adds a drawing whose copy is the same picture. */
  addPicture(drawing: Drawing): { svg: SheetPart; copy: SheetPart };
  text(part: SheetPart): string;
  /** An element for the document with all that is shared. */
  defs(): string;
  /** Rules of the style sheet. */
  style(): string;
}

/** Pieces that are shorter than this are written where they are. */
const MIN_SHARED = 48;

export function createSvgSheet(): SvgSheet {
  const looks = new Map<string, string>();
  const clips = new Map<string, string>();
  const pieces = new Map<string, Shared>();
  let groups = 0;

  /** Returns the class of a look. Lines of contents that are stretched keep their width. */
  function look(attributes: string, isContent = false): string {
    const rule = cssOf(attributes, isContent);
    const name = looks.get(rule) ?? `s${looks.size.toString(36)}`;
    looks.set(rule, name);
    return ` class=${name}`;
  }

  function piece(text: string): SheetPart[number] {
    if (text.length < MIN_SHARED) return text;
    const found = pieces.get(text) ?? { text, id: `u${pieces.size.toString(36)}`, count: 0 };
    found.count++;
    pieces.set(text, found);
    return found;
  }

  function clip({ x, y, width, height }: Shape & { kind: 'clip' }): string {
    const box = `x=${short(x)} y=${short(y)} width=${short(width)} height=${short(height)}`;
    const id = clips.get(box) ?? `c${clips.size.toString(36)}`;
    clips.set(box, id);
    return `<g clip-path=url(#${id})>`;
  }

  /** Writes a shape where it is. */
  function plain(shape: Shape, isContent = false, digits: Digits = 'pixels'): string {
    if (shape.kind === 'path') {
      const steps = pathSteps(shape.d);
      const d = steps === undefined ? shape.d : shortPath(steps, digits);
      return d === '' ? '' : `<path${look(pathLook(shape), isContent)} d="${d}"/>`;
    }
    if (shape.kind === 'dots') {
      const { points, radius, fill } = shape;
      if (points.length === 0) return '';
      if (shape.open) return plain({ kind: 'path', d: dotsPath(points, radius), stroke: fill });
      // Lines without length and with round ends are dots, also if they are stretched.
      const line = pathLook({ kind: 'path', d: '', stroke: fill, width: 2 * radius });
      const d = shortPath(dotSteps(shape), digits);
      return `<path${look(`${line} stroke-linecap="round"`, isContent)} d="${d}"/>`;
    }
    if (shape.kind === 'text') {
      const { text } = shape;
      return text === '' ? '' : `<text${look(textLook(shape))} ${placeOf(shape)}>${textSvg(shape)}</text>`;
    }
    return shapeSvg(shape, []);
  }

  /** Writes the shapes of a clip, and those of its copy with references to what both have. */
  function contents(own: readonly Shape[], other: readonly Shape[], stretch: Stretch | undefined) {
    const shapes = merged(own);
    const others = merged(other);
    const parts: SheetPart[number][] = [];
    const copies: SheetPart[number][] = [];
    const isPair = stretch !== undefined && shapes.length === others.length;
    let run: Shape[] = [];
    const flush = () => {
      if (run.length === 0) return;
      const id = isPair ? nextGroup() : undefined;
      const named = id === undefined ? '' : ` id=${id}`;
      parts.push(cells(run, named) ?? tenths(run, named));
      if (id !== undefined && stretch) copies.push(useOf(id, stretch));
      run = [];
    };
    for (const [i, shape] of shapes.entries()) {
      const copy = others[i];
      const isShared = isPair ? copy !== undefined && isCopy(shape, copy, stretch) : isLine(shape);
      if (isShared && (run.length === 0 || isCell(run[0]) === isCell(shape))) {
        run.push(shape);
        continue;
      }
      flush();
      if (isShared) {
        run.push(shape);
        continue;
      }
      parts.push(...nested(shape));
      if (isPair && copy) copies.push(...nested(copy));
    }
    flush();
    if (!isPair && others.length > 0) copies.push(...contents(others, [], undefined).parts);
    return { parts, copies };
  }

  const tenths = (run: readonly Shape[], named: string) =>
    `<g${named} class=tenths>${run.map((one) => plain(one, true, 'tenths')).join('')}</g>`;

  const nextGroup = () => `g${(groups++).toString(36)}`;

  const nested = (shape: Shape): SheetPart =>
    shape.kind === 'clip'
      ? [clip(shape), ...contents(shape.shapes, [], undefined).parts, '</g>']
      : [plain(shape)];

  /** Writes a map in units of its cells; undefined if they are not alike. */
  function cells(run: readonly Shape[], named: string): string | undefined {
    const lattice = cellLattice(run);
    if (lattice === undefined) return undefined;
    const { x, y } = lattice;
    const paths = lattice.paths.map(({ fill, runs }) => {
      const line = pathLook({ kind: 'path', d: '', stroke: fill, crisp: true });
      return `<path${look(line)} d="${latticePath(runs)}"/>`;
    });
    // Lines go through the middle of cells.
    const place = matrixOf({ x: scaled(x), y: scaled({ ...y, first: y.first + y.step / 2 }) });
    return `<g${named} transform="${place}">${paths.join('')}</g>`;
  }

  /** Writes shapes beside the contents. Each axis is a piece, because many plots have the same. */
  function around(shapes: readonly Shape[]): SheetPart {
    return runsOf(merged(shapes)).flatMap((run): SheetPart => {
      const texts = run.filter((one) => one.kind === 'text');
      if (texts.length === 0) return [piece(run.map((one) => plain(one)).join(''))];
      const byLook = new Map<string, string>();
      for (const one of texts) {
        if (one.text === '') continue;
        const same = byLook.get(textLook(one)) ?? '';
        byLook.set(textLook(one), `${same}<text ${placeOf(one)}>${textSvg(one)}</text>`);
      }
      return [...byLook].map(([attributes, all]) => {
        const group = `<g${look(attributes)}>${all}</g>`;
        // Text in a shared piece can neither be found nor copied: names of layers stay where they are.
        return texts.some((one) => one.bold && textLook(one) === attributes) ? group : piece(group);
      });
    });
  }

  function add(drawing: Drawing, copy?: Copy) {
    const svg: SheetPart[number][] = [head(drawing)];
    const copied: SheetPart[number][] = copy ? [head(copy.drawing, copy.drawing.title)] : [];
    const own = sections(drawing.shapes);
    const other = copy ? sections(copy.drawing.shapes) : [];
    const isPair = own.length === other.length;
    for (let i = 0; i < Math.max(own.length, other.length); i++) {
      const [mine, theirs] = [own[i], other[i]];
      const stretch = isPair ? copy?.stretch(i) : undefined;
      const inner = contents(mine?.clip?.shapes ?? [], theirs?.clip?.shapes ?? [], stretch);
      if (mine) svg.push(...around(mine.before));
      if (theirs) copied.push(...around(theirs.before));
      if (mine?.clip) svg.push(clip(mine.clip), ...inner.parts, '</g>');
      if (theirs?.clip) copied.push(clip(theirs.clip), ...inner.copies, '</g>');
    }
    return { svg: [...svg, '</svg>'], copy: copy && [...copied, '</svg>'] };
  }

  return {
    add,
    addPicture(drawing) {
      const id = nextGroup();
      const inner = drawing.shapes.flatMap(nested);
      return {
        svg: [head(drawing), `<g id=${id}>`, ...inner, '</g></svg>'],
        copy: [head(drawing, drawing.title), `<use href=#${id} /></svg>`],
      };
    },
    text: (part) =>
      part
        .map((one) => (typeof one === 'string' ? one : one.count > 1 ? `<use href=#${one.id} />` : one.text))
        .join(''),
    defs() {
      const boxes = [...clips].map(([box, id]) => `<clipPath id=${id}><rect ${box} /></clipPath>`);
      const shared = [...pieces.values()].flatMap(({ text, id, count }) =>
        count > 1 ? [`<g id=${id}>${text}</g>`] : [],
      );
      return `<svg class=defs aria-hidden=true width=0 height=0><defs>${[...boxes, ...shared].join('\n')}</defs></svg>`;
    },
    style: () =>
      [
        `svg{font:${TEXT_SIZE}px ui-sans-serif,system-ui,sans-serif;background:${PALETTE.paper};--unit:1}`,
        'svg.defs{position:absolute}',
        '.tenths{transform:scale(.1)}',
        '.copy{--unit:.1;--fixed:non-scaling-stroke}',
        ...[...looks].map(([rule, name]) => `.${name}{${rule}}`),
      ].join('\n'),
  };
}

/** Begins an SVG. One without a title is a part of something that has a name, and screen readers leave it out. */
function head({ width, height }: Drawing, title?: string): string {
  const named = title === undefined ? ' aria-hidden=true' : ` role=img><title>${escapeXml(title)}</title`;
  return `<svg viewBox="0 0 ${width} ${height}"${named}>`;
}

/** The shapes before each clip, and the clip; the last section has none. */
function sections(shapes: readonly Shape[]) {
  const found: { before: Shape[]; clip?: Shape & { kind: 'clip' } }[] = [{ before: [] }];
  for (const shape of shapes) {
    const last = found.at(-1);
    if (shape.kind !== 'clip') last?.before.push(shape);
    else {
      if (last) last.clip = shape;
      found.push({ before: [] });
    }
  }
  return found;
}

/** Divides shapes into texts and others. */
function runsOf(shapes: readonly Shape[]): Shape[][] {
  const runs: Shape[][] = [];
  for (const shape of shapes) {
    const last = runs.at(-1);
    if (last && (last[0]?.kind === 'text') === (shape.kind === 'text')) last.push(shape);
    else runs.push([shape]);
  }
  return runs;
}

/** Joins an area and the line around it. */
function merged(shapes: readonly Shape[]): Shape[] {
  const all: Shape[] = [];
  for (const shape of shapes) {
    const last = all.at(-1);
    if (last?.kind === 'path' && shape.kind === 'path' && isOutlineOf(shape, last))
      all[all.length - 1] = { ...last, ...shape };
    else all.push(shape);
  }
  return all;
}

type Path = Shape & { kind: 'path' };

const isOutlineOf = (line: Path, area: Path) =>
  line.d === area.d &&
  line.stroke !== undefined &&
  area.fill !== undefined &&
  [line.fill, area.stroke, line.opacity, area.opacity, line.crisp, area.crisp].every(
    (one) => one === undefined,
  );

const isCell = (shape: Shape | undefined) => shape?.kind === 'path' && shape.crisp === true;

/** Whether a shape can be stretched: its lines keep their width. */
const isLine = (shape: Shape) => shape.kind === 'path' || (shape.kind === 'dots' && !shape.open);

/** Whether a shape is a stretched copy of another one with the same look. */
function isCopy(shape: Shape, copy: Shape, stretch: Stretch): boolean {
  if (shape.kind === 'path' && copy.kind === 'path') {
    if (pathLook(shape) !== pathLook(copy)) return false;
    const [from, to] = [pathSteps(shape.d), pathSteps(copy.d)];
    return from !== undefined && to !== undefined && isStretched(from, to, stretch);
  }
  if (shape.kind !== 'dots' || copy.kind !== 'dots' || shape.open || copy.open) return false;
  if (shape.radius !== copy.radius || shape.fill !== copy.fill) return false;
  const [from, to] = [dotSteps(shape), dotSteps(copy)];
  return isStretched(from, to, stretch);
}

const dotSteps = ({ points }: Shape & { kind: 'dots' }): Step[] =>
  points.flatMap(([x, y]): Step[] => [
    { command: 'M', numbers: [x, y] },
    { command: 'L', numbers: [x, y] },
  ]);

/** Attributes of HTML need no quotes around a number. */
const placeOf = (text: Shape & { kind: 'text' }): string =>
  text.angle === undefined ? `x=${short(text.x)} y=${short(text.y)}` : textPlace(text);

const scaled = ({ first, step }: { first: number; step: number }) => ({ scale: step, offset: first });

function matrixOf({ x, y }: Stretch): string {
  const numbers = [x.scale, 0, 0, y.scale, x.offset, y.offset];
  return `matrix(${numbers.map((value) => Number(value.toFixed(4))).join(' ')})`;
}

const useOf = (id: string, stretch: Stretch) =>
  `<use class=copy href=#${id} transform="${matrixOf(stretch)}"/>`;

/** Writes attributes of SVG as properties of CSS. Widths of lines of contents are in units of their group. */
function cssOf(attributes: string, isContent: boolean): string {
  const properties = [...attributes.matchAll(/(?<![a-z-])([a-z-]+)="([\w#., -]*)"/g)].map(
    ([, name = '', value = '']) => {
      if (name === 'font-size') return `${name}:${value}px`;
      if (!isContent || !/^stroke-(width|dasharray)$/.test(name)) return `${name}:${value}`;
      const lengths = value.split(/[ ,]+/).map((one) => `calc(var(--unit)*${10 * Number(one)}px)`);
      return `${name}:${lengths.join(' ')}`;
    },
  );
  return [...properties, ...(isContent ? ['vector-effect:var(--fixed,none)'] : [])].join(';');
}
