import { describe, expect, test } from 'vitest';
import { parseModel } from '../../../web/features/fits/work/formula/model';
import { parametersText, parseFitOptions, parseParameters } from '../../../web/features/fits/work/options';

// The names and their order are those of TF1::GetParName in ROOT 6.40.
test.each([
  ['gaus', 'Constant Mean Sigma'],
  ['expo', 'Constant Slope'],
  ['landaun', 'Constant MPV Sigma'],
  ['crystalball', 'Constant Mean Sigma Alpha N'],
  ['pol2', 'p0 p1 p2'],
  ['gaus(0)+pol1(3)', 'p0 p1 p2 p3 p4'],
  ['gaus+expo', 'p0 p1 p2'],
  ['gaus(0)+[k]*x', 'p0 p1 p2 k'],
  ['[slope]*x+[0]', 'p0 slope'],
  ['[b]*x+[a]+[0]', 'p0 a b'],
  ['[B]*x+[a]+[A]', 'A B a'],
  ['[3]*x+[1]', 'p0 p1 p2 p3'],
  ['[p10]+[p9]*x', 'p9 p10'],
  ['gaus(x,[c],[a],[b])+[d]', 'c a b d'],
  ['[N]*gaus(x,1,[m],[s])', 'N m s'],
  ['pol1(x,[b],[a])', 'b a'],
])('parameters of %s', (text, names) => {
  expect(parseModel(text).names.join(' ')).toBe(names);
});

test('shapes that share parameters say so', () => {
  expect(parseModel('gaus+expo').notes).toEqual([
    'gaus and expo share the parameters [0], [1], as in ROOT: expo(3) has its own',
  ]);
  expect(parseModel('gaus(0)+expo(3)').notes).toEqual([]);
});

describe('mistakes are told with their places', () => {
  test.each([
    ['', 'A fit needs a function.', -1],
    ['x+1', '"x+1" has no parameter.', -1],
    ['[0]+w', '"w" is neither a coordinate nor a function.', 4],
    ['[0]*gauss(x)', 'There is no function "gauss".', 4],
    ['[0]*sin(x,x)', 'sin does not take 2 arguments.', 4],
    ['gaus(0,1)', 'gaus takes the number of its first parameter, as in gaus(0), or 4 arguments.', 0],
    ['[0', 'The expression ends where "]" should follow.', 2],
    ['[0]+[500]', 'There are at most 200 parameters.', 4],
    ['[0]+"a"', 'A function of a fit has no texts.', 4],
  ])('%s', (text, message, offset) => {
    try {
      parseModel(text);
      expect.unreachable();
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'ARGUMENT', message });
      if (offset >= 0) expect(thrown).toMatchObject({ where: { offset } });
    }
  });
});

test('a parameter is never text: it cannot bring operators', () => {
  expect(() => parseModel('[0)+exec(]')).toThrow();
  const { code } = parseModel('[0]*x');
  expect(code.length / 6).toBe(3);
});

test('options of ROOT', () => {
  expect(parseFitOptions('LEI')).toMatchObject({ method: 'likelihood', minos: true, integral: true });
  expect(parseFitOptions('WL QS')).toMatchObject({ method: 'weighted', ones: 'none' });
  expect(parseFitOptions('WW')).toMatchObject({ method: 'chi2', ones: 'all' });
  expect(parseFitOptions('EX0')).toMatchObject({ withoutX: true, minos: false });
  expect(() => parseFitOptions('Z')).toThrow('"Z" is not an option of a fit.');
  expect(() => parseFitOptions('MULTI')).toThrow('not followed');
});

test('start values as text', () => {
  const settings = parseParameters('Mean=91[80:100], Sigma=2.5|fixed; 2=[0:]');
  expect(settings).toEqual({
    Mean: { start: 91, low: 80, high: 100, fixed: false },
    Sigma: { start: 2.5, low: undefined, high: undefined, fixed: true },
    2: { start: undefined, low: 0, high: undefined, fixed: false },
  });
  expect(parseParameters(parametersText(settings))).toEqual(settings);
  expect(() => parseParameters('Mean==3')).toThrow('does not say how a parameter begins');
});
