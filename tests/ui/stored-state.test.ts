import { describe, expect, it } from 'vitest';
import { storedLayers, storedShow } from '../../web/ui/state/address/page-url';

const show = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe('what is stored of a view and of layers', () => {
  it.each([
    ['https://me:SECRET@h/a.root', 'https://h/a.root'],
    ['https://h/a.root?X-Amz-Signature=SECRET&v=1', 'https://h/a.root?v=1'],
    ['//me:SECRET@h/a.root?token=SECRET', '//h/a.root'],
    ['data/a.root?token=SECRET', 'data/a.root'],
  ])('has no secret of the address %s', (given, stored) => {
    const state = { items: 'dqm/**', reference: given, sort: 'worst' };
    expect(storedShow(show(state))).toBe(show({ ...state, reference: stored }));
    expect(JSON.parse(storedLayers(JSON.stringify([{ src: given }, { cut: 'x > 1' }])))).toEqual([
      { src: stored },
      { cut: 'x > 1' },
    ]);
    if (given.includes('://')) expect(storedShow(show({ any: given }))).not.toContain('SECRET');
  });

  it('is as it was without secrets, to the last character', () => {
    for (const text of ['items=a/%2A&log', 'expr=x%3F1%3A2+y', 'reference=https://h/a.root%3Fv%3D1', ''])
      expect(storedShow(text)).toBe(text);
  });
});
