import type { DoctorRule } from './doctor-rules';
import type { DoctorFinding } from './doctor-types';

/**
 * The rule of the first finding with the same costs, for each later finding that has them: findings of one tree are
 * repaired together, so that one table is enough.
 */
export function costsToldBefore<F extends Pick<DoctorFinding, 'rule' | 'tree' | 'costs'>>(
  findings: readonly F[],
): Map<F, DoctorRule> {
  const first = new Map<string, DoctorRule>();
  const before = new Map<F, DoctorRule>();
  for (const finding of findings) {
    if (finding.costs.length === 0) continue;
    const key = JSON.stringify([finding.tree, finding.costs]);
    const rule = first.get(key);
    if (rule === undefined) first.set(key, finding.rule);
    else before.set(finding, rule);
  }
  return before;
}
