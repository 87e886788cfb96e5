import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TreeInfo } from '../../../web/api/api';
import {
  type FitSource,
  fitProgram,
  togetherProgram,
} from '../../../web/features/fits/work/programs/program';
import { fitToolIds } from '../../../web/features/fits/work/programs/tools';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';
import { classOf, fittedOf, type JudgedCase, judgedCases, optionsOf } from './judged';
import { judgedTogether, judgedTogetherData, togetherOptions, togetherParts } from './judged-together';

const good = judgedCases.filter(({ result, empty }) => !empty && result.status === 0 && result.valid);

/** A tree with one branch of doubles. */
const treeOf = (path: string): TreeInfo =>
  ({
    ...{ path, title: '', kind: 'TTree', entries: 1 },
    branches: [
      {
        index: 0,
        name: 'x',
        path: 'x',
        parent: -1,
        depth: 0,
        title: 'x/D',
        typeName: 'double',
        kind: 'numbers',
        entries: 1,
      },
    ],
  }) as never;

function sourceOf({ on }: JudgedCase): FitSource {
  const className = classOf(on);
  if (className !== undefined) return { kind: 'stored', address: 'data.root', path: on, className };
  const layer = { address: 'data.root', tree: treeOf(on), branch: 'x', expr: 'x', cut: '' };
  return { kind: 'drawn', use: { layers: [layer], axes: [] }, values: true };
}

interface Answer {
  values: number[];
  errors: number[];
  fcn: number;
  valid: boolean;
  minos?: ([number, number] | null)[];
  error?: string;
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xylem-fits-'));
});
afterAll(() => rm(folder, { recursive: true }));

function run(
  programs: readonly { language: string; text?: string | undefined }[],
  data = 'fits.json',
): Answer[] {
  const judge = join(import.meta.dirname, 'judge/run_fits.py');
  const { stdout, stderr } = spawnSync(
    oraclePython ?? '',
    ['-W', 'ignore', judge, resolve('tests/fixtures/fits', data), join(folder, 'data.root')],
    { input: JSON.stringify(programs), encoding: 'utf8', maxBuffer: 1e9 },
  );
  const [, answer] = stdout.split('ANSWERS');
  if (answer === undefined) throw new Error(stderr.slice(-3000));
  return JSON.parse(answer) as Answer[];
}

describe.skipIf(lacks('ORACLE_PYTHON', oraclePython !== undefined))('programs of fits', () => {
  test.each(fitToolIds)('for %s give the same numbers', { timeout: 1_200_000 }, (id) => {
    const all = good.map((one) => ({
      one,
      program: fitProgram(id, sourceOf(one), fittedOf(one.on), one.function, optionsOf(one)),
    }));
    const said = all.filter(({ program }) => program.text !== undefined);
    const answers = run(said.map(({ program }) => program));
    expect(all.filter(({ program }) => program.why !== undefined).map(({ program }) => program.why)).toEqual(
      [],
    );
    // Minuit stops some thousandths of an error before the minimum, and its covariance matrix may be a few percent off. With
    // other roundings it takes another path in a few fits, of functions with kinks and of parameters that depend on each other.
    const wrong = (scale: number) =>
      said.flatMap(({ one }, i) => {
        const reason = differs(one, answers[i] as Answer, scale);
        return reason === undefined ? [] : [`${one.on} ${one.function} "${one.options}": ${reason}`];
      });
    expect(wrong(5)).toEqual([]);
    expect(wrong(1).length, wrong(1).join('\n')).toBeLessThan(0.02 * said.length);
  });

  test.each(fitToolIds)('of simultaneous fits for %s', { timeout: 600_000 }, (id) => {
    const all = judgedTogether.map((one) => {
      const sources = one.parts.map(({ on }) => ({
        ...{ kind: 'stored' as const, address: 'data.root', path: on },
        className: judgedTogetherData[on]?.class ?? 'TH1D',
      }));
      return togetherProgram(id, sources, togetherParts(one), togetherOptions(one));
    });
    expect(all.flatMap(({ why }) => why ?? [])).toEqual([]);
    const answers = run(all, 'together.json');
    const wrong = judgedTogether.flatMap(({ result, parts, options }, i) => {
      const reason = differs({ result }, answers[i] as Answer, 3);
      return reason === undefined ? [] : [`${i} ${parts.map(({ on }) => on)} ${options}: ${reason}`];
    });
    expect(wrong).toEqual([]);
  });
});

/** The reason why an answer differs from that of the judge by more than `scale` times what is allowed; undefined if it does not. */
function differs(
  {
    result,
    start = {},
  }: {
    result: Pick<JudgedCase['result'], 'values' | 'errors' | 'fcn' | 'minos'>;
    start?: JudgedCase['start'];
  },
  answer: Answer,
  scale: number,
): string | undefined {
  if (answer.error !== undefined) return answer.error;
  if (Math.abs(answer.fcn - result.fcn) > 1e-5 * Math.abs(result.fcn) + 1e-6)
    return `FCN ${answer.fcn}, ${result.fcn} expected`;
  for (const [i, value] of answer.values.entries()) {
    const [wanted = 0, sigma = 0, error = 0] = [result.values[i], result.errors[i], answer.errors[i]];
    if (sigma === null) continue;
    if (Math.abs(value - wanted) > 1e-3 * scale * sigma + 1e-9 * Math.abs(wanted))
      return `p${i} ${value} is ${wanted} (${(value - wanted) / sigma} errors)`;
    // The linear solver of ROOT tells the error 1 of a fixed parameter.
    if (start[i]?.fixed) continue;
    if (Math.abs(error - sigma) > 0.01 * scale * sigma + 1e-9 * Math.abs(wanted))
      return `error ${i} ${error} is ${sigma}`;
    const [pair, other] = [result.minos?.[i], answer.minos?.[i]];
    if (pair && !other) return `no MINOS errors of p${i}`;
    if (pair && other && pair.some((one, k) => Math.abs(one - (other[k] ?? 0)) > 0.01 * Math.abs(one)))
      return `MINOS ${i} ${other} is ${pair}`;
  }
  return undefined;
}
