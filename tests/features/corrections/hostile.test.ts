import { expect, test } from 'vitest';
import type { XylemError } from '../../../web/base/errors';
import { correctionSetOf } from '../../../web/features/corrections/work/correction-set';

const INPUTS = [
  { name: 'x', type: 'real' },
  { name: 'n', type: 'int' },
  { name: 's', type: 'string' },
];

function document(data: unknown, more: object = {}): object {
  const one = { name: 'c', version: 1, inputs: INPUTS, output: { name: 'o', type: 'real' }, data };
  return { schema_version: 2, corrections: [one], ...more };
}

function fault(given: unknown): string {
  try {
    correctionSetOf(typeof given === 'string' ? given : JSON.stringify(given), 'f.json');
  } catch (thrown) {
    const { code, message } = thrown as XylemError;
    return `${code} ${message}`;
  }
  return 'none';
}

const correction = (data: unknown) => correctionSetOf(JSON.stringify(document(data)), 'f.json').get('c');
const evaluated = (data: unknown, ...given: never[]): string => {
  try {
    return String(correction(data).evaluate(...given));
  } catch (thrown) {
    const { code, message, fix = '' } = thrown as XylemError;
    return `${code} ${message} ${fix}`;
  }
};

const binning = { nodetype: 'binning', input: 'x', edges: [0, 1, 2], content: [1, 2], flow: 'error' };
const formula = (expression: string, more: object = {}) => ({
  ...{ nodetype: 'formula', parser: 'TFormula', variables: ['x'], expression },
  ...more,
});

test('a document that is not valid is refused by the name of the place', () => {
  const data = 'ARGUMENT The file of corrections "f.json" is not valid: corrections[0].data';
  const cases: [unknown, string][] = [
    ['{', 'ARGUMENT The file of corrections "f.json" is not JSON'],
    ['[]', 'the document is a list; an object was expected'],
    ['{}', 'schema_version is missing; a whole number was expected'],
    [{ schema_version: 1, corrections: [] }, 'UNSUPPORTED The corrections have schema version 1'],
    [{ schema_version: 3, corrections: [] }, 'UNSUPPORTED The corrections have schema version 3'],
    [document('a'), `${data} is "a"`],
    [document({}), `${data}.nodetype is missing`],
    [document({ nodetype: '__proto__' }), `${data}.nodetype is "__proto__"`],
    [document({ ...binning, input: 'y' }), `${data}.input names the input "y"`],
    [document({ ...binning, input: 's' }), `${data}.input names the input "s" of type "string"`],
    [document({ ...binning, content: [1] }), `${data}.content has 1 values, and the edges have 2 bins`],
    [document({ ...binning, edges: [0, 1] }), `${data}.content has 2 values, and the edges have 1 bins`],
    [document({ ...binning, edges: [0, 2, 2] }), `${data}.edges[2] is 2, which is not above`],
    [document({ ...binning, edges: [0] }), `${data}.edges has fewer than two edges`],
    [document({ ...binning, edges: { n: 2, low: 1, high: 1 } }), `${data}.edges has the lower edge 1`],
    [document({ ...binning, edges: { n: 1e15, low: 0, high: 1 } }), 'the edges have 1000000000000000 bins'],
    [document({ ...binning, edges: { n: 1.5, low: 0, high: 1 } }), `${data}.edges.n is 1.5; a whole number`],
    [document({ ...binning, edges: 'x' }), `${data}.edges is "x"; an object was expected`],
    [document({ ...binning, flow: 'clam' }), `${data}.flow is "clam"`],
    [document({ ...binning, content: [1, null] }), `${data}.content[1] is null`],
    [
      document({ nodetype: 'multibinning', inputs: ['x', 'n'], edges: [[0, 1]], content: [1], flow: 1 }),
      `${data}.edges has 1 axes, and there are 2 inputs`,
    ],
    [
      document({
        ...{ nodetype: 'multibinning', inputs: ['x', 'n'], content: [1], flow: 1 },
        edges: [
          { n: 1e9, low: 0, high: 1 },
          { n: 1e9, low: 0, high: 1 },
        ],
      }),
      `${data}.content has 1 values, and the edges have 1000000000000000000 bins`,
    ],
    [
      document({ nodetype: 'category', input: 'n', content: [{ key: 'a', value: 1 }] }),
      `${data}.content[0].key is "a"; a whole number was expected`,
    ],
    [document({ nodetype: 'formularef', index: 0, parameters: [] }), `${data}.index is 0`],
    [document({ nodetype: 'hashprng', inputs: ['s'], distribution: 'normal' }), `${data}.inputs[0] names`],
    [
      document({ nodetype: 'hashprng', inputs: ['x'], distribution: 'flat' }),
      `${data}.distribution is "flat"`,
    ],
    [document(formula('x+')), `${data}.expression ends too early`],
    [document(formula('[0]*x')), `${data}.expression uses the parameter [0], and there are 0`],
    [document(formula('x*y')), `${data}.expression uses the variable "y"`],
    [document(formula('x*process')), `${data}.expression cannot be understood`],
    [document(formula('x', { parser: 'numexpr' })), `${data}.parser is "numexpr"`],
    [document(formula('x', { variables: ['n'] })), `${data}.variables[0] names the input "n"`],
    [document(formula('('.repeat(100_000))), 'levels of parentheses'],
    [document(formula(`x${'^x'.repeat(100_000)}`)), 'levels of parentheses'],
    [document(formula('-'.repeat(100_000))), 'cannot be understood'],
    [document(formula('1'.repeat(400))), 'which is too large'],
    [document(1, { corrections: 5 }), 'corrections is 5; a list was expected'],
    [
      document(1, { compound_corrections: [{ name: 'd', inputs: INPUTS, inputs_update: ['s'] }] }),
      'compound_corrections[0].inputs_update[0] names "s"',
    ],
    [
      document(1, {
        compound_corrections: [
          {
            ...{ name: 'd', inputs: INPUTS, output: { name: 'o', type: 'real' }, inputs_update: ['x'] },
            ...{ input_op: '*', output_op: 'last', stack: ['c', 'd'] },
          },
        ],
      }),
      'compound_corrections[0].stack[1] names "d", which is not a correction of this file',
    ],
  ];
  for (const [given, message] of cases) expect(fault(given)).toContain(message);
  expect(fault('{"schema_version": 2, "corrections": [], "description": NaN}')).toContain(
    'description is NaN',
  );
  const edges = JSON.stringify(document({ ...binning, edges: [0, 1, 77] })).replace('77', 'NaN');
  expect(fault(edges)).toContain(`${data}.edges[2] is NaN`);
  expect(fault(edges.replace('NaN', 'Infinity'))).toBe('none');
});

