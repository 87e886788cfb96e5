import type { DoctorGrade, DoctorReport } from '../../../api/doctor';
import type { DoctorRule } from '../../../api/doctor-rules';
import { savedMs } from './doctor-use';

/** A file that could not be examined. */
export interface UnreadFile {
  file: string;
  error: string;
  code: string;
  fix: string | undefined;
}

/** A rule, with its findings in many files. */
export interface RuleSum {
  rule: DoctorRule;
  /** The most severe of its grades. */
  grade: DoctorGrade;
  files: number;
  /** Time in ms that repairs would save in all files together, on the link with the largest saving. */
  savedMs: number;
  /** The file with the largest cost, and the finding in it. */
  worst: { file: string; evidence: string };
  /** Number of files for each ROOT version that wrote them. */
  writers: Record<string, number>;
}

/** The findings in many files, added up. */
export interface DatasetDiagnosis {
  files: number;
  grades: Record<DoctorReport['grade'], number>;
  /** Number of files for each ROOT version that wrote them, and how many are good. */
  writers: { writer: string; files: number; good: number }[];
  /** The rules, the most expensive first. */
  rules: RuleSum[];
  unread: readonly UnreadFile[];
}

const ORDER: Record<DoctorGrade, number> = { bad: 0, poor: 1, note: 2 };

/** Adds up the reports of many files. */
export function diagnoseDataset(
  reports: readonly DoctorReport[],
  unread: readonly UnreadFile[] = [],
): DatasetDiagnosis {
  const grades = { good: 0, fair: 0, bad: 0 };
  const writers = new Map<string, { writer: string; files: number; good: number }>();
  const rules = new Map<DoctorRule, RuleSum & { most: number }>();
  for (const { file, grade, writer, findings } of reports) {
    grades[grade]++;
    const by = writers.get(writer) ?? { writer, files: 0, good: 0 };
    by.files++;
    if (grade === 'good') by.good++;
    writers.set(writer, by);
    const seen = new Set<DoctorRule>();
    for (const finding of findings) {
      const saved = savedMs(finding);
      const worst = { file, evidence: finding.evidence };
      const sum = rules.get(finding.rule) ?? {
        rule: finding.rule,
        grade: finding.grade,
        files: 0,
        savedMs: 0,
        most: -1,
        worst,
        writers: {},
      };
      rules.set(finding.rule, sum);
      sum.savedMs += saved;
      if (ORDER[finding.grade] < ORDER[sum.grade]) sum.grade = finding.grade;
      if (saved > sum.most) Object.assign(sum, { most: saved, worst });
      if (seen.has(finding.rule)) continue;
      seen.add(finding.rule);
      sum.files++;
      sum.writers[writer] = (sum.writers[writer] ?? 0) + 1;
    }
  }
  return {
    files: reports.length + unread.length,
    grades,
    writers: [...writers.values()].sort((a, b) => b.files - a.files),
    rules: [...rules.values()]
      .map(({ most: _, ...sum }) => sum)
      .sort((a, b) => ORDER[a.grade] - ORDER[b.grade] || b.savedMs - a.savedMs || b.files - a.files),
    unread,
  };
}
