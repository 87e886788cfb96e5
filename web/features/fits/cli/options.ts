import type { Given, OtherForm } from '../../../cli/command';
import { flag, type Options, valued } from '../../../cli/options';
import { fitToolIds } from '../work/programs/tools';

/** Options that fit a function to what is drawn. */
export const fitOptions = {
  fit: valued(
    'FUNCTION',
    "fit a function and draw it: gaus, gausn, expo, pol0 to pol9, landau, breitwigner, voigt, crystalball, crystalball2, cheb3, sums as 'gaus(0)+pol1(3)', " +
      "any expression with parameters as '[0]*exp(-x/[tau])'; with --layer repeated, one for each",
    { multiple: true },
  ),
  'fit-range': valued('LOW:HIGH', 'fit only bins or points within; of two axes LOW:HIGH,LOW:HIGH'),
  'fit-options': valued(
    'LETTERS',
    'of ROOT: L is the likelihood of counts, WL that of weighted bins, P chi-square with expected errors, W errors of 1, I the mean over each bin, E errors by MINOS, EX0 without errors of x',
  ),
  'fit-parameters': valued(
    'NAME=START,…',
    'start values: NAME=START, NAME=START[LOW:HIGH] with limits, NAME=VALUE|fixed; names are those of the function, or numbers',
  ),
  'fit-below': valued(
    'WHAT',
    'what the panel below a picture shows: "pulls", the default, are differences divided by errors; "difference", "none"',
  ),
  'fit-unbinned': flag(
    'fit the values themselves instead of bins: the function is then the number of values per unit of x',
  ),
  'fit-shared': valued(
    'NAMES',
    'fit what is drawn and each --layer together: these parameters are the same in all functions, as Mean,Sigma. Others end with the number of their layer: Constant_2',
  ),
  'fit-contour': valued(
    'NAME,NAME',
    'the contour of two parameters, one standard deviation from the minimum: beside the picture, and in --json. May be repeated',
    { multiple: true },
  ),
  code: valued(
    'TOOL',
    'with --fit, root and iminuit print a program that fills or reads the same data, and fits them alike',
    { choices: fitToolIds },
  ),
} as const satisfies Options;

export type FitGiven = Given<typeof fitOptions>;

/** A function that is fitted to what "xylem draw" draws. */
export const fitForm: OtherForm = {
  options: fitOptions,
  isFirst: true,
  about:
    "--fit finds the parameters of a function by Minuit2, and tells what ROOT's Fit tells; the picture has the function, its band of one standard deviation, and pulls.",
  json: 'With --fit {"kind": "fit", "function", "parameters": [{"name", "value", "error", …}, …], "covariance", "correlation", "status", "valid", "fcn", "edm", "calls", "chi2", "ndf", "probability", "points", "range", "contours", "notes", …}; with --fit-shared {"kind": "fits", "shared", "parts": [{"kind": "fit", …}, …], …}.',
  async run(given, words, context) {
    if (given.fit === undefined) {
      const other = Object.keys(given).find((name) => name.startsWith('fit-'));
      const { UsageError } = await import('../../../cli/arguments');
      if (other !== undefined) throw new UsageError(`--${other} is for --fit.`);
      if (given.code === 'iminuit') throw new UsageError('--code iminuit is for --fit.');
      return undefined;
    }
    await checkOthers(given);
    if (given.code === undefined) return await (await import('./draw-fit')).drawFit(given, words, context);
    return await (await import('./print-fit')).printFit(given, words, context);
  },
};

/** Throws UsageError for options of other forms, which a fit does not follow. */
async function checkOthers(given: Readonly<Record<string, unknown>>): Promise<void> {
  const { drawOptions } = await import('../../../cli/commands/draw');
  const known = { ...drawOptions, ...fitOptions, style: true, layer: true, label: true };
  const other = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (other === undefined) return;
  const { UsageError } = await import('../../../cli/arguments');
  throw new UsageError(`--${other} does not go with --fit.`);
}
