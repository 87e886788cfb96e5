import type { FitMethod } from '../../../api/fit';

/** The letters of ROOT's fit options that say what is minimized. */
export interface FitChoice {
  /** L: binned likelihood; WL: with the weights of the bins. P: chi-square with the errors that the function expects. */
  method: Exclude<FitMethod, 'unbinned'>;
  /** I: the mean of the function over a bin, instead of its value in the middle. */
  integral: boolean;
  /** W and WW: all errors are 1, of bins with content, and of all bins. */
  ones: 'none' | 'filled' | 'all';
  /** E: errors by MINOS. */
  minos: boolean;
  /** EX0: the errors of x do not count. */
  withoutX: boolean;
  /** F: Minuit, also for polynomials. */
  minuit: boolean;
}
