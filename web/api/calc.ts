import type { Histogram } from './drawing';

/** A number with its error. */
export interface CalculatedNumber {
  kind: 'number';
  value: number;
  error: number;
}

/** Statistics of a histogram over what its axes show, as TH1::GetMean and others have them. */
export interface CalculatedStatistics {
  kind: 'statistics';
  entries: number;
  effective: number;
  /** Sum of the contents; undefined for a profile. */
  integral: { value: number; error: number } | undefined;
  /** The mean of each axis, x first; for a profile also of the averaged values. */
  mean: { value: number; error: number }[];
  stdDev: { value: number; error: number }[];
  /** The sums of TH1::GetStats. */
  sums: number[];
}

/** Efficiencies of all cells with the ends of their intervals, under- and overflow included; x varies fastest. */
export interface CalculatedEfficiency {
  kind: 'efficiency';
  cells: { value: number; low: number; high: number }[];
}

/** The result of `calculate`. */
export type Calculated = Histogram | CalculatedNumber | CalculatedStatistics | CalculatedEfficiency;