test('a document that is nested deeply is refused', () => {
  const open = '{"nodetype":"transform","input":"x","rule":1,"content":';
  const text = JSON.stringify(document('HERE'));
  for (const levels of [300, 20_000])
    expect(fault(text.replace('"HERE"', `${open.repeat(levels)}1${'}'.repeat(levels)}`))).toContain(
      'is nested deeper than 200 levels',
    );
  expect(fault(text.replace('"HERE"', `${'['.repeat(1e5)}${']'.repeat(1e5)}`))).toContain('is a list');
});

test('wrong inputs are errors that name the input and the value', () => {
  expect(evaluated(1)).toContain(
    'ARGUMENT "c" takes 3 inputs, and got 0. They are x (real), n (int), s (string).',
  );
  const given = (...values: unknown[]) => evaluated(binning, ...(values as never[]));
  expect(given(0.5, 1, 'a')).toBe('1');
  expect(given('0.5', 1, 'a')).toContain('The input "x" of "c" is "0.5"; a number was expected.');
  expect(given(undefined, 1, 'a')).toContain('The input "x" of "c" is undefined; a number was expected.');
  expect(given(0.5, 1.5, 'a')).toContain('The input "n" of "c" is 1.5; a whole number was expected.');
  expect(given(0.5, 2n ** 64n, 'a')).toContain('a whole number was expected');
  expect(given(0.5, 1, 2)).toContain('The input "s" of "c" is 2; a text was expected.');
  expect(given(2, 1, 'a')).toContain('The input "x" is 2, above the bins.');
  expect(given(-1, 1, 'a')).toContain('The input "x" is -1, below the bins.');
  expect(given(Number.NaN, 1, 'a')).toContain('The input "x" is NaN, which has no bin.');
  expect(given([0.5, 1.5], 1, 'a')).toBe('1,2');
  expect(given(new Float32Array([0.5, 3]), 1, 'a')).toContain(
    'Element 1: The input "x" is 3, above the bins.',
  );
  expect(given([0.5], [1, 2], 'a')).toContain('has 2 values, and another one has 1');
  expect(given({ values: [], offsets: [] }, 1, 'a')).toContain('Give the "values" of a column of lists.');
  const kinds = { nodetype: 'category', input: 's', content: [{ key: 'nominal', value: 1 }] };
  expect(evaluated(kinds, ...([1, 1, 'nominl'] as never[]))).toContain(
    'The input "s" is "nominl", for which the correction has no category. Did you mean "nominal"?',
  );
  expect(
    evaluated(
      { ...binning, edges: { n: 2, low: 0, high: 2 }, flow: 0 },
      ...([Number.NaN, 1, 'a'] as never[]),
    ),
  ).toContain('The input "x" is NaN, which has no bin.');
});

test('an unknown correction is an error with similar names', () => {
  const set = correctionSetOf(JSON.stringify(document(1)), 'f.json');
  const muons = correctionSetOf(
    JSON.stringify(document(1)).replace('"name":"c"', '"name":"NUM_TightID"'),
    'f.json',
  );
  expect(() => muons.get('NUM_TigthID')).toThrow('There is no correction "NUM_TigthID".');
  try {
    muons.get('NUM_TigthID');
  } catch (thrown) {
    expect((thrown as XylemError).fix).toBe('Did you mean "NUM_TightID"?');
  }
  expect(() => set.compound('c')).toThrow('There is no compound correction "c".');
  expect([set.has('c'), set.has('__proto__')]).toEqual([true, false]);
});

test('just below the upper edge the last bin is taken, also if the division rounds to 1', () => {
  const data = { ...binning, edges: { n: 2, low: -10, high: 1 }, flow: 'clamp' };
  expect(evaluated(data, ...([1 - 2 ** -53, 1, ''] as never[]))).toBe('2');
});
