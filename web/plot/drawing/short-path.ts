/** One command of a path with its end in pixels; `z` has none. Lines along an axis have both coordinates, too. */
export interface Step {
  command: 'M' | 'L' | 'C' | 'a' | 'z';
  /** Absolute numbers; for an arc: its radii, angle and flags, and then its end. */
  numbers: number[];
}

const TOKEN = /[A-Za-z]|-?\d*\.?\d+(?:e-?\d+)?/g;

/** Reads a path of a drawing into absolute steps. Returns undefined for a command that drawings do not have. */
export function pathSteps(d: string): Step[] | undefined {
  const tokens = d.match(TOKEN) ?? [];
  const steps: Step[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let at = 0;
  const next = () => Number(tokens[at++]);
  const line = (toX: number, toY: number) => {
    [x, y] = [toX, toY];
    steps.push({ command: 'L', numbers: [x, y] });
  };
  let command = '';
  while (at < tokens.length) {
    if (/^[A-Za-z]$/.test(tokens[at] ?? '')) command = tokens[at++] ?? '';
    switch (command) {
      case 'M':
        [x, y] = [startX, startY] = [next(), next()];
        steps.push({ command: 'M', numbers: [x, y] });
        command = 'L';
        break;
      case 'L':
        line(next(), next());
        break;
      case 'H':
        line(next(), y);
        break;
      case 'V':
        line(x, next());
        break;
      case 'h':
        line(x + next(), y);
        break;
      case 'v':
        line(x, y + next());
        break;
      case 'C': {
        const numbers = Array.from({ length: 6 }, next);
        [x = 0, y = 0] = numbers.slice(4);
        steps.push({ command: 'C', numbers });
        break;
      }
      case 'a': {
        const shape = Array.from({ length: 5 }, next);
        [x, y] = [x + next(), y + next()];
        steps.push({ command: 'a', numbers: [...shape, x, y] });
        break;
      }
      case 'Z':
      case 'z':
        [x, y] = [startX, startY];
        steps.push({ command: 'z', numbers: [] });
        break;
      default:
        return undefined;
    }
  }
  return steps.some(({ numbers }) => numbers.some(Number.isNaN)) ? undefined : steps;
}

/** How coordinates are written: in tenths of a pixel, as whole numbers or with a point. */
export type Digits = 'tenths' | 'pixels';

/**
 * Writes a path with as few letters as possible: relative, rounded to tenths of a pixel. Rounding errors do not add up,
 * because each difference is taken between rounded places.
 */
export function shortPath(steps: readonly Step[], digits: Digits): string {
  let text = '';
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const tenths = (value: number) => Math.round(value * 10);
  const write = (letter: string, values: readonly number[]) => {
    text += letter;
    for (const [i, value] of values.entries()) {
      const number = digits === 'tenths' ? String(value) : pixels(value);
      text += i > 0 && !number.startsWith('-') ? ` ${number}` : number;
    }
  };
  /** A line along an axis that has not been written yet: a further one in its direction makes it longer. */
  let waiting: { letter: 'h' | 'v'; length: number } | undefined;
  const flush = () => {
    if (waiting) write(waiting.letter, [waiting.length]);
    waiting = undefined;
  };
  const along = (letter: 'h' | 'v', length: number) => {
    if (waiting?.letter === letter && waiting.length * length > 0) waiting.length += length;
    else {
      flush();
      waiting = { letter, length };
    }
  };
  /** Contents of the figure so far: only its first point, also a line without length, or more. */
  let figure: 'point' | 'dot' | 'line' = 'point';
  const endFigure = () => {
    flush();
    // A round end makes a line without length visible.
    if (figure === 'dot') text += 'h0';
    figure = 'point';
  };
  for (const { command, numbers } of steps) {
    if (command === 'z') {
      flush();
      figure = 'line';
      text += 'z';
      [x, y] = [startX, startY];
      continue;
    }
    const places = command === 'a' ? numbers.slice(5).map(tenths) : numbers.map(tenths);
    const [toX = 0, toY = 0] = places.slice(-2);
    const moved = places.map((value, i) => value - (i % 2 === 0 ? x : y));
    const [dx = 0, dy = 0] = moved;
    switch (command) {
      case 'M':
        endFigure();
        write(text === '' ? 'M' : 'm', moved);
        [startX, startY] = [toX, toY];
        break;
      case 'L':
        if (dx === 0 && dy === 0) {
          if (figure === 'point') figure = 'dot';
          break;
        }
        figure = 'line';
        if (dy === 0) along('h', dx);
        else if (dx === 0) along('v', dy);
        else {
          flush();
          write('l', moved);
        }
        break;
      case 'C':
        flush();
        figure = 'line';
        write('c', moved);
        break;
      case 'a': {
        flush();
        figure = 'line';
        const [rx = 0, ry = 0, angle = 0, large = 0, sweep = 0] = numbers;
        const unit = digits === 'tenths' ? 1 : 10;
        write('a', [tenths(rx), tenths(ry), angle * unit, large * unit, sweep * unit, ...moved]);
      }
    }
    [x, y] = [toX, toY];
  }
  endFigure();
  return text;
}

function pixels(tenths: number): string {
  return String(tenths / 10).replace(/^(-?)0\./, '$1.');
}

/** An affine map of each axis: `scale * x + offset`. */
export interface Stretch {
  x: { scale: number; offset: number };
  y: { scale: number; offset: number };
}

/** Whether a path is a stretched copy of another one, to a tenth of a pixel. */
export function isStretched(from: readonly Step[], to: readonly Step[], { x, y }: Stretch): boolean {
  return (
    from.length === to.length &&
    from.every(({ command, numbers }, k) => {
      const other = to[k];
      // The radii of an arc are not stretched with its place.
      if (other?.command !== command || command === 'a') return false;
      return numbers.every((value, i) => {
        const { scale, offset } = i % 2 === 0 ? x : y;
        return Math.abs(scale * value + offset - (other.numbers[i] ?? Number.NaN)) < 0.1;
      });
    })
  );
}
