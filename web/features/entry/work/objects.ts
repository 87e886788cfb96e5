import type { CardValue } from './card';
import { type Leaf, leafNumber, leavesOf } from './leaves';

/** One object of an entry: where it goes, and what else is known of it. */
export interface EventObject {
  /** Its number in the list. */
  index: number;
  pt: number;
  /** Undefined for missing momentum, which has only pt and phi. */
  eta?: number | undefined;
  /** In radians, as it is stored. */
  phi: number;
  mass?: number | undefined;
  energy?: number | undefined;
  charge?: number | undefined;
}

/** Objects of an entry that can be drawn, because their pt, eta and phi are there. */
export interface EventObjects {
  /** Name of the collection: "Muon", "Jets/obj". */
  name: string;
  /** Missing momentum has no eta. */
  isMissing: boolean;
  /** Unit of pt, if the documentation says it. */
  unit?: string | undefined;
  /** Whether pt, eta and phi were computed from px, py and pz. */
  isComputed: boolean;
  objects: EventObject[];
  /** Number of objects that cannot be drawn, because a number is missing or not finite. */
  left: number;
}

/** Members of an object, by the last part of their names without "f", "m_" and "_". */
const PARTS: Readonly<Record<string, string>> = {
  ...{ pt: 'pt', perp: 'pt', met: 'pt', eta: 'eta', phi: 'phi' },
  ...{ px: 'px', py: 'py', pz: 'pz' },
  ...{ m: 'mass', mass: 'mass', e: 'energy', energy: 'energy', q: 'charge', charge: 'charge' },
};
/** Members of the vector in a TLorentzVector. */
const CARTESIAN: Readonly<Record<string, string>> = { x: 'px', y: 'py', z: 'pz' };

interface Named {
  /** The name without its last part. */
  before: string;
  part: string;
}

/** Splits the name of a leaf; undefined if its last part is not that of a member of an object. */
export function memberOf(name: string, typeName = ''): Named | undefined {
  const [, before = '', last = ''] = /^(?:(.*)[._/])?([^._/]+)_*$/.exec(name) ?? [];
  const bare = last.replace(/^f(?=[A-Z])/, '');
  // The vector of a TLorentzVector lies in its member fP; other vectors may be places.
  const isMomentum = /(^|\.)fP$/.test(before) || (typeName === 'TVector2' && before === '');
  if (isMomentum && Object.hasOwn(CARTESIAN, bare.toLowerCase()))
    return { before: before.replace(/\.?fP$/, ''), part: CARTESIAN[bare.toLowerCase()] ?? '' };
  const part = Object.hasOwn(PARTS, bare.toLowerCase()) ? PARTS[bare.toLowerCase()] : undefined;
  return part === undefined ? undefined : { before, part };
}

type Parts = Map<string, Leaf>;

/** Returns the objects of an entry, in the order of the tree. A collection without objects is there, too. */
export function objectsOf(values: readonly CardValue[]): EventObjects[] {
  const found = new Map<string, { name: string; parts: Parts }>();
  for (const value of values) {
    for (const leaf of leavesOf(value)) {
      const named = memberOf(leaf.name, value.typeName);
      if (named === undefined) continue;
      const { before, part } = named;
      const { group } = value;
      const isOwn = leaf.name === value.name && group === value.name;
      const name = isOwn ? '' : group;
      const size = leaf.isList ? `${leaf.list} ${leaf.until - leaf.from}` : 'one';
      const key = `${name}\n${before}\n${size}`;
      const one = found.get(key) ?? { name: nameOf(name, before), parts: new Map() };
      // A name that occurs twice is that of the first.
      if (!one.parts.has(part)) one.parts.set(part, leaf);
      found.set(key, one);
    }
  }
  const all = [...found.values()].flatMap(({ name, parts }) => gathered(name, parts) ?? []);
  return uniquelyNamed(all);
}

const nameOf = (group: string, before: string): string =>
  [group, before].filter((part) => part !== '').join(' ') || 'Objects';

const firstWord = (name: string): string => name.split(' ')[0] ?? '';

