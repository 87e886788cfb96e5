import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DrawRequest, Histogram } from '../../web/api/api';
import { rootJson } from '../../web/bins/to-root';
import { uhiJson } from '../../web/bins/to-uhi';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';
import { lacks } from '../needs';
import { oraclePython } from '../oracle';

async function filled(request: Omit<DrawRequest, 'tree'>): Promise<Histogram> {
  const engine = await makeEngine();
  const { id } = await engine.open(bufferSpec('codec_zlib', fixtureBytes('codec_zlib')));
  const result = await engine.draw(id, { tree: 't', ...request });
  if (result.kind !== 'histogram') throw new Error(result.kind);
  return result;
}

/** Runs a Python program with the text in the file that it is given. */
function python(program: string, text: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-histogram-'));
  try {
    const file = join(folder, 'h.json');
    writeFileSync(file, text);
    return JSON.parse(
      execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', program, file], { encoding: 'utf8' }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const one: Omit<DrawRequest, 'tree'> = { expr: 'n>>h(6,0,6)', cut: 'regular%3+1' };
const two: Omit<DrawRequest, 'tree'> = { expr: 'regular%7:n>>h(5,0,5,4,0,8)' };

describe('a histogram for other tools', () => {
  it('as UHI: axes, lists with the flow, x outermost, variances where weighted', async () => {
    const plain = await filled(two);
    const uhi = JSON.parse(uhiJson(plain)) as {
      axes: { bins: number }[];
      storage: { type: string; values: number[][] };
    };
    expect(uhi.axes.map(({ bins }) => bins)).toEqual([5, 4]);
    expect(uhi.storage.type).toBe('double');
    expect(uhi.storage.values).toHaveLength(7);
    expect(uhi.storage.values[2]).toHaveLength(6);
    // Cell (x 2, y 1): x runs fastest in our own order.
    expect(uhi.storage.values[2]?.[1]).toBe(plain.sums[1 * 7 + 2]);
    const weighted = JSON.parse(uhiJson(await filled(one))) as {
      storage: { type: string; variances: number[] };
    };
    expect(weighted.storage.type).toBe('weighted');
    expect(weighted.storage.variances).toHaveLength(8);
  });

  it('refuses what it would tell wrongly', async () => {
    const profile = await filled({ expr: 'noise:n>>h(5,0,5)', option: 'prof' });
    expect(() => uhiJson(profile)).toThrow(/profile/);
    const plain = await filled(one);
    const [sums, squares] = [plain.sums.slice(), plain.squares.slice()];
    sums[2] = squares[2] = Number.NaN;
    expect(uhiJson({ ...plain, sums, squares })).toContain('null');
    sums[3] = Number.NEGATIVE_INFINITY;
    expect(() => uhiJson({ ...plain, sums, squares })).toThrow(/infinite/);
    const cube = await filled({ expr: 'n:regular:noise>>h(3,0,3,3,0,3,3,0,3)' });
    expect(JSON.parse(rootJson(cube))).toMatchObject({ _typename: 'TH3D', fTsumwxz: expect.any(Number) });
  });

  it.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
    'is read by ROOT: contents, errors, statistics',
    { timeout: 180_000 },
    async () => {
      const program = `
import json, sys, ROOT
h = ROOT.TBufferJSON.ConvertFromJSON(open(sys.argv[1]).read())
print(json.dumps({"class": h.ClassName(), "cells": [h.GetBinContent(i) for i in range(h.GetNcells())],
  "errors": [h.GetBinError(i) for i in range(h.GetNcells())], "mean": h.GetMean(), "std": h.GetStdDev(),
  "entries": h.GetEntries(), "effective": h.GetEffectiveEntries()}))`;
      for (const request of [one, two]) {
        const histogram = await filled(request);
        const read = python(program, rootJson(histogram)) as Record<string, number[] | number | string>;
        expect(read.class).toBe(request === one ? 'TH1D' : 'TH2D');
        expect(read.cells).toEqual([...histogram.sums]);
        (read.errors as number[]).forEach((error, i) => {
          expect(error).toBeCloseTo(Math.sqrt(histogram.squares[i] ?? 0), 9);
        });
        expect(read.mean).toBeCloseTo(histogram.mean[0] ?? 0, 9);
        expect(read.std).toBeCloseTo(histogram.stdDev[0] ?? 0, 9);
        expect(read.entries).toBe(histogram.fills);
        expect(read.effective).toBeCloseTo(histogram.effective, 6);
      }
      const profile = await filled({ expr: 'noise:n>>h(5,0,5)', option: 'prof' });
      const read = python(program, rootJson(profile)) as { class: string; cells: number[] };
      expect(read.class).toBe('TProfile');
      expect(read.cells[2]).toBeCloseTo((profile.sums[2] ?? 0) / (profile.weights?.[2] ?? 0), 12);
    },
  );

  it.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
    'is read by boost-histogram through UHI',
    { timeout: 180_000 },
    async () => {
      const program = `
import json, sys
try:
    import boost_histogram as bh, uhi.io.json as uj
except ImportError:
    print("null"); sys.exit()
h = bh.Histogram(json.load(open(sys.argv[1]), object_hook=uj.object_hook))
print(json.dumps({"values": h.values(flow=True).T.ravel().tolist(), "variances": h.variances(flow=True).T.ravel().tolist()}))`;
      for (const request of [one, two]) {
        const histogram = await filled(request);
        const read = python(program, uhiJson(histogram)) as { values: number[]; variances: number[] } | null;
        if (read === null) continue;
        expect(read.values).toEqual([...histogram.sums]);
        expect(read.variances).toEqual([...histogram.squares]);
      }
    },
  );
});
