import { type Members, unaddable } from '../../../../../bins/object-values';
import { histogramClass } from '../../../../../bins/stored-axes';
import { addCollection, histogramsOf, isCollection } from './add-collections';
import { addEfficiency } from './add-efficiencies';
import { addEntryList, addEventList } from './add-entry-lists';
import { addGraph, isGraph } from './add-graphs';
import { addHistogram } from './add-histograms';
import { addManyAxes, manyAxesClass } from './add-many-axes';
import { addParameter, addStatistic, parameterType } from './add-numbers';
import { addPolygons, polygonClass } from './add-polygons';

/**
 * Classes, including derived ones, that ROOT merges but that are not added here. The text is the reason, if ROOT is
 * the cause.
 */
const NOT_ADDED: ReadonlyMap<string, string> = new Map([
  ['TPolyLine', 'ROOT puts the points of one in the place of the other.'],
  ['TPolyMarker', ''],
  ['TPolyLine3D', ''],
  ['TPolyMarker3D', ''],
  ['TEntryList', ''],
  ['TFileCollection', ''],
  ['TLinearFitter', ''],
  ['TFileMerger', ''],
  ['TQCommand', ''],
  ['TSeqCollection', ''],
  ['TClonesArray', ''],
  ['TRefArray', ''],
  ['TParameter', ''],
  ['TStatistic', ''],
  ['TEventList', ''],
  ['THStack', ''],
  ['TEfficiency', ''],
  ['TH1', ''],
  ['THnBase', ''],
  ['TGraph', ''],
  ['TTree', ''],
]);

/** Collection classes whose base TSeqCollection is not described by any file. */
const SEQUENCES = ['TList', 'THashList', 'TObjArray', 'TOrdCollection', 'TSortedList'];

/** Facts about a sum that its content does not show. */
export interface SumState {
  /** Initial lengths of its lists, by their places in it. */
  lengths: Map<string, number>;
  /** Places of the histograms in it that are already sums. */
  summed: Set<string>;
}

/** Returns the state of a sum of one object. */
export const newSum = (): SumState => ({ lengths: new Map(), summed: new Set() });

/** The classes of the file of an object that is added. */
export interface AddedClasses {
  /** Whether a class derives from another one. */
  derives(className: string, base: string): boolean;
  /** Throws UNSUPPORTED for an object whose classes differ from those of the file of the sum. */
  check(object: Members): void;
}

type Derives = AddedClasses['derives'];

type Add = (
  into: Members,
  other: Members,
  state: SumState & { classes: AddedClasses },
  place: string,
) => void;

/**
 * Returns the function that adds objects of a class; undefined if the class has no Merge() in ROOT or is not
 * supported here.
 */
function adderOf(className: string): Add | undefined {
  if (histogramClass(className)) return addBinned;
  if (isGraph(className)) return addGraph;
  if (manyAxesClass(className)) return addManyAxes;
  if (parameterType(className)) return addParameter;
  if (polygonClass(className)) return addPolygons;
  if (isCollection(className)) return addList;
  return OTHERS.get(className);
}

const addBinned: Add = (into, other, { summed }, place) => {
  addHistogram(into, other, summed.has(place));
  summed.add(place);
};

const OTHERS = new Map<string, Add>([
  [
    'TEfficiency',
    (into, other, { summed }, place) => {
      addEfficiency(into, other, summed.has(place));
      summed.add(place);
    },
  ],
  ['TEntryList', addEntryList],
  ['TEventList', addEventList],
  ['TStatistic', addStatistic],
  ['THStack', (into, other, ...more) => addList(histogramsOf(into), histogramsOf(other), ...more)],
]);

const addList: Add = (into, other, state, place) =>
  addCollection(into, other, place, {
    lengths: state.lengths,
    adds(className) {
      if (isAdded(className)) return true;
      const why = whyNotAdded(className, state.classes.derives);
      if (why !== undefined) throw unaddable(why);
      return false;
    },
    checkClasses: state.classes.check,
    add: (own, item, at) => adderOf(String(own._typename))?.(own, item, state, at),
  });

/** Whether objects of a class are added. */
export function isAdded(className: string): boolean {
  return adderOf(className) !== undefined;
}

/** Whether a sum takes over objects of all files, and may be partly changed before adding fails. */
export function takesObjects(className: string): boolean {
  return isCollection(className) || className === 'THStack' || className === 'TEntryList';
}

/**
 * Adds an object to a sum as Merge() of its class does. Throws UNSUPPORTED if they cannot be added; the sum is then
 * unchanged, except that with `mayChange` a list may be partly changed. Returns the sum, which may be a new object.
 */
export function addObject(
  sum: Members,
  other: Members,
  state: SumState,
  { classes, mayChange }: { classes: AddedClasses; mayChange: boolean },
): Members {
  const className = String(sum._typename);
  const add = adderOf(className);
  if (!add || other._typename !== className)
    throw unaddable(`A ${String(other._typename)} cannot be added to a ${className}.`);
  if (!takesObjects(className)) {
    add(sum, other, { ...state, classes }, '');
    return sum;
  }
  const whole = mayChange ? sum : copyOf(sum, state.lengths.get(''));
  const lengths = new Map(state.lengths);
  const summed = new Set(state.summed);
  add(whole, other, { lengths, summed, classes }, '');
  state.lengths = lengths;
  state.summed = summed;
  return whole;
}

/** Returns a copy of a list. Only its first `added` objects are copied, because the appended ones never change. */
function copyOf(sum: Members, added: number | undefined): Members {
  const { arr, opt } = sum;
  if (added === undefined || !Array.isArray(arr) || !Array.isArray(opt)) return structuredClone(sum);
  return { ...sum, arr: [...structuredClone(arr.slice(0, added)), ...arr.slice(added)], opt: [...opt] };
}

/** Returns why objects of a class are not added although ROOT merges them; undefined if ROOT does not. */
export function whyNotAdded(className: string, derives: Derives): string | undefined {
  for (const [base, why] of NOT_ADDED) {
    const is = base === className || (base === 'TParameter' && className.startsWith('TParameter<'));
    const bases = base === 'TSeqCollection' ? [base, ...SEQUENCES] : [base];
    if (is || bases.some((one) => derives(className, one)))
      return why || `Objects of the class ${className} are not added here, though ROOT does.`;
  }
  return undefined;
}
