/**
 * Returns a record's own value under a name that others chose; never a property that all objects have, such
 * as "constructor".
 */
export function own<T>(record: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
