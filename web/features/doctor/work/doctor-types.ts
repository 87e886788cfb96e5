import type { DoctorFinding, DoctorGrade, DoctorReport } from '../../../api/doctor';
import type { DoctorRule } from '../../../api/doctor-rules';

export function gradeOf(findings: readonly Pick<DoctorFinding, 'grade'>[]): DoctorReport['grade'] {
  if (findings.some(({ grade }) => grade === 'bad')) return 'bad';
  return findings.some(({ grade }) => grade === 'poor') ? 'fair' : 'good';
}

/**
 * Kind of remedy. `rewrite`: the tree entry by entry, in clusters. `recompress`: the same with zstd. `copy`: the
 * unchanged file, without unused space.
 */
export type Cure = 'rewrite' | 'recompress' | 'copy';

/** A finding without its remedies, which are determined for the whole file. */
export type Draft = Omit<DoctorFinding, 'remedies'> & { cure?: Cure | undefined };

/** Makes a finding of a tree. */
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

/** Returns the members of a finding for its branches. */
export function about(branches: readonly { path: string }[]): Pick<Draft, 'branches' | 'branchCount'> {
  return { branches: branches.slice(0, NAMED).map(({ path }) => path), branchCount: branches.length };
}

export function percent(share: number): string {
  const value = 100 * share;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} %`;
}
