import { toXylemError } from '../../base/errors';
import { type Condition, judge, parseConditions, type Verdict } from '../../insight/compare/rules';

/** Thresholds as they are typed, and what is wrong with them. */
export interface Thresholds {
  conditions: readonly Condition[];
  mistake?: string | undefined;
}

/** The thresholds of a text as `chi2<0.01, ks<0.01`; none where it cannot be read. */
export function thresholdsOf(text: string): Thresholds {
  try {
    return { conditions: parseConditions(text) };
  } catch (thrown) {
    const { message, fix } = toXylemError(thrown);
    return { conditions: [], mistake: [message, fix].filter(Boolean).join(' ') };
  }
}

/** A result with thresholds: what is over one has failed, and says which. */
export function verdictBy(verdict: Verdict, conditions: readonly Condition[]): Verdict {
  if (conditions.length === 0) return verdict;
  if (verdict.agreement !== undefined && (verdict.state === 'compared' || verdict.state === 'same'))
    return judge(verdict.agreement, conditions);
  const isMissing = verdict.state === 'missing' && conditions.some(({ text }) => text === 'missing');
  return isMissing ? { ...verdict, state: 'failed' } : verdict;
}
