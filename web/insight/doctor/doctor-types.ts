/** How grave a finding is: `bad` spoils reading, `poor` costs some, `note` is worth knowing. */
export type DoctorGrade = 'bad' | 'poor' | 'note';

/** Rules by name; programs and `--fail-on` use the names. */
export const DOCTOR_RULES = {
  scattered: 'baskets of the same entries lie apart, as no clusters keep them together',
  'tiny-baskets': 'baskets so small that their headers and the requests cost more than the data',
  misaligned: 'baskets reach across the borders of clusters',
  'large-clusters': 'clusters too large for parallel or remote reading',
  'small-clusters': 'clusters so small that each read brings little',
  uncompressed: 'stored without compression',
  'slow-compression': 'a codec that is slow to read',
  'poor-compression': 'compression that does not pay',
  'empty-branches': 'branches without data',
  'constant-branches': 'branches whose values hardly change',
  'duplicate-branches': 'branches that hold the same bytes',
  'free-space': 'space in the file that nothing uses',
  'old-cycles': 'old copies of a tree that were saved on the way',
  'poor-encoding': 'an encoding of fields of an RNTuple that does not pay',
  'small-pages': 'pages of an RNTuple so small that requests cost more than the data',
} as const;

export type DoctorRule = keyof typeof DOCTOR_RULES;

/** Reading on one link today, and as it would be with the remedy. Times in ms. */
export interface DoctorCost {
  link: string;
  /** What is read, and with what. */
  reading: string;
  calls: number;
  ms: number;
  betterCalls: number;
  betterMs: number;
}

/** Lines to run or to write. */
export interface DoctorRemedy {
  for: 'ROOT' | 'hadd' | 'RDataFrame' | 'CMSSW' | 'RNTuple';
  lines: string[];
}

export interface DoctorFinding {
  rule: DoctorRule;
  grade: DoctorGrade;
  /** Path of the tree; undefined for what is of the whole file. */
  tree?: string | undefined;
  /** What was found, with numbers. */
  evidence: string;
  numbers: Record<string, number>;
  /** Branches that it is about, the worst first. */
  branches?: string[] | undefined;
  /** A place in the file where it is seen. */
  place?: { offset: number; length: number } | undefined;
  costs: DoctorCost[];
  remedies: DoctorRemedy[];
}

export interface DoctorReport {
  file: string;
  /** `good`: nothing graver than notes; `fair`: something poor; `bad`: something bad. */
  grade: 'good' | 'fair' | 'bad';
  trees: string[];
  findings: DoctorFinding[];
  /** What could not be looked at. */
  notes: string[];
}

export function gradeOf(findings: readonly DoctorFinding[]): DoctorReport['grade'] {
  if (findings.some(({ grade }) => grade === 'bad')) return 'bad';
  return findings.some(({ grade }) => grade === 'poor') ? 'fair' : 'good';
}
