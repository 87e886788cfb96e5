import { formatBytes, formatCount, formatDuration } from '../../base/format';
import { DOCTOR_RULES } from './doctor-rules';
import type { DoctorCost, DoctorFinding, DoctorPromise, DoctorReport } from './doctor-types';
import { verdictSentence } from './doctor-use';

/** The grades of files in words. */
export const VERDICTS: Record<DoctorReport['grade'], string> = {
  good: 'Laid out well for reading',
  fair: 'Some things cost more than they need to',
  bad: 'Laid out badly for reading',
};

/** One sentence: the worst fault of a file and what repairing it would gain; where there is none, what it is good for. */
export function headline({ grade, findings, verdicts, trees }: DoctorReport): string {
  const worst = findings.find((finding) => finding.grade !== 'note');
  if (worst === undefined) {
    const goodFor = trees.length === 1 ? verdictSentence(verdicts).replace(/\.$/, '') : '';
    // The layout may cost a use time though no rule names a fault of it.
    const gains = verdicts.flatMap((verdict) => (verdict.grade === 'good' ? [] : gainOfTime(verdict.costs)));
    const [gain] = gains.length > 0 ? gains : ['there is nothing to repair'];
    return `${goodFor || VERDICTS[grade]}; ${gain}.`;
  }
  const where = worst.tree === undefined || trees.length < 2 ? '' : ` in ${worst.tree}`;
  const others = findings.filter((other) => other !== worst && other.grade !== 'note').length;
  const more = others === 0 ? '' : ` (and ${formatCount(others)} more ${others === 1 ? 'fault' : 'faults'})`;
  return `${VERDICTS[grade]}: ${DOCTOR_RULES[worst.rule]}${where}${more}; ${gainOf(worst)}.`;
}

/** The gain of a repair where it is largest: of time on a link, else of what was promised. */
function gainOf({ costs, promises, remedies }: DoctorFinding): string {
  if (remedies.length === 0) return 'there is no repair';
  const [gain] = [...gainOfTime(costs), ...promises.map((promise) => `repaired, ${becomes(promise)}`)];
  return gain ?? 'a repair is below';
}

/** The time that a repair saves on the link where it saves most; none where it saves none. */
function gainOfTime(costs: readonly DoctorCost[]): string[] {
  // A program with a cache is the usual one.
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

/** A promise in words: "clusters 9 to 1". */
export function becomes({ what, now, after }: DoctorPromise): string {
  const amount = (value: number): string =>
    what.startsWith('bytes') ? formatBytes(value) : formatCount(value);
  return `${what} ${amount(now)} to ${amount(after)}`;
}
