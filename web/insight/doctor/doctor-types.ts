import type { DoctorRule } from './doctor-rules';
import type { UseVerdict } from './doctor-use';

/** Severity of a finding: `bad` costs every reader, `poor` some, `note` is for information. */
export type DoctorGrade = 'bad' | 'poor' | 'note';

/** The cost of reading on one link today, and with the remedy. Times in ms. */
export interface DoctorCost {
  link: string;
  /** The branches that are read, and by which reader. */
  reading: string;
  /** Whether that reader has a TTreeCache. */
  cached: boolean;
  /** Paths of the branches that are read, including those that hold the lengths of others. */
  branches: string[];
  calls: number;
  bytes: number;
  ms: number;
  betterCalls: number;
  betterBytes: number;
  betterMs: number;
}

/** The effect of a remedy: a number today, and its approximate value afterwards. */
export interface DoctorPromise {
  what:
    | 'clusters'
    | 'baskets'
    | 'baskets in two clusters'
    | 'pages'
    | 'bytes of the record'
    | 'bytes of the file'
    | 'cycles';
  now: number;
  after: number;
}

/**
 * Lines to run, which write a new file. `ROOT`: a program; save it as `file` and run `run`. `hadd`, `xylem`: one line of a
 * shell. No object is dropped but cycles: see `keeps`.
 */
export interface DoctorRemedy {
  for: 'ROOT' | 'hadd' | 'xylem';
  file?: string | undefined;
  run?: string | undefined;
  /** The cycles of each tree that the new file has. */
  keeps: 'all' | 'newest';
  lines: string[];
}

export interface DoctorFinding {
  rule: DoctorRule;
  grade: DoctorGrade;
  /** Path of the tree; undefined when the finding concerns the whole file. */
  tree?: string | undefined;
  /** `sure`: from the places and sizes that the metadata list, or from values that were read; `likely`: a guess. */
  certainty: 'sure' | 'likely';
  /** The observation, with numbers. */
  evidence: string;
  numbers: Record<string, number>;
  /** Branches concerned, the worst first, at most 50; `branchCount` is their number. */
  branches?: string[] | undefined;
  branchCount?: number | undefined;
  /** A place in the file where it is seen. */
  place?: { offset: number; length: number } | undefined;
  /** Effects of the remedies; empty when they are not known in advance. */
  promises: DoctorPromise[];
  costs: DoctorCost[];
  /** Several ways to repair it; empty when the finding is for information only. */
  remedies: DoctorRemedy[];
}

export interface DoctorReport {
  file: string;
  /** `good`: nothing worse than notes; `fair`: something poor; `bad`: something bad. */
  grade: 'good' | 'fair' | 'bad';
  trees: string[];
  /** The version of ROOT that wrote the file: "6.36/04". */
  writer: string;
  /** How well each tree is laid out for the given use, or for usual ones. */
  verdicts: UseVerdict[];
  findings: DoctorFinding[];
  /** Parts that could not be examined. */
  notes: string[];
}

export function gradeOf(findings: readonly Pick<DoctorFinding, 'grade'>[]): DoctorReport['grade'] {
  if (findings.some(({ grade }) => grade === 'bad')) return 'bad';
  return findings.some(({ grade }) => grade === 'poor') ? 'fair' : 'good';
}

/**
 * Kind of remedy for a finding. `rewrite`: the tree entry by entry, in clusters; `recompress`: the same with
 * zstd; `copy`: the file as it is, without unused space.
 */
export type Cure = 'rewrite' | 'recompress' | 'copy';

/** A finding before its remedies are written, which are for the whole file. */
export type Draft = Omit<DoctorFinding, 'remedies'> & { cure?: Cure | undefined };

/** A finding of a tree. */
export function draft(
  tree: string,
  rule: DoctorRule,
  grade: DoctorGrade,
  evidence: string,
  more: Partial<Draft> = {},
): Draft {
  return { rule, grade, tree, certainty: 'sure', evidence, numbers: {}, promises: [], costs: [], ...more };
}

/** Maximum number of branches that a finding names. */
const NAMED = 50;

/** The branches that a finding concerns. */
export function about(branches: readonly { path: string }[]): Pick<Draft, 'branches' | 'branchCount'> {
  return { branches: branches.slice(0, NAMED).map(({ path }) => path), branchCount: branches.length };
}

export function percent(share: number): string {
  const value = 100 * share;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} %`;
}
