import type { FourVector, SelectorTask } from '../../api/selector';

/** Lists of combinations for more objects than this are made each time. */
const KEPT = 64;

const pairLists: (readonly (readonly [number, number])[])[] = [];
const tripleLists: (readonly (readonly [number, number, number])[])[] = [];

function pairs(count: number): readonly (readonly [number, number])[] {
  const kept = pairLists[count];
  if (kept) return kept;
  const list: [number, number][] = [];
  for (let i = 0; i < count; i++) for (let j = i + 1; j < count; j++) list.push([i, j]);
  if (count <= KEPT) pairLists[count] = list;
  return list;
}

function triples(count: number): readonly (readonly [number, number, number])[] {
  const kept = tripleLists[count];
  if (kept) return kept;
  const list: [number, number, number][] = [];
  for (const [i, j] of pairs(count)) for (let k = j + 1; k < count; k++) list.push([i, j, k]);
  if (count <= KEPT) tripleLists[count] = list;
  return list;
}

function order(values: ArrayLike<number>): number[] {
  return Array.from(values, (_, i) => i).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
}

class Vector implements FourVector {
  constructor(
    readonly px: number,
    readonly py: number,
    readonly pz: number,
    readonly e: number,
  ) {}

  get pt(): number {
    return Math.hypot(this.px, this.py);
  }

  get eta(): number {
    const { pt, pz } = this;
    if (pt === 0) return pz === 0 ? 0 : pz > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    return Math.asinh(pz / pt);
  }

  get phi(): number {
    return Math.atan2(this.py, this.px);
  }

  /** Negative where rounding, or a momentum that is larger than the energy, makes its square negative, as in ROOT. */
  get mass(): number {
    const { px, py, pz, e } = this;
    const square = e * e - px * px - py * py - pz * pz;
    return square < 0 ? -Math.sqrt(-square) : Math.sqrt(square);
  }

  plus({ px, py, pz, e }: FourVector): FourVector {
    return new Vector(this.px + px, this.py + py, this.pz + pz, this.e + e);
  }
}

function p4(pt: number, eta: number, phi: number, mass: number): FourVector {
  const pz = pt * Math.sinh(eta);
  return new Vector(
    pt * Math.cos(phi),
    pt * Math.sin(phi),
    pz,
    Math.sqrt(pt * pt + pz * pz + mass * Math.abs(mass)),
  );
}

function deltaPhi(a: number, b: number): number {
  const turn = 2 * Math.PI;
  const difference = (a - b) % turn;
  if (difference > Math.PI) return difference - turn;
  return difference < -Math.PI ? difference + turn : difference;
}

/** Help with the values of entries. */
export const TOOLS: Pick<SelectorTask, 'pairs' | 'triples' | 'order' | 'p4' | 'deltaPhi'> = {
  pairs,
  triples,
  order,
  p4,
  deltaPhi,
};
