import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DrawResult, FileId, Histogram } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { exportTree } from '../../web/features/exports/work/export-tree';
import { makeEngine } from '../engine/fixtures';

/** The same events that ROOT wrote as a TTree and as an RNTuple: see recorders/twins.py. */
describe('a TTree and an RNTuple of the same events', () => {
  let engine: EngineApi;
  let tree: FileId;
  let ntuple: FileId;
  beforeAll(async () => {
    engine = await makeEngine();
    const open = async (name: string) =>
      (await engine.open({ kind: 'path', path: join(import.meta.dirname, `files/${name}.root`) })).id;
    tree = await open('twins_tree');
    ntuple = await open('twins_ntuple');
  });
  afterAll(async () => {
    await engine.close(tree);
    await engine.close(ntuple);
  });

  const twice = async <T>(run: (file: FileId) => Promise<T>): Promise<[T, T]> => [
    await run(tree),
    await run(ntuple),
  ];
  /** Sums may be added up in blocks that end elsewhere. */
  const close = (a: readonly number[], b: readonly number[]): void =>
    a.forEach((value, i) => {
      if (Number.isNaN(value)) expect(b[i]).toBeNaN();
      else expect(Math.abs(value - (b[i] ?? Number.NaN))).toBeLessThanOrEqual(1e-12 * (1 + Math.abs(value)));
    });

  test.each([
    ['Dimuon_mass', '', ''],
    ['Muon_pt', '', ''],
    ['Muon_pt', 'Muon_tightId', ''],
    ['Muon_pt[0]+Muon_pt[1]', 'nMuon==2', ''],
    ['Muon_phi:Muon_eta', 'Muon_pt>5', ''],
    ['MET_pt:Dimuon_mass:PV_npvs', 'MET_pt<60', ''],
    ['Muon_pt:Muon_eta', 'Muon_charge>0', 'prof'],
    ['Sum$(Jet_pt)', 'Length$(Jet_pt)>1', ''],
    ['@Jet_pt.size()', 'MET_pt/100', ''],
    ['event', 'trigger=="HLT_IsoMu24"', ''],
    ['Alt$(Jet_pt[1],-1)', 'strstr(trigger,"Mu17")', ''],
    ['PV_npvs>>h(20,0,40)', 'Entry$%3==0', ''],
  ])('%s {%s} %s draws the same', async (expr, cut, option) => {
    const [a, b] = (await twice((id) => engine.draw(id, { tree: 'Events', expr, cut, option }))) as [
      Histogram,
      Histogram,
    ];
    expect(a.fills).toBeGreaterThan(0);
    // The tree has titles with units, and the RNTuple has no descriptions.
    expect(b.axes).toEqual(a.axes.map(({ unit: _, ...axis }) => axis));
    expect([b.fills, b.entries, b.nan]).toEqual([a.fills, a.entries, a.nan]);
    close([...a.sums, ...a.squares, ...(a.weights ?? [])], [...b.sums, ...b.squares, ...(b.weights ?? [])]);
    close([a.weight, ...a.mean, ...a.stdDev], [b.weight, ...b.mean, ...b.stdDev]);
  });

  test('strings and lists of entries', async () => {
    const ask = (expr: string, cut: string): Promise<[DrawResult, DrawResult]> =>
      twice((id) => engine.draw(id, { tree: 'Events', expr, cut }));
    const [a, b] = await ask('trigger', 'nMuon>2');
    expect(a).toMatchObject({ kind: 'frequencies' });
    expect(b).toEqual(a);
    const [some, same] = await ask('>>list', 'Max$(Muon_pt)>60');
    expect(some).toMatchObject({ kind: 'entries' });
    expect(same).toEqual(some);
  });

  const columns =
    'run:event:nMuon:Muon_pt:Muon_charge:Muon_tightId:Jet_pt:Jet_pt[0]:trigger:PV_npvs:Sum$(Muon_pt)';

  test('scans are the same', async () => {
    for (const cut of ['', 'MET_pt>15', 'Jet_pt>40']) {
      const [a, b] = await twice((id) => engine.scan(id, { tree: 'Events', columns, cut }));
      expect(a.entries.length).toBeGreaterThan(20);
      expect(b.entries).toEqual(a.entries);
      // The importer makes nMuon a cardinality, whose numbers have 64 bits.
      const counts = b.values[2] ?? [];
      expect(counts.every((value) => typeof value === 'bigint')).toBe(true);
      const values = b.values.map((column) => (column === counts ? column.map(Number) : column));
      expect(values).toEqual(a.values);
    }
  });

  test('summaries are the same', async () => {
    const branches = [
      'run',
      'event',
      'Dimuon_mass',
      'Muon_pt',
      'Muon_eta',
      'Muon_charge',
      'PV_npvs',
      'Jet_pt',
      'trigger',
    ];
    const [a, b] = await twice((id) => engine.summarize(id, { tree: 'Events', branches, details: true }));
    for (const [i, ours] of a.entries()) {
      const { branch, mean, stdDev, sum, error, ...rest } = ours;
      const {
        branch: _other,
        mean: mean2,
        stdDev: stdDev2,
        sum: sum2,
        error: error2,
        ...rest2
      } = b[i] ?? ours;
      expect([error, error2]).toEqual([undefined, undefined]);
      expect(rest2, branch.path).toEqual(rest);
      close([mean, stdDev, sum], [mean2, stdDev2, sum2]);
    }
  });

  test.each([
    { columns },
    { columns, cut: 'nMuon==2' },
    { branches: ['run', 'Muon_pt', 'Jet_pt', 'trigger'] },
  ])('exports are the same: %o', async (what) => {
    for (const format of ['csv', 'jsonl'] as const) {
      const [a, b] = await twice(async (id) => {
        let text = '';
        for await (const piece of exportTree(engine, id, { tree: 'Events', ...what, format })) {
          text += new TextDecoder().decode(piece);
        }
        return text;
      });
      expect(a.length).toBeGreaterThan(5000);
      expect(b).toBe(a);
    }
  });
});
