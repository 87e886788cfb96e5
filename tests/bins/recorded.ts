import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const here = import.meta.dirname;
const fixtures = resolve(here, '../fixtures/files');

/** Paths below the fixtures: histograms, and the tree `t` of which histograms are drawn. */
export const STORED_FILE = 'bins/bins.root';
export const TREE_FILE = 'bins/signed.root';

/** Figures of ROOT for a histogram of `STORED_FILE`: see tests/fixtures/make_bins.py. */
export interface ByRoot {
  class: string;
  title: string;
  edges: number[][];
  cells: number;
  /** Number, content and error of each cell that has any, and of a profile its sum of weights. */
  filled: [cell: number, content: number, error: number, weight?: number][];
  entries: number;
  effective: number;
  stats: number[];
  means: number[];
  deviations: (number | null)[];
  open?: boolean;
}

/** Figures of ROOT for a histogram that TTree::Draw filled of `TREE_FILE`: see tests/fixtures/record_sums.py. */
export interface DrawnByRoot {
  expr: string;
  cut: string;
  option: string;
  stats: number[];
  entries: number;
  means: number[];
  deviations: number[];
  /** Contents with under- and overflow; empty for profiles and for several axes. */
  cells: number[];
}

export const values = JSON.parse(readFileSync(resolve(fixtures, 'bins/values.json'), 'utf8')) as Record<
  string,
  ByRoot
>;

/** Most of the values in buffers are left to readings.test.ts; times are shown as dates, and three axes by a projection. */
const LEFT = /^(auto|drawn_|fixed_|mixed_|extended|known|power|never|times|profile_)/;

/** The stored histograms that every face shows. */
export const stored = Object.entries(values).filter(
  ([name, { edges = [] }]) => !LEFT.test(name) && edges.length < 3,
);

/** The drawings that every face shows. */
export const drawings = JSON.parse(readFileSync(resolve(here, 'drawn-sums.json'), 'utf8')) as DrawnByRoot[];