/** Long paths of members (obj.m_state.p4Polar_.fCoordinates) are left out where the collection alone tells what it is. */
function uniquelyNamed(all: readonly EventObjects[]): EventObjects[] {
  const short = (name: string) => (/\.| fCoordinates$/.test(name) ? firstWord(name) : name);
  return all.map((one) => {
    const own = short(one.name);
    return all.filter(({ name }) => short(name) === own).length === 1 ? { ...one, name: own } : one;
  });
}

function gathered(name: string, parts: Parts): EventObjects | undefined {
  const { pt, eta, phi } = Object.fromEntries(parts) as Partial<Record<string, Leaf>>;
  const { px, py, pz } = Object.fromEntries(parts) as Partial<Record<string, Leaf>>;
  const isMissing = isMissingName(name);
  if (pt && phi && (eta || isMissing || !pt.isList))
    return drawn(name, parts, pt, eta === undefined, false, (i) => ({
      pt: leafNumber(pt, i),
      phi: leafNumber(phi, i),
      eta: eta && leafNumber(eta, i),
    }));
  if (px && py && (pz || isMissing))
    return drawn(name, parts, px, pz === undefined, true, (i) => {
      const [x, y, z] = [px, py, pz].map((leaf) => leaf && leafNumber(leaf, i));
      const across = Math.hypot(x ?? Number.NaN, y ?? Number.NaN);
      return {
        pt: across,
        phi: Math.atan2(y ?? Number.NaN, x ?? Number.NaN),
        eta: z === undefined ? undefined : Math.asinh(z / across),
      };
    });
  return undefined;
}

const isMissingName = (name: string): boolean => /met$|^met|missing|mht/i.test(firstWord(name));

interface Momentum {
  pt: number | undefined;
  eta: number | undefined;
  phi: number | undefined;
}

function drawn(
  name: string,
  parts: Parts,
  first: Leaf,
  isMissing: boolean,
  isComputed: boolean,
  momentum: (index: number) => Momentum,
): EventObjects {
  const objects: EventObject[] = [];
  const count = first.until - first.from;
  const other = (part: string, index: number): number | undefined => {
    const leaf = parts.get(part);
    const value = leaf && leafNumber(leaf, index);
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  };
  for (let index = 0; index < count; index++) {
    const { pt, eta, phi } = momentum(index);
    if (pt === undefined || phi === undefined || !Number.isFinite(pt) || !Number.isFinite(phi) || pt < 0)
      continue;
    if (!isMissing && (eta === undefined || !Number.isFinite(eta))) continue;
    const [mass, energy, charge] = ['mass', 'energy', 'charge'].map((part) => other(part, index));
    objects.push({ index, pt, eta: isMissing ? undefined : eta, phi, mass, energy, charge });
  }
  return { name, isMissing, unit: first.value.unit, isComputed, objects, left: count - objects.length };
}

/** Collections that are drawn first, if not said otherwise, with the words of their names. */
const FIRST = [/^(ak\d+)?jets?($|[^a-z])/i, /^(mu|muons?)($|[^a-z])/i, /^(e|el|ele|electrons?)($|[^a-z])/i]
  .concat([/^(ph|photons?|gamma)($|[^a-z])/i, /^taus?($|[^a-z])/i, /^(puppi)?met($|[^a-z])/i, /^missinget/i])
  .concat([/jet/i, /muon|electron|lep/i, /track/i]);
/** Number of collections that are drawn, if not said otherwise. */
const MOST = 6;

/** Returns the collections that are drawn if the user names none: those of well-known names first, each with objects. */
export function usualObjects(all: readonly EventObjects[]): EventObjects[] {
  const rank = ({ name }: EventObjects): number => {
    const at = FIRST.findIndex((pattern) => pattern.test(name));
    return at >= 0 ? at : FIRST.length;
  };
  const some = all.filter(({ objects }) => objects.length > 0);
  const ranked = [...some].sort((a, b) => rank(a) - rank(b)).slice(0, MOST);
  return all.filter((one) => ranked.includes(one));
}
