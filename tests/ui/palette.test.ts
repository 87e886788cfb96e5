import { describe, expect, it } from 'vitest';
import { matching } from '../../web/ui/palette';
import { createRecent } from '../../web/ui/state/recent/recent';

const commands = ['Events', 'Muon_pt', 'Jet_pt', 'nMuon', 'Keyboard help'].map((label) => ({
  id: label,
  label,
  kind: '',
  run() {},
}));
const labels = (text: string) => matching(commands, undefined, text).map(({ label }) => label);

describe('the command palette', () => {
  it('keeps the order of what is equally good, and finds actions by other words', () => {
    const views = ['Table', 'Doctor'].map((label, i) => ({
      ...{ id: label, label, kind: 'View', run() {} },
      words: ['entries export', 'heal repair'][i],
    }));
    const branches = ['table_x', 'a_table', 'xtable', 'b', 'a'].map((label) => ({
      id: label,
      label,
      kind: 'float',
      run() {},
    }));
    const of = (text: string) => matching([...views, ...branches], undefined, text).map(({ label }) => label);
    // Everything is offered first views and actions, then the file in its own order.
    expect(of('')).toEqual(['Table', 'Doctor', 'table_x', 'a_table', 'xtable', 'b', 'a']);
    expect(of('table')).toEqual(['Table', 'table_x', 'a_table', 'xtable']);
    expect(of('export')).toEqual(['Table']);
    expect(of('repair')).toEqual(['Doctor']);
  });

  it('finds labels that have all the words, those that begin with the text first', () => {
    expect(labels('muon')).toEqual(['Muon_pt', 'nMuon']);
    expect(labels('pt mu')).toEqual(['Muon_pt']);
    expect(labels('zzz')).toEqual([]);
    expect(labels('')).toHaveLength(5);
  });
});

describe('addresses that were opened', () => {
  function storage(initial?: string): Storage & { text: string | undefined } {
    const kept = { text: initial };
    return Object.assign(kept, {
      getItem: () => kept.text ?? null,
      setItem: (_: string, value: string) => {
        kept.text = value;
      },
    }) as unknown as Storage & { text: string | undefined };
  }

  it('are kept last first, each once, at most eight', () => {
    const place = storage();
    const recent = createRecent(place);
    for (let i = 0; i < 12; i++) recent.add(`https://host/${i % 10}.root`);
    expect(createRecent(place).urls.value).toEqual(
      [1, 0, 9, 8, 7, 6, 5, 4].map((i) => `https://host/${i}.root`),
    );
    recent.clear();
    expect(createRecent(place).urls.value).toEqual([]);
  });

  it('are never signed ones', () => {
    const recent = createRecent(storage());
    recent.add('https://host/f.root?X-Amz-Signature=abc');
    recent.add('https://user:secret@host/f.root');
    recent.add('https://host/f.root#token');
    expect(recent.urls.value).toEqual([]);
  });

  it('survive nonsense in the storage, and none', () => {
    expect(createRecent(storage('{"a":1}')).urls.value).toEqual([]);
    expect(createRecent(storage('[1,"x","javascript:1","https://h/a.root"]')).urls.value).toEqual([
      'https://h/a.root',
    ]);
    createRecent(undefined).add('https://h/a.root');
  });
});
