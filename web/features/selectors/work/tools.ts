import { argumentError } from '../../../base/errors';
import { refusing } from './misspelt';
import type { FourVector, SelectorTask } from './types';

/** Throws ARGUMENT unless all arguments are numbers of objects. A list of them is a common mistake. */
function checkCounts(...counts: readonly unknown[]): void {
  for (const count of counts) {
    if (Number.isSafeInteger(count) && (count as number) >= 0) continue;
    throw argumentError(
      'pairs, triples, combinations and cross take numbers of objects.',
      'Give the length of a list: pairs(pt.length).',
    );
  }
}

// Each call makes new lists, because code may keep or change them. Keeping and freezing them here is slower.

function pairs(count: number): [number, number][] {
  checkCounts(count);
  const list: [number, number][] = [];
  for (let i = 0; i < count; i++) for (let j = i + 1; j < count; j++) list.push([i, j]);
  return list;
}

function triples(count: number): [number, number, number][] {
  checkCounts(count);
  const list: [number, number, number][] = [];
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) for (let k = j + 1; k < count; k++) list.push([i, j, k]);
  return list;
}

function cross(count: number, others: number): [number, number][] {
  checkCounts(count, others);
  const list: [number, number][] = [];
  for (let i = 0; i < count; i++) for (let j = 0; j < others; j++) list.push([i, j]);
  return list;
}

function combinations(count: number, size: number): number[][] {
  checkCounts(count, size);
  if (size > count) return [];
  const list: number[][] = [];
  const chosen = Array.from({ length: size }, (_, i) => i);
  for (;;) {
    list.push([...chosen]);
    // Index of the last position that can still grow. The positions after it follow.
    let at = size - 1;
    while (at >= 0 && chosen[at] === count - size + at) at -= 1;
    if (at < 0) return list;
    const first = (chosen[at] ?? 0) + 1;
    for (let i = at; i < size; i++) chosen[i] = first + i - at;
  }
}

function order(values: ArrayLike<number>): number[] {
  // Two infinities of the same sign have no difference. NaN cannot be compared; it is sorted last.
  const after = (a: number, b: number): number => {
    const [x = 0, y = 0] = [values[a], values[b]];
    if (x > y) return -1;
    if (x < y) return 1;
    return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
  };
  return Array.from(values, (_, i) => i).sort(after);
}

/** Throws ARGUMENT unless these are numbers: undefined, of a misspelt name or after the end of a list, would make NaN of all. */
function checkNumbers(call: string, values: readonly unknown[], names: readonly string[]): void {
  const odd = values.findIndex((one) => typeof one !== 'number');
  if (odd < 0) return;
  const given = values[odd];
  const isList = typeof given === 'object' && given !== null;
  throw argumentError(
    `${call} got ${isList ? 'a list' : String(given).slice(0, 40)} for ${names[odd]}, which is a number.`,
    isList
      ? 'Give one value of each list, such as pt[0].'
      : 'Look for a misspelt name, and for an index after the end of a list.',
  );
}

class Vector implements FourVector {
  constructor(
    readonly px: number,
    readonly py: number,
    readonly pz: number,
    readonly e: number,
  ) {}

  get pt(): number {
    return Math.sqrt(this.px * this.px + this.py * this.py);
  }

  get eta(): number {
    const { pt, pz } = this;
    if (pt === 0) return pz === 0 ? 0 : pz > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    return Math.asinh(pz / pt);
  }

  get phi(): number {
    return Math.atan2(this.py, this.px);
  }

  /**
   * Invariant mass. Negative if its square is negative, because of rounding or a momentum larger than the energy, as
   * in ROOT.
   */
  get mass(): number {
    const { px, py, pz, e } = this;
    const square = e * e - px * px - py * py - pz * pz;
    return square < 0 ? -Math.sqrt(-square) : Math.sqrt(square);
  }

  get rapidity(): number {
    return Math.log((this.e + this.pz) / (this.e - this.pz)) / 2;
  }

  plus({ px, py, pz, e }: FourVector): FourVector {
    return new Vector(this.px + px, this.py + py, this.pz + pz, this.e + e);
  }

  minus({ px, py, pz, e }: FourVector): FourVector {
    return new Vector(this.px - px, this.py - py, this.pz - pz, this.e - e);
  }

  deltaR({ eta, phi }: FourVector): number {
    return deltaR(this.eta, this.phi, eta, phi);
  }
}

Object.setPrototypeOf(
  Vector.prototype,
  refusing(
    (name) => `A four-vector has no "${name}".`,
    () => ['pt', 'eta', 'phi', 'mass', 'px', 'py', 'pz', 'e', 'rapidity', 'plus', 'minus', 'deltaR'],
  ),
);

const areNumbers = (a: unknown, b: unknown): boolean => typeof a === 'number' && typeof b === 'number';

// Steps for mistakes have functions of their own: engines compile short functions together with the code that calls them.

function checkP4(...given: readonly unknown[]): void {
  checkNumbers('p4', given, ['pt', 'eta', 'phi', 'mass']);
}

function checkAngles(...given: readonly unknown[]): void {
  checkNumbers('deltaPhi', given, ['the first angle', 'the second angle']);
}

function checkDirections(...given: readonly unknown[]): void {
  checkNumbers('deltaR', given, ['eta1', 'phi1', 'eta2', 'phi2']);
}

function p4(pt: number, eta: number, phi: number, mass: number): FourVector {
  if (!areNumbers(pt, eta) || !areNumbers(phi, mass)) checkP4(pt, eta, phi, mass);
  const pz = pt * Math.sinh(eta);
  return new Vector(
    pt * Math.cos(phi),
    pt * Math.sin(phi),
    pz,
    Math.sqrt(pt * pt + pz * pz + mass * Math.abs(mass)),
  );
}

const TURN = 2 * Math.PI;

function deltaPhi(a: number, b: number): number {
  let difference = a - b;
  // NaN is on this side, too. A remainder takes longer than all other steps. A list of one value would be taken as this value.
  if (!areNumbers(a, b) || !(Math.abs(difference) < TURN)) difference = remainderOf(a, b);
  if (difference > Math.PI) return difference - TURN;
  return difference < -Math.PI ? difference + TURN : difference;
}

function remainderOf(a: number, b: number): number {
  checkAngles(a, b);
  return (a - b) % TURN;
}

function deltaR(eta1: number, phi1: number, eta2: number, phi2: number): number {
  const eta = eta1 - eta2;
  if (!areNumbers(eta1, eta2) || !areNumbers(phi1, phi2)) checkDirections(eta1, phi1, eta2, phi2);
  const phi = deltaPhi(phi1, phi2);
  // Math.hypot is several times slower, and rounds in another way than ROOT.
  return Math.sqrt(eta * eta + phi * phi);
}

/** Functions of a selector task for the values of entries. */
export const TOOLS: Pick<
  SelectorTask,
  'pairs' | 'triples' | 'combinations' | 'cross' | 'order' | 'p4' | 'deltaPhi' | 'deltaR'
> = { pairs, triples, combinations, cross, order, p4, deltaPhi, deltaR };
