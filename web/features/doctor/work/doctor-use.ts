import type { TreeLayout } from '../../../api/api';
import type { UseVerdict } from '../../../api/doctor';
import type { UsedBranches } from '../../../reads/use';
import { type CostChoice, layoutCosts, typicalBranches } from '../../whatif/work/layout-costs';
import type { Draft } from './doctor-types';

const FAIR = 1.25;
const BAD = 2;
/** Smaller losses of time are ignored, in ms: two round trips of the slowest link. */
const MIN_LOSS_MS = 300;

export function verdictFor(
  layout: TreeLayout,
  use: string,
  choice: UsedBranches & Pick<CostChoice, 'entries'>,
): UseVerdict {
  const costs = layoutCosts(layout, choice);
  // Programs of ROOT have a cache unless they turn it off.
  const losses = costs
    .filter(({ cached }) => cached)
    .map(({ ms, betterMs }) => (ms - betterMs < MIN_LOSS_MS ? 1 : ms / Math.max(1, betterMs)));
  const worst = Math.max(1, ...losses);
  const grade = worst > BAD ? 'bad' : worst > FAIR ? 'fair' : 'good';
  return { tree: layout.tree.path, use, grade, branches: choice.branches.length, costs };
}

/** Returns verdicts for the most common uses: a few branches, all of them, and single events. */
export function usualVerdicts(layout: TreeLayout): UseVerdict[] {
  const { tree } = layout;
  const all = tree.branches.filter(({ kind, storedBytes }) => kind !== 'group' && storedBytes > 0);
  if (all.length === 0 || tree.entries === 0) return [];
  const middle = Math.floor(tree.entries / 2);
  return [
    verdictFor(layout, 'a few branches', { branches: typicalBranches(layout) }),
    verdictFor(layout, 'all branches', { branches: all }),
    verdictFor(layout, 'single events', { branches: all, entries: [middle, middle + 1] }),
  ];
}

/** Returns a sentence that says for which uses a tree is good, and for which not. */
export function verdictSentence(verdicts: readonly UseVerdict[]): string {
  const of = (grade: UseVerdict['grade']) =>
    verdicts.filter((verdict) => verdict.grade === grade).map(({ use }) => use);
  const parts = [
    ['good for reading', of('good')],
    ['slower than needed for', of('fair')],
    ['slow for', of('bad')],
  ] as const;
  const said = parts.filter(([, uses]) => uses.length > 0).map(([word, uses]) => `${word} ${joined(uses)}`);
  const text = said.join(', ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function joined(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/**
 * Adapts findings to a use: with its costs, the most expensive first. Findings that do not affect it become notes.
 */
export function findingsForUse(drafts: readonly Draft[], layout: TreeLayout, used: UsedBranches): Draft[] {
  const paths = new Set(used.branches.map(({ path }) => path));
  const costs = layoutCosts(layout, used);
  return drafts.map((draft): Draft => {
    if (draft.branches !== undefined && draft.costs.length === 0) {
      const some = draft.branches.some((path) => paths.has(path));
      return some ? draft : asNote(draft, 'This use reads none of these branches.');
    }
    if (draft.costs.length === 0) return draft;
    const mine = { ...draft, costs };
    // As in the verdict, for reading with a cache.
    const saved = savedMs({ costs: costs.filter(({ cached }) => cached) });
    return saved < MIN_LOSS_MS ? asNote(mine, 'It does not slow this use down.') : mine;
  });
}

/** Returns the time that a repair saves on the link with the largest saving, in ms; 0 if unknown. */
export function savedMs({ costs }: Pick<Draft, 'costs'>): number {
  return costs.reduce((most, { ms, betterMs }) => Math.max(most, ms - betterMs), 0);
}

function asNote(draft: Draft, why: string): Draft {
  return { ...draft, grade: 'note', evidence: `${draft.evidence} ${why}` };
}
