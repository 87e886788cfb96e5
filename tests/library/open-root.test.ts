// Needs features: xrootd.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReader, openRoot, type RootHandle, type TreeHandle, XylemError } from '../../web/node';

const path = 'public/sample.root';
const workers = 0;

let file: RootHandle;
let events: TreeHandle;

beforeAll(async () => {
  file = await openRoot(path, { workers });
  events = await file.tree('Events');
});
afterAll(() => file.close());

test.each([
  ['http://me:CANARY7531@[h/a.root?authz=CANARY7531', 'ARGUMENT'],
  ['https://h:99999/a.root?authz=CANARY7531', 'ARGUMENT'],
  ['root://me:CANARY7531@h:9x//a.root?authz=CANARY7531', 'ARGUMENT'],
  ['s3://me:CANARY7531@h/a.root?authz=CANARY7531', 'NOT_FOUND'],
  ['h.org/a.root?authz=CANARY7531', 'NOT_FOUND'],
])(
  '%s, which is no address that is read, is an error of xylem without its secrets',
  async (address, code) => {
    for (const source of [address, [address]]) {
      const failed = await openRoot(source, { workers, headers: { Authorization: 'x' } }).catch(
        (error) => error,
      );
      expect(failed).toBeInstanceOf(XylemError);
      expect(failed.code).toBe(code);
      expect(JSON.stringify(failed.toRecord())).not.toContain('CANARY7531');
    }
  },
);

describe('arrays', () => {
  test('iterate as rows, and have their values and offsets', async () => {
    const { nMuon, Muon_pt, trigger, Muon_tightId } = await events.arrays(
      ['nMuon', 'Muon_pt', 'trigger', 'Muon_tightId'],
      { entries: [0, 3] },
    );
    expect([...nMuon]).toEqual([2, 2, 2]);
    expect([...Muon_pt]).toEqual([
      [67.5625, 29.3125],
      [58.46875, 34.40625],
      [30.15625, 16.59375],
    ]);
    expect([...Muon_pt.offsets]).toEqual([0, 2, 4, 6]);
    expect(Muon_pt.data).toEqual(Float32Array.of(67.5625, 29.3125, 58.46875, 34.40625, 30.15625, 16.59375));
    expect(trigger.at(-1)).toBe('HLT_Mu17_Mu8_DZ');
    expect(trigger.at(3)).toBeUndefined();
    expect(typeof (Muon_tightId.at(0) as boolean[])[0]).toBe('boolean');
    expect(() => nMuon.offsets).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
  });

  test('take a text, patterns, expressions and a cut', async () => {
    const some = { cut: 'Muon_pt[0]>60', entries: [0, 100] as [number, number] };
    const { nMuon, 'Muon_pt[0]': first, ...rest } = await events.arrays('nMuon, Muon_pt[0],MET_*', some);
    expect([...(nMuon ?? [])]).toEqual([2, 3, 2]);
    expect([...(first ?? [])]).toEqual([67.5625, 85.5, 80.5625]);
    expect(Object.keys(rest)).toEqual(['MET_pt', 'MET_phi']);
    expect(rest.MET_pt?.length).toBe(3);
    const { 'TMath::Max(MET_pt,1.)': most } = await events.arrays(['TMath::Max(MET_pt,1.)'], {
      entries: [0, 2],
    });
    expect(most.length).toBe(2);
    expect(Object.keys(await events.arrays(undefined, { entries: [0, 1] }))).toHaveLength(16);
  });

  test('say what is not there', async () => {
    await expect(events.arrays('MET_pz')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      fix: expect.any(String),
    });
    await expect(events.arrays('MET_pz[0]')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(events.arrays(5 as never)).rejects.toMatchObject({ code: 'ARGUMENT' });
  });

  test('come in chunks, with the same values', async () => {
    const whole = await events.arrays('MET_pt,Muon_pt,Muon_pt[0]');
    for (const cut of [undefined, 'MET_pt > 30']) {
      const all = await events.arrays('MET_pt,Muon_pt,Muon_pt[0]', { cut });
      const rows: unknown[] = [];
      let chunks = 0;
      for await (const chunk of events.chunks('MET_pt,Muon_pt,Muon_pt[0]', { chunkBytes: 3000, cut })) {
        chunks += 1;
        rows.push(...(chunk['Muon_pt[0]'] ?? []));
        expect(chunk.MET_pt?.length).toBe(chunk.Muon_pt?.length);
      }
      expect(chunks).toBeGreaterThan(1);
      expect(rows).toEqual([...(all['Muon_pt[0]'] ?? [])]);
      expect(rows.length === whole.MET_pt?.length).toBe(cut === undefined);
    }
    let sum = 0;
    for await (const chunk of events.chunks<{ '2*nMuon': number }>(['2*nMuon'])) {
      for (const value of chunk['2*nMuon'].data) sum += value;
    }
    expect(sum).toBe(2 * 5012);
  });
});

