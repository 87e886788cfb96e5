import { expect, expectTypeOf, test } from 'vitest';
import type {
  DrawnHistogram,
  ListColumn,
  ResultsOf,
  Selector,
  SelectorCounter,
  SelectorHistogram,
  SelectorLabels,
} from '../../../web/public';
import { defineSelector } from '../../../web/public';

test('the columns and the state of a selector, as docs/features/selectors.md writes them', () => {
  type Columns = { pt: ListColumn; n: Float64Array };
  type State = { lead: SelectorHistogram; none: SelectorCounter };
  const selector: Selector<Columns, State> = {
    branches: { pt: 'Muon_pt', n: 'nMuon' },
    begin: (job) => ({ lead: job.hist([50, 0, 100]), none: job.counter() }),
    entry({ pt, n }, out) {
      expectTypeOf(pt).toEqualTypeOf<Float64Array>();
      if (n === 0) out.none.add();
      else out.lead.fill(Math.max(...pt));
      // @ts-expect-error the state has no such member
      out.other?.add();
    },
  };
  expectTypeOf(selector.begin).returns.toEqualTypeOf<State>();
});

test('defineSelector knows the names of branches and the results', () => {
  const given = {
    branches: { pt: 'Muon_pt', w: { expr: 'puWeight', missing: 1 } },
  } as const;
  const selector = defineSelector({
    ...given,
    begin: (job) => ({
      mass: job.hist([60, 60, 120]),
      control: { cuts: job.labels(['all']), n: job.counter() },
    }),
    entry({ pt, w }, out, { weight }) {
      out.mass.fill(pt, w * weight);
      out.control.cuts.add('all');
      // @ts-expect-error the state has no such member
      out.control.count?.add();
    },
  });
  defineSelector({
    ...given,
    begin: (job) => ({ n: job.counter() }),
    // @ts-expect-error the selector has no such branch
    entry: ({ wieght }, out) => out.n.add(wieght),
  });
  expectTypeOf(selector.begin).returns.toEqualTypeOf<{
    mass: SelectorHistogram;
    control: { cuts: SelectorLabels; n: SelectorCounter };
  }>();
  expectTypeOf<ResultsOf<typeof selector>>().toEqualTypeOf<{
    mass: DrawnHistogram;
    'control/cuts': Record<string, number>;
    'control/n': number;
  }>();
  expect(selector.branches).toBe(given.branches);
});

test('with the type of a tree, values have the types of their branches', () => {
  type Events = { Muon_pt: ListColumn; nMuon: Float64Array; trigger: string[]; event: BigUint64Array };
  const selector = defineSelector<Events>()({
    branches: { pt: 'Muon_pt', n: 'nMuon', name: 'trigger', gen: { expr: 'nMuon', missing: undefined } },
    begin: (job) => ({ n: job.counter() }),
    entry({ pt, n, name, gen }, out) {
      expectTypeOf(pt).toEqualTypeOf<Float64Array>();
      expectTypeOf(n).toEqualTypeOf<number>();
      expectTypeOf(name).toEqualTypeOf<string>();
      expectTypeOf(gen).toEqualTypeOf<number | undefined>();
      out.n.add(n);
    },
  });
  defineSelector<Events>()({
    branches: { pt: 'Muon_pt' },
    begin: (job) => ({ n: job.counter() }),
    process: ({ pt }, out) => {
      expectTypeOf(pt).toEqualTypeOf<ListColumn>();
      out.n.add(pt.values.length);
    },
  });
  expect(Object.keys(selector.branches)).toHaveLength(4);
});
