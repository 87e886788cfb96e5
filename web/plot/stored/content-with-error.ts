import { statNumber } from '../model';

/** Formats a content and its error with two digits of the error. Integer contents stay integers. */
export function contentWithError(value: number, error: number): string {
  if (!(error > 0) || !Number.isFinite(error) || !Number.isFinite(value))
    return `${statNumber(value)} ± ${statNumber(error)}`;
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(error)));
  const size = Math.max(Math.abs(value), error);
  if (size >= 1e6 || size < 1e-4) return `${statNumber(value)} ± ${statNumber(Number(error.toPrecision(2)))}`;
  const digits = Math.min(20, decimals);
  const content = Number.isSafeInteger(value) ? statNumber(value) : value.toFixed(digits).replace('-', '−');
  return `${content} ± ${error.toFixed(digits)}`;
}

/** Formats a value and its errors on both sides, with two digits of the smaller one. */
export function contentWithErrors(value: number, down: number, up: number): string {
  if (down === up) return contentWithError(value, up);
  const least = Math.min(down > 0 ? down : up, up > 0 ? up : down);
  const sides = [value, down, up];
  const size = Math.max(Math.abs(value), down, up);
  if (!(least > 0) || !sides.every(Number.isFinite) || size >= 1e6 || size < 1e-4)
    return `${statNumber(value)} −${statNumber(down)} +${statNumber(up)}`;
  const decimals = Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(least))));
  const [text, below, above] = sides.map((one) => one.toFixed(decimals).replace('-', '−'));
  return `${text} −${below} +${above}`;
}