describe('draw', () => {
  test('iterates as bins', async () => {
    const h = await events.draw('Dimuon_mass', { cut: 'nMuon == 2', bins: 4, range: [60, 120] });
    const bins = [...h];
    expect(bins.map(({ low, high }) => [low, high])).toEqual([
      [60, 75],
      [75, 90],
      [90, 105],
      [105, 120],
    ]);
    const { MET_pt, Dimuon_mass } = await events.arrays(['MET_pt', 'Dimuon_mass'], { cut: 'nMuon == 2' });
    const masses = [...Dimuon_mass] as number[];
    expect(bins.map(({ count }) => count)).toEqual(
      bins.map(({ low, high }) => masses.filter((mass) => mass >= low && mass < high).length),
    );
    expect([...h.counts]).toEqual(bins.map(({ count }) => count));
    expect([...h.edges]).toEqual([60, 75, 90, 105, 120]);
    const two = await events.draw('MET_pt:Dimuon_mass', {
      cut: 'nMuon == 2',
      bins: [2, 3],
      range: [
        [0, 100],
        [0, 30],
      ],
    });
    const inside = (i: number, low: number, high: number, y: [number, number] | undefined) =>
      (masses[i] ?? -1) >= low &&
      (masses[i] ?? 0) < high &&
      Number(MET_pt.at(i)) >= (y?.[0] ?? 0) &&
      Number(MET_pt.at(i)) < (y?.[1] ?? 0);
    for (const { low, high, y, count } of two) {
      expect(masses.filter((_, i) => inside(i, low, high, y))).toHaveLength(count);
    }
    expect(two.counts).toHaveLength(6);
  });

  test('profiles have means, and texts have labels', async () => {
    const profile = await events.draw('MET_pt:PV_npvs', { option: 'prof', bins: 3, range: [0, 60] });
    const { MET_pt, PV_npvs } = await events.arrays('MET_pt,PV_npvs');
    for (const { low, high, count, mean, error } of profile) {
      const values = [...MET_pt]
        .map(Number)
        .filter((_, i) => Number(PV_npvs.at(i)) >= low && Number(PV_npvs.at(i)) < high);
      expect(count).toBe(values.length);
      if (count === 0) continue;
      const average = values.reduce((sum, value) => sum + value, 0) / count;
      expect(mean).toBeCloseTo(average, 5);
      const spread = values.reduce((sum, value) => sum + (value - average) ** 2, 0) / count;
      expect(error).toBeCloseTo(Math.sqrt(spread / count), 5);
    }
    const texts = [...(await events.draw('trigger'))];
    expect(texts).toHaveLength(6);
    expect(texts[0]).toMatchObject({ low: 0, high: 1, label: expect.stringContaining('HLT') });
    await expect(events.draw('>>list', { cut: 'nMuon > 3' })).rejects.toMatchObject({ code: 'ARGUMENT' });
    const numbers = await events.entryNumbers('nMuon > 3');
    expect([...(await events.arrays('nMuon', { entries: numbers })).nMuon].every((n) => Number(n) > 3)).toBe(
      true,
    );
  });
});

describe('scan', () => {
  test('reads row by row, only as many as requested', async () => {
    const rows = [];
    for await (const row of events.scan('nMuon:Muon_pt[0]', { cut: 'Muon_pt[0]>60', limit: 2 }))
      rows.push(row);
    expect(rows).toEqual([
      { nMuon: 2, 'Muon_pt[0]': 67.5625 },
      { nMuon: 3, 'Muon_pt[0]': 85.5 },
    ]);
    let all = 0;
    for await (const { Muon_pt } of events.scan('Muon_pt', { by: 'instance' }))
      if (Muon_pt !== null) all += 1;
    expect(all).toBe(5012);
  });
});

describe('sources', () => {
  test('an object of two members, bytes, a list of files', async () => {
    const bytes = await readFile(path);
    const reads: [number, number][] = [];
    const own = {
      byteLength: bytes.byteLength,
      slice: async (start: number, end: number) => {
        reads.push([start, end]);
        return bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + end) as ArrayBuffer;
      },
    };
    for (const source of [own, new Uint8Array(bytes), new Blob([bytes])]) {
      const opened = await openRoot(source, { workers });
      expect((await (await opened.tree('Events')).draw('nMuon')).entries).toBe(2400);
      await opened.close();
    }
    expect(reads.length).toBeGreaterThan(1);
    const chain = await openRoot([path, own], { workers });
    expect((await chain.tree('Events')).info.entries).toBe(4800);
    await chain.close();
    const broken = { byteLength: 5000, slice: () => new ArrayBuffer(3) };
    await expect(openRoot(broken, { workers })).rejects.toMatchObject({ code: 'IO' });
    for (const source of [{}, { size: 5, read() {} }, { read: 5, info: 5 }])
      await expect(openRoot(source as never, { workers })).rejects.toMatchObject({ code: 'ARGUMENT' });
  });
});

describe('readers', () => {
  test('are shared until the last file is closed, and files are friends', async () => {
    const other = await openRoot(path, { workers });
    expect(other.reader).toBe(file.reader);
    const tree = await file.tree('Events', { friends: { ex: { file: other, tree: 'Events' } } });
    const { 'ex.nMuon': friend, nMuon } = await tree.arrays(['ex.nMuon', 'nMuon'], { entries: [5, 9] });
    expect([...friend]).toEqual([...nMuon]);
    expect((await tree.draw('ex.nMuon')).entries).toBe(2400);
    await other.close();
    await other.close();
    expect(await file.keys()).not.toHaveLength(0);

    const reader = await openReader({ workers });
    const alone = await openRoot(path, { reader });
    expect(alone.reader).not.toBe(file.reader);
    await expect(
      file.tree('Events', { friends: { ex: { file: alone, tree: 'Events' } } }),
    ).rejects.toMatchObject({ code: 'ARGUMENT', fix: expect.stringContaining('reader') });
    await alone[Symbol.asyncDispose]();
    await expect(alone.keys()).rejects.toMatchObject({ code: 'ARGUMENT' });
    // A reader that was given is not ended by its files.
    const again = await openRoot(path, { reader });
    await again.close();
    reader.terminate();
  });
});
