import { escapeXml } from './svg-frame';

/** One shape of a drawing; colours are names of `PALETTE`. */
export type Shape =
  | { kind: 'path'; d: string; stroke?: Ink; fill?: Ink; width?: number; opacity?: number; dash?: string }
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: Ink; title?: string }
  | { kind: 'dots'; points: [x: number, y: number][]; radius: number; fill: Ink; open?: boolean }
  | {
      kind: 'text';
      x: number;
      y: number;
      text: string;
      fill?: Ink;
      anchor?: 'start' | 'middle' | 'end';
      turn?: boolean;
      bold?: boolean;
    };

export type Ink =
  | 'ink'
  | 'faint'
  | 'grid'
  | 'paper'
  | 'network'
  | 'disk'
  | 'memory'
  | 'store'
  | 'decode'
  | 'time'
  | 'other'
  | 'wait'
  | 'queue';

/** A picture that is the same as SVG text and in a page. Sizes in CSS pixels. */
export interface Drawing {
  width: number;
  height: number;
  title: string;
  shapes: Shape[];
}

/** A part of a drawing that stands for something, and can be pointed at. */
export interface Target<T> {
  x: number;
  y: number;
  width: number;
  height: number;
  of: T;
}

/** Pixels beside a target that still mean it. */
const REACH = 6;

/** What is meant by a point of a drawing: the nearest within reach; undefined where nothing is. */
export function targetAt<T>(targets: readonly Target<T>[], x: number, y: number): T | undefined {
  let best: T | undefined;
  let nearest = REACH ** 2;
  for (const target of targets) {
    const dx = Math.max(target.x - x, 0, x - target.x - target.width);
    const dy = Math.max(target.y - y, 0, y - target.y - target.height);
    const distance = dx * dx + dy * dy;
    if (distance > nearest) continue;
    nearest = distance;
    best = target.of;
  }
  return best;
}

/** Colours on paper; a page may use its own for the same names. */
export const PALETTE: Record<Ink, string> = {
  ink: '#1c2621',
  faint: '#55645c',
  grid: '#e4e8e2',
  paper: '#ffffff',
  network: '#1f7a5c',
  disk: '#1f7a5c',
  memory: '#d08a1d',
  store: '#7a4fb3',
  decode: '#9aa8a0',
  time: '#c0392b',
  other: '#8a99a6',
  wait: '#8fc7b1',
  queue: '#d5dcd7',
};

export const DARK_PALETTE: Record<Ink, string> = {
  ink: '#e4eae6',
  faint: '#9db0a6',
  grid: '#2c3732',
  paper: '#161c19',
  network: '#4cc29a',
  disk: '#4cc29a',
  memory: '#e6ac4d',
  store: '#b394e6',
  decode: '#6c7c74',
  time: '#ef7b6e',
  other: '#78899a',
  wait: '#2f6b57',
  queue: '#3a4741',
};

/** A coordinate with two digits behind the point. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A drawing as a self-contained SVG document; all text is escaped. */
export function drawingSvg({ width, height, title, shapes }: Drawing): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const font = 'font-family="ui-sans-serif, system-ui, sans-serif" font-size="12"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font} role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${PALETTE.paper}"/>`,
    ...shapes.map(shapeSvg),
    '</svg>\n',
  ].join('\n');
}

function shapeSvg(shape: Shape): string {
  switch (shape.kind) {
    case 'path': {
      const stroke = shape.stroke ? PALETTE[shape.stroke] : 'none';
      const fill = shape.fill ? PALETTE[shape.fill] : 'none';
      const dash = shape.dash ? ` stroke-dasharray="${shape.dash}"` : '';
      const opacity = shape.opacity === undefined ? '' : ` opacity="${shape.opacity}"`;
      return `<path d="${shape.d}" stroke="${stroke}" fill="${fill}" stroke-width="${shape.width ?? 1}"${dash}${opacity}/>`;
    }
    case 'rect': {
      const box = `x="${short(shape.x)}" y="${short(shape.y)}" width="${short(shape.width)}" height="${short(shape.height)}"`;
      const said = shape.title === undefined ? '' : `<title>${escapeXml(shape.title)}</title>`;
      return `<rect ${box} fill="${PALETTE[shape.fill]}">${said}</rect>`;
    }
    case 'dots':
      return `<path d="${dotsPath(shape.points, shape.radius)}" ${shape.open ? `fill="none" stroke="${PALETTE[shape.fill]}"` : `fill="${PALETTE[shape.fill]}"`}/>`;
    case 'text': {
      const { x, y, text, fill = 'ink', anchor = 'start', turn, bold } = shape;
      const place = turn
        ? `transform="translate(${short(x)} ${short(y)}) rotate(-90)"`
        : `x="${short(x)}" y="${short(y)}"`;
      return `<text ${place} text-anchor="${anchor}" fill="${PALETTE[fill]}"${bold ? ' font-weight="600"' : ''}>${escapeXml(text)}</text>`;
    }
  }
}

/** Small circles as one path. */
export function dotsPath(points: readonly [x: number, y: number][], radius: number): string {
  const r = short(radius);
  const across = short(2 * radius);
  return points
    .map(
      ([x, y]) =>
        `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${across} 0a${r} ${r} 0 1 0 -${across} 0`,
    )
    .join('');
}
