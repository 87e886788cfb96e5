import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FileId } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { XylemError } from '../../web/base/errors';
import { nearest } from '../../web/base/suggest';
import { markedText } from '../../web/query/language/errors';
import { makeEngine } from '../engine/fixtures';

let engine: EngineApi;
let id: FileId;

beforeAll(async () => {
  engine = await makeEngine();
  const bytes = readFileSync(join(import.meta.dirname, '../../public/sample.root'));
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  id = (await engine.open({ kind: 'buffer', buffer, name: 'sample.root' })).id;
});

async function failure(expr: string, cut?: string): Promise<XylemError> {
  try {
    await engine.draw(id, { tree: 'Events', expr, cut });
  } catch (thrown) {
    if (thrown instanceof XylemError) return thrown;
    throw thrown;
  }
  throw new Error(`${expr} {${cut ?? ''}} was drawn`);
}

describe('a mistake is shown where it is', () => {
  test.each([
    ['Muon_ptt', 'Muon_ptt', 'There is no branch "Muon_ptt"', 'Did you mean "Muon_pt"?'],
    ['2*(Muon_pt+1', '(', 'is never closed', undefined],
    ['Muon_pt)', ')', 'closes nothing', undefined],
    ['Muon_pt+', '', 'ends where a value should follow', undefined],
    ['Muon_pt Muon_eta', 'Muon_eta', 'where an operator should', undefined],
    ['nMuon==2 and MET_pt>3', 'and', 'where an operator should', 'Write && for "and".'],
    ['TMath::Pi', 'TMath::Pi', 'There is no branch', 'TMath::Pi()'],
    ['gRandom', 'gRandom', 'could not be repeated', 'Write rndm'],
    ['gaus', 'gaus', 'function with parameters', 'TMath::Gaus'],
    ['MET_pt>>h(10,0,1,10,0,1)', '10,0,1,10,0,1', 'one expression', 'for each axis'],
    ['MET_pt>>h(10,-1.7e308,1.7e308)', '10,-1.7e308,1.7e308', 'too far apart', undefined],
    ['sqr(Muon_pt)', 'sqr', 'There is no function "sqr"', 'Did you mean'],
    ['sqrt(1,2)', 'sqrt(1,2)', 'takes one argument, not 2', undefined],
    ['1<Muon_pt<3', '<', 'Comparisons in a row', '&&'],
    ['MET_pt[nope]', 'nope', 'There is no branch "nope"', undefined],
    ['Muon_pt=3', '=', 'no meaning', '=='],
    ['trigger+1', 'trigger', 'holds strings', undefined],
    ['sqrt(trigger)', 'trigger', 'holds strings', undefined],
    ['MET_pt:Muon_ptt', 'Muon_ptt', 'There is no branch', 'Muon_pt'],
    ['MET_pt>>h(ten,0,1)', 'ten', 'is not a number', undefined],
    ['MET_pt::x', 'MET_pt::x', 'There is no branch', undefined],
    ['3abc', '3a', 'neither a number nor a name', undefined],
    ['"MET_pt', '"MET_pt', 'no end', undefined],
    ['Sum$(Muon_pt,2)', 'Sum$(Muon_pt,2)', 'one argument', undefined],
    ['Jet_pt.foo()', 'foo', 'no method "foo"', undefined],
    ['Muon_pt.fX', 'Muon_pt.fX', 'no member "fX"', undefined],
  ])('%s', async (expr, marked, message, fix) => {
    const error = await failure(expr);
    expect(error.message).toContain(message);
    if (fix !== undefined) expect(error.fix).toContain(fix);
    const { expression, offset = -1, length = 0 } = error.where ?? {};
    expect(expression).toBe(expr);
    if (marked !== '') expect(expr.slice(offset, offset + length)).toBe(marked);
    else expect(offset).toBe(expr.length);
  });

  test.each([
    ['2*Muon_ptt[0]', '2*Muon_pt[0]'],
    ['sqtr(MET_pt)', 'sqrt(MET_pt)'],
    ['MET_pt:Muon_ptt', 'MET_pt:Muon_pt'],
  ])('%s: what is proposed can be put in its place', async (expr, want) => {
    const { where } = await failure(expr);
    const { offset = 0, length = 0, instead = [] } = where ?? {};
    expect(expr.slice(0, offset) + (instead[0] ?? '') + expr.slice(offset + length)).toBe(want);
  });

  test('also in the cut', async () => {
    const error = await failure('Muon_pt', 'MET_pt > 20 && nMoun');
    expect(error.where).toMatchObject({ expression: 'MET_pt > 20 && nMoun', offset: 15, length: 5 });
    expect(error.fix).toBe('Did you mean "nMuon"?');
    expect(markedText('MET_pt > 20 && nMoun', 15, 5)).toEqual([
      'MET_pt > 20 && nMoun',
      `${' '.repeat(15)}^^^^^`,
    ]);
  });
});

