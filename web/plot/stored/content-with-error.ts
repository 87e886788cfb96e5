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
