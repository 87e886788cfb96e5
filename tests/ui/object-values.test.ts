import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyIcon } from '../../web/ui/contents/key-icon';
import { shownValue } from '../../web/ui/object/values';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

const files = join(import.meta.dirname, '../fixtures/files');

async function valueIn(name: string, path: string) {
  const engine = await makeEngine();
  const bytes = name.includes('/') ? readFileSync(join(files, `${name}.root`)) : fixtureBytes(name);
  const { id } = await engine.open(bufferSpec(name, bytes));
  return shownValue(await engine.object(id, path));
}

describe('objects that are shown as what they hold', () => {
  it('a macro is code, texts and parameters are values', async () => {
    const text = 'void style() {\n  gStyle->SetOptStat(0);  // <b>bold</b>\n}';
    expect(await valueIn('page/values', 'style')).toEqual({ kind: 'code', text });
    expect(await valueIn('page/values', 'author')).toMatchObject({ value: 'A. Physicist <a@b>' });
    expect(await valueIn('things', 'parameter_bool')).toMatchObject({ kind: 'value', value: 'true' });
    expect(await valueIn('things', 'parameter_Long64_t')).toMatchObject({
      value: expect.stringMatching(/^-?\d+$/),
    });
    expect(await valueIn('things', 'string')).toMatchObject({ kind: 'value' });
  });

  it('matrices and vectors are tables, symmetric ones with both halves', async () => {
    const cells = async (path: string) => {
      const value = await valueIn('page/values', path);
      return value?.kind === 'table' ? value.rows.map((row) => row.cells) : undefined;
    };
    expect(await cells('plain')).toEqual([
      [0.5, 1.5, 2.5],
      [10.5, 11.5, 12.5],
    ]);
    expect(await cells('half')).toEqual([
      [1, 2, 3],
      [2, 4, 6],
      [3, 6, 9],
    ]);
    expect(await cells('vector')).toEqual([[0], [1.5], [3], [4.5]]);
  });

  it('the result of a fit has its status, and says what the file does not describe', async () => {
    const fit = await valueIn('page/values', 'fit');
    if (fit?.kind !== 'fit') throw new Error('no fit');
    expect(Object.fromEntries(fit.facts)).toMatchObject({
      ...{ Status: '0 (converged)', Covariance: 'full, accurate matrix', 'Invalid evaluations': '0' },
    });
    expect(fit.parameters).toMatchObject({ rows: [{ name: 'Parameter 1' }, { name: 'Parameter 2' }] });
    expect(fit.note).toMatch(/^2 parameters were written by code of RooFit's own/);
    // Where the file describes them, they are there.
    const readable = (name: string, value: number) => ({
      ...{ _typename: 'RooRealVar', fName: name, _value: value, _error: 0.1 },
    });
    const list = (value: number) => ({ _typename: 'RooArgList', _list: [readable('mean', value)] });
    const members = { _status: 1, _minNLL: 2, _initPars: list(1), _finalPars: list(0.3) };
    expect(shownValue({ _typename: 'RooFitResult', ...members })).toMatchObject({
      parameters: { rows: [{ name: 'mean', cells: [0.3, 0.1, 1, ''] }] },
    });
  });

  it('is nothing of members that do not fit', () => {
    const odd = { fNrows: 3, fNcols: 2, fRowLwb: 0, fColLwb: 0, fElements: [1, 2] };
    expect(shownValue({ _typename: 'TMatrixT<double>', ...odd })).toBeUndefined();
    expect(shownValue({ _typename: 'TMatrixTSym<double>', ...odd, fNcols: 3 })).toBeUndefined();
    expect(shownValue({ _typename: 'TMatrixT<double>', ...odd, fNrows: 1e9, fNcols: 1e9 })).toBeUndefined();
    expect(shownValue({ _typename: 'TVectorT<double>', fNrows: 2, fElements: ['a', 'b'] })).toBeUndefined();
    expect(shownValue({ _typename: 'TMacro', fLines: null })).toBeUndefined();
    expect(shownValue({ _typename: 'TH1D' })).toBeUndefined();
  });
});

it('objects have icons by what they are', () => {
  const icon = (className: string, kind: 'object' | 'histogram' = 'object') => keyIcon({ className, kind });
  expect([icon('TCanvas'), icon('THStack'), icon('TF1'), icon('TMacro')]).toEqual([
    ...['canvas', 'histogram', 'function', 'object'],
  ]);
  expect(icon('TH1D', 'histogram')).toBe('histogram');
});
