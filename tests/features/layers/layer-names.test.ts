import { describe, expect, it } from 'vitest';
import { layerNames } from '../../../web/features/layers/work/layer-names';

describe('the names of layers', () => {
  const file = 'a.root';
  it('are what differs among them', () => {
    const cuts = ['n==2', '', 'n>2'].map((cut) => ({ what: 'pt', cut, file }));
    expect(layerNames(cuts)).toEqual(['n==2', 'all values', 'n>2']);
    const expressions = [
      { what: 'pt', cut: 'n>1', file },
      { what: 'eta', cut: '', file },
    ];
    expect(layerNames(expressions)).toEqual(['pt {n>1}', 'eta']);
    const files = ['https://h/new/d.root', 'https://h/ref/d.root'].map((name) => ({
      ...{ what: 'pt', cut: 'n>1', file: name },
    }));
    expect(layerNames(files)).toEqual(['new/d.root', 'ref/d.root']);
    expect(layerNames([{ what: 'pt', cut: 'n>1', file }])).toEqual(['pt']);
    expect(layerNames([{ what: 'pt', cut: '', file, label: 'mine' }])).toEqual(['mine']);
  });
});
