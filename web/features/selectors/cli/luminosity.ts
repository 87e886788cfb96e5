import { UsageError } from '../../../cli/arguments';

export interface Luminosity {
  value: number;
  /** As titles of plots have it. */
  text: string;
}

/** The factors to 1/pb. */
const UNITS = { pb: 1, fb: 1000 } as const;

/** Reads a luminosity: a number in the unit of the cross sections, or with "/pb" or "/fb" if these are in pb. Throws UsageError. */
export function parseLuminosity(text: string | undefined): Luminosity | undefined {
  if (text === undefined) return undefined;
  const [, number = text, unit] = /^(.*?) ?\/(pb|fb)$/.exec(text.trim()) ?? [];
  const value = Number(number);
  if (number.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new UsageError(`--lumi takes a number above 0, such as 59700 or 59.7/fb, not "${text}".`);
  if (unit === undefined) return { value, text: `L = ${number.trim()}` };
  return { value: value * UNITS[unit as keyof typeof UNITS], text: `${number.trim()} ${unit}^{-1}` };
}
