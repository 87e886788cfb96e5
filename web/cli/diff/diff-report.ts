import type { Chi2, Kolmogorov } from '../../bins/compare-histograms';

/** The parts of a comparison. */
export const DIFF_PARTS = ['schema', 'entries', 'values', 'objects', 'layout'] as const;
export type DiffPart = (typeof DIFF_PARTS)[number];

/** Names that only B has, only A has, or both with another type. */
export interface SchemaDiff {
  added: string[];
  removed: string[];
  changed: { path: string; from: string; to: string }[];
}

export interface ValuesDiff {
  tree: string;
  branch: string;
  /** Number of compared entries, and number of them that differ. */
  entries: number;
  different: number;
  /** The first entry that differs. */
  first?: number | undefined;
  /** Largest differences of two numbers. */
  maxAbs?: number | undefined;
  maxRel?: number | undefined;
  /** The reason why it could not be compared. */
  error?: string | undefined;
}

export interface ObjectDiff {
  path: string;
  className: string;
  /** Path of the first member that differs. */
  member?: string | undefined;
  /** For histograms with the same bins. */
  chi2?: Chi2 | undefined;
  kolmogorov?: Kolmogorov | undefined;
  error?: string | undefined;
}

export interface LayoutDiff {
  tree: string;
  branch: string;
  what: 'storedBytes' | 'totalBytes' | 'baskets' | 'compression';
  from: number;
  to: number;
}

/** Differences; lists of parts that are the same are empty. */
export interface DiffReport {
  same: boolean;
  files: [a: string, b: string];
  keys: SchemaDiff;
  trees: ({ path: string; entries: [a: number, b: number] } & SchemaDiff)[];
  values: ValuesDiff[];
  objects: ObjectDiff[];
  layout: LayoutDiff[];
  compared: { trees: number; branches: number; entries: number; objects: number };
}

/** The parts in which the two differ; parts that could not be compared count as different. */
export function differingParts({ keys, trees, values, objects, layout }: DiffReport): DiffPart[] {
  const schema = [keys, ...trees].some(
    ({ added, removed, changed }) => added.length + removed.length + changed.length > 0,
  );
  const found: Record<DiffPart, boolean> = {
    schema,
    entries: trees.some(({ entries: [a, b] }) => a !== b),
    values: values.length > 0,
    objects: objects.length > 0,
    layout: layout.length > 0,
  };
  return DIFF_PARTS.filter((part) => found[part]);
}
