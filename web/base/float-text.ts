/** Returns a floating point number as canonical JSON. */
export function floatText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? '"nan"' : value > 0 ? '"inf"' : '"-inf"';
}
