import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  parseAxisRange,
  parseEntries,
  parseFraction,
  parseHeaders,
  parseWhole,
  UsageError,
} from '../../web/cli/arguments';
import { command } from '../../web/cli/command';
import { commonOptions } from '../../web/cli/options';
import { OwnFiles } from '../../web/cli/own-files';
import { TextOutput } from '../../web/cli/terminal/output';

test.each([
  ['0:10', [0, 10]],
  [':', [0, 100]],
  ['5:', [5, 100]],
  [':5', [0, 5]],
  ['-20:', [80, 100]],
  ['-20:-10', [80, 90]],
  ['90:500', [90, 100]],
  ['-500:3', [0, 3]],
  ['50:50', [50, 50]],
  ['50:-60', [50, 50]],
])('entries %s of 100 are %j', (text, wanted) => {
  expect(parseEntries(text, 100)).toEqual(wanted);
});

test.each(['', '5', 'a:b', '1:2:3', '1.5:2', '-:', ':-', '50:40', '-10:-20', '99999999999999999999:'])(
  'entries "%s" are refused',
  (text) => {
    expect(() => parseEntries(text, 100)).toThrow(UsageError);
  },
);

test.each([
  ['0:120', [0, 120]],
  ['-5:5.5', [-5, 5.5]],
  ['1e-3:1e3', [0.001, 1000]],
])('axis %s is %j', (text, wanted) => {
  expect(parseAxisRange(text)).toEqual(wanted);
});

test.each(['', ':', '1:', ':1', '5:5', '6:5', '0:nan', '0:Infinity', '1:2:3'])(
  'axis "%s" is refused',
  (text) => {
    expect(() => parseAxisRange(text)).toThrow(UsageError);
  },
);

const options = {
  ...commonOptions,
  range: { type: 'string', about: '' },
  sort: { type: 'string', choices: ['name', 'size'], about: '' },
  parts: { type: 'string', multiple: true, choices: ['keys', 'values'], about: '' },
} as const;
const probe = command({
  usage: ['FILE [TREE] EXPR', 'FILE PATH'],
  about: '',
  options,
  run: async (given, words, { out }) => {
    out.line(JSON.stringify({ ...given, words }));
    return 0;
  },
});

async function parsed(...args: string[]): Promise<Record<string, unknown>> {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  const out = new TextOutput(stream);
  const fail = () => Promise.reject(new Error());
  const context = { out, err: out, interactive: false, reader: fail, open: fail, files: new OwnFiles() };
  await probe.run(args, context);
  await out.end();
  return JSON.parse(chunks.join(''));
}

test('a value may start with a minus', async () => {
  expect(await parsed('f', 'x', '--range', '-5:5')).toMatchObject({ range: '-5:5', words: ['f', 'x'] });
  await expect(parsed('f', 'x', '--range', '--json')).rejects.toThrow(UsageError);
});

test('behind "--" no word is an option, nor the value of one', async () => {
  expect(await parsed('--range', '-1:1', '--', 'f', '--json', '-x')).toEqual({
    range: '-1:1',
    words: ['f', '--json', '-x'],
  });
  expect((await parsed('f', '--', '--range', '-5:5')).words).toEqual(['f', '--range', '-5:5']);
});

test.each([
  [[], 'FILE is missing.'],
  [['a'], 'EXPR or PATH is missing.'],
  [['a', 'b', 'c', 'd'], '"d" is one argument too many.'],
  [['a', 'b', '--rnge', '1:2'], 'There is no option --rnge. Did you mean --range?'],
  [['a', 'b', '--qqqqqqqqqqqq'], 'There is no option --qqqqqqqqqqqq.'],
  [['a', 'b', '--sort', 'nam'], '--sort does not take "nam". Did you mean name? It takes name, size.'],
  [['a', 'b', '--parts', 'keys,other'], '--parts does not take "other". It takes keys, values.'],
])('%j is refused: %s', async (args, message) => {
  await expect(parsed(...args)).rejects.toEqual(new UsageError(message));
});

test('words of a list may come in one or in several options', async () => {
  expect(await parsed('a', 'b', '--parts', 'keys, values', '--parts', 'keys')).toMatchObject({
    parts: ['keys, values', 'keys'],
  });
});

test.each([
  ['1%', 0.01],
  ['0.01', 0.01],
  ['100%', 1],
  ['1', 1],
  ['.5', 0.5],
])('a sample of %s is %d', (text, part) => {
  expect(parseFraction(text)).toBe(part);
});

test.each(['0', '10', '101%', '-1%', 'x', '', '1 %x'])('a sample of "%s" is refused', (text) => {
  expect(() => parseFraction(text)).toThrow(/--sample takes a part of all as 1% or 0.01/);
});

test('whole numbers keep their bounds', () => {
  expect(parseWhole('100', '--bins', 1, 1000)).toBe(100);
  for (const bad of ['0', '1001', '-3', '1.5', 'x', '', '1e2']) {
    expect(() => parseWhole(bad, '--bins', 1, 1000)).toThrow('--bins takes a whole number from 1 to 1000');
  }
});

test('headers are split at the first colon; a name with spaces is none', () => {
  expect(parseHeaders(['Authorization: Bearer a:b', 'X-A:1'])).toEqual({
    Authorization: 'Bearer a:b',
    'X-A': '1',
  });
  expect(() => parseHeaders(['no header'])).toThrow(UsageError);
  expect(() => parseHeaders(['a b: c'])).toThrow(UsageError);
  expect(() => parseHeaders(['a: b\r\nc: d'])).toThrow(UsageError);
});
