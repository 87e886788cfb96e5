// Numbers in JSON and in text tables. JSON has no NaN and no infinities, so they are the strings "nan", "inf" and
// "-inf".

/** Returns the text of a number. Integers of 64 bits are exact, and the sign of -0 is kept. */
export function numberText(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

/** Returns a number as JSON. */
export function numberJson(value: number | bigint): string {
  const text = numberText(value);
  return typeof value === 'bigint' || Number.isFinite(value) ? text : `"${text}"`;
}

/** Returns JSON as `JSON.stringify` does, with strings for numbers that are not finite. */
export function dataJson(data: unknown): string {
  return JSON.stringify(data, (_name, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? numberText(value) : value,
  );
}

/** Returns a number, a list of numbers or a Float64Array as JSON, and other values as `JSON.stringify` does. */
export function valueJson(value: unknown): string {
  if (typeof value === 'number') return numberJson(value);
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'number');
  if (isList || value instanceof Float64Array) return `[${Array.from(value, numberJson).join(',')}]`;
  return JSON.stringify(value, (_name, one: unknown) =>
    one instanceof Float64Array ? Array.from(one) : one,
  );
}

/** Returns an object as JSON: its members by `valueJson`, without those that are undefined. */
export function membersJson(members: object): string {
  const texts = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}: ${valueJson(value)}`);
  return `{${texts.join(', ')}}`;
}
