import { describe, expect, it } from 'vitest';
import { keptQueries } from '../../web/ui/kept-queries';
import { createQueryHistory } from '../../web/ui/state/query-history';

function storageOf(kept: string | null): Storage & { kept: string | null } {
  return {
    kept,
    length: 0,
    clear() {},
    key: () => null,
    removeItem() {},
    getItem() {
      return this.kept;
    },
    setItem(_name: string, value: string) {
      this.kept = value;
    },
  };
}

describe('the history of queries', () => {
  it('comes back in the next visit, the last one first, none twice', () => {
    const storage = storageOf(null);
    const history = createQueryHistory(keptQueries(storage));
    const [a, b] = ['x', 'y:x'].map((expr) => ({ expr, cut: 'z>1', profile: expr === 'y:x' }));
    if (!a || !b) throw new Error('no queries');
    history.add(a);
    history.add(b);
    history.add(a);
    expect(createQueryHistory(keptQueries(storage)).list.value).toEqual([a, b]);
  });

  it('leaves out entries that are not queries', () => {
    const kept = [
      { expr: 'x', cut: '' },
      { expr: 1, cut: '' },
      null,
      'x',
      { expr: 'x'.repeat(5000), cut: '' },
    ];
    const list = (text: string | null) => createQueryHistory(keptQueries(storageOf(text))).list.value;
    expect(list(JSON.stringify(kept))).toEqual([{ expr: 'x', cut: '', profile: false }]);
    expect(list('{"no list"')).toEqual([]);
    expect(list('7')).toEqual([]);
  });
});
