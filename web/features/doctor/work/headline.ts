import type { DoctorCost, DoctorFinding, DoctorPromise, DoctorReport } from '../../../api/doctor';
import { DOCTOR_RULES } from '../../../api/doctor-rules';
import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import { verdictSentence } from './doctor-use';

/** The grades of files, as text. */
export const VERDICTS: Record<DoctorReport['grade'], string> = {
  good: 'Laid out well for reading',
  fair: 'Some things cost more than they need to',
  bad: 'Laid out badly for reading',
};

/**
 * Returns one sentence: the worst fault of a file and the gain of repairing it; without faults, what the file is good
 * for.
 */
export function headline({ grade, findings, verdicts, trees }: DoctorReport): string {
  const worst = findings.find((finding) => finding.grade !== 'note');
  if (worst === undefined) {
    const goodFor = trees.length === 1 ? verdictSentence(verdicts).replace(/\.$/, '') : '';
    // The layout may be slow for a use although no rule reports a fault.
    const gains = verdicts.flatMap((verdict) => (verdict.grade === 'good' ? [] : gainOfTime(verdict.costs)));
    const [gain] = gains.length > 0 ? gains : ['there is nothing to repair'];
    return `${goodFor || VERDICTS[grade]}; ${gain}.`;
  }
  const where = worst.tree === undefined || trees.length < 2 ? '' : ` in ${worst.tree}`;
  const others = findings.filter((other) => other !== worst && other.grade !== 'note').length;
  const more = others === 0 ? '' : ` (and ${formatCount(others)} more ${others === 1 ? 'fault' : 'faults'})`;
  return `${VERDICTS[grade]}: ${DOCTOR_RULES[worst.rule]}${where}${more}; ${gainOf(worst)}.`;
}

/** Returns the largest gain of a repair: of time on a link, otherwise of the promised effects. */
function gainOf({ costs, promises, remedies }: DoctorFinding): string {
  if (remedies.length === 0) return 'there is no repair';
  const [gain] = [...gainOfTime(costs), ...promises.map((promise) => `repaired, ${becomes(promise)}`)];
  return gain ?? 'a repair is below';
}

/** Returns the largest time that a repair saves on any link; empty if it saves none. */
function gainOfTime(costs: readonly DoctorCost[]): string[] {
  // Usually a program has a cache.
  const usual = costs.filter(({ cached }) => cached);
  const [most] = (usual.length > 0 ? usual : [...costs]).sort(
    (a, b) => b.ms - b.betterMs - (a.ms - a.betterMs),
  );
  if (most === undefined || most.ms <= most.betterMs) return [];
  const { reading, betterMs, ms, link } = most;
  const take = reading.startsWith('1 ') ? 'takes' : 'take';
  return [
    `repaired, ${reading} ${take} ${formatDuration(betterMs)} to read, not ${formatDuration(ms)} (${link}, simulated)`,
  ];
}

/** Formats a promise: "clusters 9 to 1". */
export function becomes({ what, now, after }: DoctorPromise): string {
  const amount = (value: number): string =>
    what.startsWith('bytes') ? formatBytes(value) : formatCount(value);
  return `${what} ${amount(now)} to ${amount(after)}`;
}
