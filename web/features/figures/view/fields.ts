import { toXylemError } from '../../../base/errors';
import type { Group, Param, Params, Shape } from '../../../base/shape';
import { checkStyle, STYLE, type Style } from '../work/style';

/** The place of a member in a style: "legend.place", or "layers.0.as". */
export type Path = string;

/** Fields of the panel, with their labels. What else a style has is in its JSON. */
export const FIELDS: readonly [title: string, fields: readonly [Path, string][]][] = [
  [
    'Size',
    [
      ['column', 'Column'],
      ['width', 'Width in mm'],
      ['height', 'Height in mm'],
      ['font.family', 'Font'],
      ['font.titles', 'Titles in pt'],
      ['font.numbers', 'Numbers in pt'],
    ],
  ],
  [
    'Label',
    [
      ['label.experiment', 'Experiment'],
      ['label.text', 'Text'],
      ['label.extra', 'Small line'],
      ['label.place', 'Place'],
      ['label.luminosity', 'Luminosity'],
      ['label.unit', 'Unit'],
      ['label.energy', 'Energy in TeV'],
      ['label.year', 'Year'],
    ],
  ],
  [
    'Axes',
    [
      ['x.title', 'Title of x'],
      ['x.range', 'Range of x'],
      ['y.title', 'Title of y'],
      ['y.range', 'Range of y'],
    ],
  ],
  [
    'Legend',
    [
      ['legend.place', 'Place'],
      ['legend.columns', 'Columns'],
      ['legend.title', 'Title'],
      ['bands.statistics', 'Errors of the first'],
      ['bands.total', 'Errors of the stack'],
    ],
  ],
  [
    'Below',
    [
      ['ratio.show', 'Panel'],
      ['ratio.title', 'Title'],
      ['ratio.range', 'Range'],
      ['ratio.band', 'Band'],
    ],
  ],
];

/** Fields of each layer. */
export const LAYER_FIELDS: readonly [string, string][] = [
  ['as', 'As'],
  ['label', 'Name'],
  ['colour', 'Colour'],
  ['line', 'Line'],
  ['marker', 'Points'],
];

/** Returns the shape of the member at a place. */
export function shapeAt(path: Path): Param<unknown> {
  let members: Params = STYLE;
  let found: Param<unknown> | undefined;
  for (const name of path.split('.')) {
    if (/^\d+$/.test(name)) continue;
    found = members[name];
    const inner = found as Partial<Group<Params>> | undefined;
    members = inner?.members ?? (found?.of as Partial<Group<Params>> | undefined)?.members ?? {};
  }
  if (found === undefined) throw new RangeError(`A style has no member ${path}.`);
  return found;
}

type Node = { [name: string]: unknown } | unknown[];
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Returns the value at a place; undefined if there is none. */
export function valueAt(style: object, path: Path): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isNode(value) ? (value as Record<string, unknown>)[name] : undefined),
      style,
    );
}

/** Returns a style with another value at a place, or without it. Objects that are left empty are left out. */
export function withValue(style: Style, path: Path, value: unknown): Style {
  return (put(style, path.split('.'), value) ?? {}) as Style;
}

function put(node: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  if (/^\d+$/.test(name)) {
    const list = Array.isArray(node) ? [...node] : [];
    while (list.length <= Number(name)) list.push({});
    list[Number(name)] = put(list[Number(name)], rest, value) ?? {};
    while (list.length > 0 && Object.keys(Object(list.at(-1))).length === 0) list.pop();
    return list.length > 0 ? list : undefined;
  }
  const members: Record<string, unknown> = isNode(node) && !Array.isArray(node) ? { ...node } : {};
  const next = rest.length > 0 ? put(members[name], rest, value) : value;
  if (next === undefined) delete members[name];
  else members[name] = next;
  return Object.keys(members).length > 0 ? members : undefined;
}

/** Returns the value of a text that is typed into a field: a word, a number, or numbers with commas between them. */
export function typedValue(shape: Pick<Shape<unknown>, 'is'>, text: string): { value: unknown } | undefined {
  for (const read of [() => JSON.parse(text), () => JSON.parse(`[${text}]`), () => text]) {
    try {
      const value: unknown = read();
      if (shape.is(value)) return { value };
    } catch {
      // Other forms are tried.
    }
  }
  return undefined;
}

/** Returns what is wrong with a text in a field, as the check of a style file says it; empty if nothing is. */
export function wrongIn(path: Path, text: string): string {
  if (text.trim() === '' || typedValue(shapeAt(path), text)) return '';
  const values = [() => JSON.parse(text), () => JSON.parse(`[${text}]`), () => text];
  const read = values.flatMap((one) => {
    try {
      return [one() as unknown];
    } catch {
      return [];
    }
  });
  try {
    checkStyle(withValue({}, path, read[0]));
  } catch (thrown) {
    const { message, fix } = toXylemError(thrown);
    return `${message} ${fix ?? ''}`.trim();
  }
  return `It has to be ${shapeAt(path).words}.`;
}

/** Returns the text of a value in a field. */
export function shownValue(value: unknown): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
