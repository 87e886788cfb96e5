import type { PlainObject, PlainValue } from '../../api/api';
import { isRecord } from '../../model/plain-members';

/** Maximum depth of values that are searched. */
const MAX_DEPTH = 100;

/** Finds the object that a value is or refers to (`{ $ref }`); undefined for anything else. */
export type Follow = (value: PlainValue | undefined) => PlainObject | undefined;

/**
 * Returns a function that follows references within an object. ROOT stores an object once, and afterwards only its
 * number.
 */
export function references(whole: PlainObject): Follow {
  let known: Map<PlainValue, PlainObject> | undefined;
  return (value) => {
    if (!isRecord(value)) return undefined;
    if (!('$ref' in value)) return typeof value._typename === 'string' ? (value as PlainObject) : undefined;
    known ??= numbered(whole);
    return known.get(value.$ref ?? null);
  };
}

function numbered(whole: PlainObject): Map<PlainValue, PlainObject> {
  const known = new Map<PlainValue, PlainObject>();
  const walk = (value: PlainValue, depth: number): void => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1);
      return;
    }
    if (value.$id !== undefined && !known.has(value.$id)) known.set(value.$id, value as PlainObject);
    for (const name in value) walk(value[name] ?? null, depth + 1);
  };
  walk(whole, 0);
  return known;
}
