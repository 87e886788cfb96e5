import { toXylemError } from '../../../base/errors';
import { type Condition, judge, parseConditions, type Verdict } from '../work/rules';

/** Thresholds as typed, and the mistake in them. */
export interface Thresholds {
  conditions: readonly Condition[];
  mistake?: string | undefined;
}

/** Parses thresholds such as `chi2<0.01, ks<0.01`; none if the text is not valid. */
export function thresholdsOf(text: string): Thresholds {
  try {
    return { conditions: parseConditions(text) };
  } catch (thrown) {
    const { message, fix } = toXylemError(thrown);
    return { conditions: [], mistake: [message, fix].filter(Boolean).join(' ') };
  }
}

/** Returns a result judged by thresholds. A plot that exceeds one has failed, and its lines say which. */
export function verdictBy(verdict: Verdict, conditions: readonly Condition[]): Verdict {
  if (conditions.length === 0) return verdict;
  if (verdict.agreement !== undefined && (verdict.state === 'compared' || verdict.state === 'same'))
    return judge(verdict.agreement, conditions);
  const isMissing = verdict.state === 'missing' && conditions.some(({ text }) => text === 'missing');
  return isMissing ? { ...verdict, state: 'failed' } : verdict;
}

/** Whether a condition is set for the bins of compared plots. Without one, no plot is found to be in order. */
export const judgesBins = (conditions: readonly Condition[]): boolean =>
  conditions.some(({ figure }) => figure !== undefined);
