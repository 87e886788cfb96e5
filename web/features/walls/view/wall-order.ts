import { formatCount } from '../../../base/format';
import { formatLayers } from '../../../plot/layers/layer-spec';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { commonAxes } from '../work/common-axes';
import { compareWorst } from '../work/judged';
import { wallResults } from '../work/results';
import type { Condition, Verdict } from '../work/rules';
import { hasState, WALL_STATES, type WallState } from '../work/states';
import { sortedTiles, tileFilter, type WallOrder } from '../work/tile';
import type { Results } from './reference';
import { judgesBins, verdictBy } from './thresholds';
import type { WallLoader } from './wall-loader';

/** Shows the full plot of an item, over its reference if there is one. */
export function openItem(
  store: ViewerStore,
  loader: WallLoader,
  index: number,
  reference: string | undefined,
): void {
  const item = loader.items[index];
  if (item?.node !== undefined) store.selection.select(item.node);
  else if (item) store.selection.drawQuery({ expr: item.name, cut: '', profile: false });
  if (reference === undefined) return;
  store.plot.look.value = { ...store.plot.look.peek(), below: 'ratio' };
  store.plot.layers.value = formatLayers([{ src: reference, colour: 2 }, { colour: 1 }]);
}

/** Returns the results of the plots that were read, and whether these are all. */
export function compared(loader: WallLoader, conditions: readonly Condition[]): Results {
  const verdicts = loader.items.flatMap((_, index) => {
    const verdict = loader.facts(index)?.verdict;
    return verdict ? [verdictBy(verdict, conditions)] : [];
  });
  return { ...wallResults(verdicts), unread: loader.items.length - verdicts.length };
}

/** Returns the result of a plot by thresholds; undefined if it was not read, or nothing is compared. */
export function verdictAt(
  loader: WallLoader,
  index: number,
  conditions: readonly Condition[],
): Verdict | undefined {
  const verdict = loader.facts(index)?.verdict;
  return verdict && verdictBy(verdict, conditions);
}

/** Groups of plots that can be shown, each with the number of its plots that were read. */
export function stateOptions(
  loader: WallLoader,
  conditions: readonly Condition[],
  isCompared: boolean,
): readonly (readonly [WallState | '', string])[] {
  void loader.version.value;
  const all = loader.items.flatMap((_, index) => {
    const facts = loader.facts(index);
    return facts ? [{ ...facts, verdict: verdictAt(loader, index, conditions) }] : [];
  });
  const entries = Object.entries(WALL_STATES) as [WallState, string][];
  const options = entries.flatMap(([state, words]): [WallState, string][] => {
    if (!isCompared) return state === 'empty' ? [[state, words]] : [];
    const said = state === 'ok' && !judgesBins(conditions) ? 'Compared' : words;
    return [[state, `${said} (${formatCount(all.filter((one) => hasState(one, state)).length)})`]];
  });
  return [['', 'All plots'], ...options];
}

export function orderOf(
  loader: WallLoader,
  filter: string,
  state: WallState | undefined,
  sort: WallOrder,
  conditions: readonly Condition[],
): number[] {
  const isWanted = tileFilter(filter);
  const isState = (index: number) => {
    const { empty } = loader.facts(index) ?? {};
    return state === undefined || hasState({ empty, verdict: verdictAt(loader, index, conditions) }, state);
  };
  const places = loader.items.flatMap((item, index) =>
    isWanted(item) && isState(index)
      ? [{ ...item, index, ...(loader.facts(index) ?? { entries: Number.NaN }) }]
      : [],
  );
  if (sort !== 'worst') return sortedTiles(places, sort).map(({ index }) => index);
  // Plots that have not been read yet come last.
  const read = places.filter(({ index }) => loader.facts(index)?.verdict);
  const verdicts = new Map(
    read.map(({ index }) => {
      const verdict = loader.facts(index)?.verdict ?? { state: 'other', why: [] };
      return [index, verdictBy(verdict, conditions)];
    }),
  );
  const verdictOf = (index: number) => verdicts.get(index) ?? { state: 'other', why: [] };
  read.sort((a, b) => compareWorst(verdictOf(a.index), verdictOf(b.index)));
  const others = places.filter(({ index }) => !loader.facts(index)?.verdict);
  return [...read, ...others].map(({ index }) => index);
}

export function axesOf(loader: WallLoader, order: readonly number[], log: boolean) {
  return commonAxes(
    order.flatMap((index) => {
      const facts = loader.facts(index);
      return (log ? facts?.log : facts?.linear) ?? [];
    }),
  );
}
