import type { Histogram, PlainObject, PlainValue, ProfileErrors } from '../api/api';
import { corrupt, unsupported } from '../base/data-errors';
import { toXylemError, type XylemError } from '../base/errors';
import { number, numbers, record, text } from '../model/plain-members';
import { emptied } from './buffers';
import { profileCells } from './profile';
import { CONSIDER_OVERFLOWS, momentsOfSums, sumNames, sumsOf } from './statistics';
import { histogramClass, storedAxis } from './stored-axes';

const MAX_CELLS = 2 ** 28;
/** TH1::kIsAverage in fBits. */
export const IS_AVERAGE = 1 << 18;
/** Kinds of errors by fErrorMode. */
const ERROR_OPTIONS: readonly ProfileErrors[] = ['', 's', 'i', 'g'];

/**
 * Returns the first histogram of a stored THStack, because all its histograms have the same bins. Other objects are
 * returned unchanged.
 */
export function binned(object: PlainObject): PlainObject {
  const list = record(object.fHists)?.arr;
  return (object._typename === 'THStack' && Array.isArray(list) && (list[0] as PlainObject)) || object;
}

/**
 * Returns a stored TH1, TH2, TH3 or TProfile (1 to 3 dimensions) as a histogram, from the result of `object` of a
 * reader. All parts of xylem use this function. Values in its buffer are filled into its bins. Statistics are those of
 * TH1::GetStats. Minimum and maximum are NaN, because they are not stored. Throws UNSUPPORTED for another class and for
 * bins that are not chosen yet, and CORRUPT if the members are inconsistent.
 */
export function histogramOfObject(given: PlainObject): Histogram {
  const className = given._typename;
  const name = text(given.fName);
  const kind = histogramClass(className);
  if (!kind) {
    throw unsupported(
      `"${name}" is a ${className}: only TH1, TH2, TH3 and TProfile have bins.`,
      className.startsWith('TDirectory')
        ? `It holds other objects: name one of them, such as "${name}/mass".`
        : /^(TTree|TNtuple|TChain|ROOT::RNTuple)/.test(className)
          ? 'Draw it: (await file.tree(name)).draw(expression).'
          : 'Its members are in the object itself.',
    );
  }
  const { dimensions, profile } = kind;
  const object = emptied(given);
  const all = [object.fXaxis, object.fYaxis, object.fZaxis];
  const axes = all.slice(0, dimensions).flatMap((axis) => storedAxis(axis) ?? []);
  if (axes.length === dimensions && axes.some(({ low, high }) => low >= high)) throw unchosen(object);
  const cells = axes.reduce((product, { bins }) => product * (bins + 2), 1);
  const sums = numbers(object.fArray)?.slice();
  if (axes.length < dimensions || cells > MAX_CELLS || sums?.length !== cells) throw misfit(name, className);
  const sumw2 = numbers(object.fSumw2);
  const squares = sumw2?.length === cells ? sumw2.slice() : sums.map(Math.abs);
  const parts = profile ? profileParts(object, { sums, squares }, sumw2) : undefined;
  if (profile && !parts) throw misfit(name, className);
  const entries = number(object.fEntries);
  const stats = sumNames(dimensions, profile).map((member) => number(object[member]));
  const overflows = number(object.fStatOverflows) === CONSIDER_OVERFLOWS;
  const counted = sumsOf({
    ...{ sums: stats, axes, profile, entries },
    overflows,
    cells: { contents: sums, squares, weights: parts?.weights, weights2: parts?.weights2 },
  });
  return {
    kind: 'histogram',
    title: text(object.fTitle),
    name,
    profile,
    axes,
    valueTitle: text(record(all[dimensions])?.fTitle),
    sums,
    squares,
    ...parts,
    fills: entries,
    entries,
    nan: 0,
    ...momentsOfSums(counted, dimensions, profile),
    stats: stats.every(Number.isFinite) ? stats : counted,
    stored: {
      className,
      weighted: sumw2?.length === cells,
      average: (number(object.fBits) & IS_AVERAGE) !== 0,
      overflows,
    },
  };
}

function profileParts(
  object: PlainObject,
  { sums, squares }: Pick<Histogram, 'sums' | 'squares'>,
  sumw2: Float64Array | undefined,
) {
  const weights = numbers(object.fBinEntries)?.slice();
  if (weights?.length !== sums.length || sumw2?.length !== sums.length) return undefined;
  const stored = numbers(object.fBinSumw2);
  const weights2 = stored?.length === sums.length ? stored.slice() : weights.slice();
  const errorOption = ERROR_OPTIONS[number(object.fErrorMode)] ?? '';
  const cells = profileCells({ sums, squares, weights, weights2 }, errorOption);
  return { weights, weights2, errorOption, ...cells };
}

/**
 * As `histogramOfObject`, but returns undefined for an object that is not a histogram or whose bins cannot be read: see
 * `unreadBins`.
 */
export function histogramIfAny(object: PlainObject | undefined): Histogram | undefined {
  if (object === undefined) return undefined;
  try {
    return histogramOfObject(object);
  } catch (thrown) {
    if (/^(CORRUPT|UNSUPPORTED)$/.test(toXylemError(thrown).code)) return undefined;
    throw thrown;
  }
}

/** Returns why the bins of a stored histogram cannot be read; undefined if they can, and for other classes. */
export function unreadBins(object: PlainObject): XylemError | undefined {
  if (!histogramClass(object._typename)) return undefined;
  try {
    histogramOfObject(object);
    return undefined;
  } catch (thrown) {
    return toXylemError(thrown);
  }
}

function unchosen({ fName, _typename }: { fName?: PlainValue; _typename: string }): XylemError {
  return unsupported(
    `The ${_typename} "${text(fName)}" has no bins yet: ROOT chooses them when it is filled, and it never was.`,
    '"xylem object" shows its members.',
  );
}

function misfit(name: string, className: string): XylemError {
  return corrupt(
    `The members of the ${className} "${name}" do not fit together: it has no bins, or other numbers of them than contents.`,
  );
}
