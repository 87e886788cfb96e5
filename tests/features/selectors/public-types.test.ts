import { expectTypeOf, test } from 'vitest';
import type { ListColumn, Selector, SelectorCounter, SelectorHistogram } from '../../../web/public';

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