test('the nearest names come first', () => {
  expect(nearest('muon_Pt', ['Jet_pt', 'Muon_pt', 'Muon_eta'])[0]).toBe('Muon_pt');
  expect(nearest('xyz', ['Muon_pt'])).toEqual([]);
});

describe('any text gives a result or an error with a place', () => {
  const runs = Number(process.env.XYLEM_EXPRESSIONS ?? 1500);
  const words = fc.constantFrom(
    ...'Muon_pt Muon_eta Muon_charge MET_pt nMuon Jet_pt trigger event Dimuon_mass Muon_tightId nope'.split(
      ' ',
    ),
    ...'+ - * / % ^ ** < > <= >= == != && || & | << ! ? : , ( ) [ ] [0] [] . @ " $ >>h(3,0,1) 1 2.5 0x1f 1e400'.split(
      ' ',
    ),
    ...'sqrt( log( min( TMath::Abs( Sum$( Length$ Length$( Max$( MinIf$( Alt$( Iteration$ Entry$ pi .size() .Pt()'.split(
      ' ',
    ),
    '"HLT_IsoMu24"',
    'strstr(',
    ' ',
  );
  const expressions = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        'Muon_pt',
        'MET_pt',
        'Muon_pt[0]',
        'Jet_pt',
        'nMuon',
        '1',
        '2.5',
        'Muon_charge',
        'Entry$',
        'Iteration$',
      ),
      fc
        .tuple(
          tie('value'),
          fc.constantFrom('+', '-', '*', '/', '%', '^', '<', '>', '==', '&&', '||', '&', '|', '<<'),
          tie('value'),
        )
        .map(([a, op, b]) => `(${a}${op}${b})`),
      fc
        .tuple(
          fc.constantFrom('sqrt', 'exp', 'log', 'sin', 'floor', 'int', 'Sum$', 'Min$', 'Length$', '!', '-'),
          tie('value'),
        )
        .map(([f, a]) => `${f}(${a})`),
      fc.tuple(tie('value'), tie('value'), tie('value')).map(([a, b, c]) => `(${a}?${b}:${c})`),
      fc.tuple(fc.constantFrom('Muon_pt', 'Jet_pt'), tie('value')).map(([a, b]) => `${a}[${b}]`),
      fc.tuple(tie('value'), fc.constantFrom('1', 'nMuon')).map(([a, b]) => `Alt$(${a},${b})`),
    ),
  })).value;
  const mutated = fc
    .tuple(
      expressions,
      fc.nat(),
      fc.constantFrom('', '(', ')', '[', ']', '"', '.', '$', '@', ':', '?', '*', '\\', 'é', '\u0000'),
    )
    .map(
      ([text, at, put]) =>
        text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1),
    );
  const random = fc.array(words, { maxLength: 12 }).map((list) => list.join(''));
  const texts = fc.oneof(expressions, mutated, random, fc.string({ maxLength: 30, unit: 'binary' }));

  test(`${runs} of them`, { timeout: 60_000 + runs * 100 }, async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.option(texts, { nil: undefined }), async (expr, cut) => {
        try {
          const result = await engine.draw(id, {
            tree: 'Events',
            expr,
            cut,
            entries: [0, 40],
            axes: [{ bins: 5 }, { bins: 5 }, { bins: 5 }],
          });
          expect(['histogram', 'frequencies', 'entries']).toContain(result.kind);
        } catch (thrown) {
          if (!(thrown instanceof XylemError)) throw thrown;
          expect(['ARGUMENT', 'NOT_FOUND', 'UNSUPPORTED', 'BUDGET']).toContain(thrown.code);
          const { expression, offset = -1 } = thrown.where ?? {};
          expect([expr, cut]).toContain(expression);
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(expression?.length ?? 0);
        }
      }),
      { numRuns: runs },
    );
  });
});
