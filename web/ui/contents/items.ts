import type { PlainObject, PlainValue } from '../../api/api';
import { isRecord } from '../../model/plain-members';
import { isDrawableClass } from '../../plot/stored/classes';
import { isDrawing } from './classes';

/** An object within another one, and its name there. */
export interface Item {
  /** Name for display; the position if the object has no name. */
  name: string;
  /** Part of a path: the name if it is unique, otherwise the position as "[3]". */
  step: string;
  className: string;
  title: string;
  object: PlainObject;
  /**
   * How it can be drawn: "plot" by xylem, "drawing" by JSROOT, "other" not at all. A "list" contains other objects.
   */
  kind: 'plot' | 'drawing' | 'list' | 'other';
}

/** Separator of the parts of a path. */
const SEPARATOR = '/';

export function isObject(value: PlainValue | undefined): value is PlainObject {
  return isRecord(value) && typeof value._typename === 'string';
}

/** Returns the objects of a list by name; undefined if the object is not a list. */
export function itemsOf(object: PlainObject): Item[] | undefined {
  const held = heldBy(object);
  if (held === undefined) return undefined;
  const objects = held.flatMap((value, place) => (isObject(value) ? [{ object: value, place }] : []));
  const counts = new Map<string, number>();
  for (const one of objects) {
    const name = ownName(one.object);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return objects.map(({ object: item, place }) => {
    const name = ownName(item);
    const unique = name !== '' && counts.get(name) === 1 && !/[/[\]]/.test(name);
    const step = unique ? name : `[${place}]`;
    const className = item._typename;
    return {
      name: name || step,
      step,
      className,
      title: text(item.fTitle),
      object: item,
      kind: kindOf(item),
    };
  });
}

function heldBy(object: PlainObject): PlainValue[] | undefined {
  if (Array.isArray(object.arr)) return object.arr;
  // A TFolder keeps its list in a member.
  const folders = object.fFolders;
  return object._typename === 'TFolder' && isObject(folders) ? heldBy(folders) : undefined;
}

/** Returns how an object can be shown. */
export function kindOf(object: PlainObject): Item['kind'] {
  if (isDrawableClass(object._typename)) return 'plot';
  if (isDrawing(object._typename)) return 'drawing';
  return heldBy(object) === undefined ? 'other' : 'list';
}

function ownName(object: PlainObject): string {
  return text(object.fName) || text(object.name) || text(object.fString);
}

function text(value: PlainValue | undefined): string {
  return typeof value === 'string' ? value.slice(0, 200) : '';
}

/** Returns the object at a path, which leads from list to list and from member to member. */
export function partAt(object: PlainObject, path: string): PlainObject | undefined {
  let at: PlainValue | undefined = object;
  for (const step of steps(path)) {
    if (Array.isArray(at)) {
      at = at[Number(step)];
      continue;
    }
    if (!isObject(at)) return undefined;
    const items: Item[] | undefined = itemsOf(at);
    const found: Item | undefined =
      items?.find((one) => one.step === step) ?? items?.find((one) => one.name === step);
    at = found?.object ?? (Object.hasOwn(at, step) ? at[step] : undefined);
  }
  return isObject(at) ? at : undefined;
}

export function steps(path: string): string[] {
  return path === '' ? [] : path.split(SEPARATOR);
}

export function joined(path: string, step: string): string {
  return path === '' ? step : `${path}${SEPARATOR}${step}`;
}
