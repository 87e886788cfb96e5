import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlotLook, plainLook } from '../../web/plot/look/look';
import { formatPageState, parsePageState } from '../../web/ui/state/address/url-state';
import { type PlotChoices, type PlotPlace, plotStateOf, takePlotState } from '../../web/ui/state/plot-state';

const plain: PlotChoices = { settings: {}, look: plainLook, way: undefined, layers: '', steps: '' };
const places: PlotPlace[] = ['branch', 'query', 'object'];

// No -0: its text is 0.
const end = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const choices: fc.Arbitrary<PlotChoices> = fc.record({
  settings: fc.record({
    bins: fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined }),
    range: fc.option(
      fc.tuple(end, end).filter(([low, high]) => low < high),
      { nil: undefined },
    ),
  }),
  look: fc
    .record({
      log: fc.record({ x: fc.boolean(), y: fc.boolean() }),
      errors: fc.boolean(),
      norm: fc.constantFrom('none' as const, 'area' as const, 'max' as const, 'first' as const),
      below: fc.constantFrom('none' as const, 'ratio' as const, 'difference' as const),
      rebin: fc.integer({ min: 1, max: 1000 }),
      how: fc.constantFrom('', 'nostack', 'x,y;z=2:5'),
    })
    .map((some): PlotLook => ({ ...plainLook, ...some })),
  way: fc.option(fc.constantFrom('plot', 'items', 'value', 'members', 'jsroot'), { nil: undefined }),
  layers: fc.constantFrom('', '[{"draw":"pt","cut":"n>1"}]', '[{"src":"b.root"},{}]'),
  steps: fc.constantFrom('', 'rebin(h, 2)|h / "other"'),
});

describe('what a link says of a plot', () => {
  it('comes back from an address as it was, at each place what belongs there', () => {
    fc.assert(
      fc.property(choices, fc.constantFrom(...places), (chosen, place) => {
        const link = parsePageState(formatPageState(plotStateOf(chosen, place)));
        // Values that are not in the link are the initial ones.
        const back = takePlotState(link, place);
        expect(plotStateOf(back, place)).toEqual(plotStateOf(chosen, place));
        expect(back.look.log).toEqual(chosen.look.log);
        if (place !== 'object') expect(back.settings).toEqual(chosen.settings);
        if (place === 'object') expect(back).toMatchObject({ way: chosen.way, look: chosen.look });
      }),
    );
  });

  it('leaves out settings that have their initial values', () => {
    for (const place of places) expect(plotStateOf(plain, place)).toEqual({});
  });

  it.each([
    ['bins=0', 'bins=100001', 'bins=1e3', 'bins=-5', 'bins=ten', 'bins=2.5', 'bins=5,', 'bins=1,2,3'],
    ['range=1', 'range=2,1', 'range=1,1', 'range=1,2,3', 'range=a,b', 'range=,5', 'range=0,Infinity'],
    ['log=z', 'log=yx', 'log=1', 'errors=yes', 'errors=0', 'norm=1', 'rebin=1', 'rebin=9999', 'as=a.b'],
    ['norm=1', 'norm=none', 'below=x', 'below=none'],
  ])('drops %s and the like, each by itself', (...wrong) => {
    for (const field of wrong) {
      const name = field.replace(/=.*/, '');
      expect(parsePageState(`?${field}&draw=x`), field).toEqual({ draw: 'x' });
      const others = name === 'log' ? 'bins=20&errors=1' : 'log=xy';
      const state = parsePageState(`?${field}&${others}`);
      expect(Object.keys(state), field).toEqual(name === 'log' ? ['bins', 'errors'] : ['log']);
    }
  });

  it('does not change when the values do not come from an address', () => {
    const given = { bins: 'x', range: '5,1', log: 'y' };
    expect(takePlotState(given, 'branch')).toEqual({
      ...plain,
      look: { ...plainLook, log: { x: false, y: true } },
    });
  });

  it('has the bins of expressions, of both axes where there are two', () => {
    expect(takePlotState({ bins: '30' }, 'query').settings).toEqual({ bins: 30 });
    const both = takePlotState({ bins: '30,20', range: '0,1,2,3' }, 'query');
    expect(both.settings).toEqual({ bins: 30, yBins: 20, range: [0, 1], yRange: [2, 3] });
    expect(plotStateOf(both, 'query')).toEqual({ bins: '30,20', range: '0,1,2,3' });
  });

  it('takes logarithmic axes from links of JSROOT', () => {
    expect(parsePageState('?file=f.root&item=h&opt=hist,logy')).toEqual({
      url: 'f.root',
      item: 'h',
      log: 'y',
    });
    expect(parsePageState('?item=h&opt=logxlogy&log=x')).toEqual({ item: 'h', log: 'x' });
  });
});
