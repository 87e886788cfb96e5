import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import type { Histogram } from '../../../web/api/api';
import { program } from '../../cli/program';
import { run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';

// "xylem draw --code": the programs that the page shows under "Use this in".

const root = resolve(import.meta.dirname, '../../..');
const sample = join(root, 'public/sample.root');
const engine = await makeEngine();

async function code(...args: string[]): Promise<string> {
  const { status, out, err } = await run(engine, 'draw', sample, ...args);
  expect(err).toBe('');
  expect(status).toBe(0);
  return out;
}

async function refusal(...args: string[]): Promise<string> {
  const { status, err } = await run(engine, 'draw', sample, ...args);
  expect(status).toBeGreaterThan(0);
  return err;
}

describe('draw --code', () => {
  test('prints a program with the axes that are given, and reads no entries for it', async () => {
    const text = await code('Muon_pt', 'abs(Muon_eta)<1', '--hist', '50,0,100', '--code', 'uproot');
    expect(text).toContain('axes = [(50, 0, 100)]');
    expect(text).toContain('fill(axes, abs(events["Muon_eta"]) < 1, events["Muon_pt"])');
    expect(await code('Muon_pt>>h(50,0,100)', '--code', 'command')).toBe(
      `npx --no xylem draw --bins 50 --range=0:100 ${sample} Events Muon_pt\n`,
    );
  });

  test('finds the axes that drawing has', async () => {
    const drawn = await run(engine, 'draw', sample, 'MET_pt', 'nMuon==2', '--json');
    const [axis] = (JSON.parse(drawn.out) as Histogram).axes;
    const text = await code('MET_pt', 'nMuon==2', '--code', 'rdataframe');
    expect(text).toContain(`100, ${axis?.low}, ${axis?.high}}, "MET_pt")`);
    expect(text).toContain('.Filter("nMuon == 2.")');
  });

  test('says why there is no program, and which options do not go with it', async () => {
    expect(await refusal('MET_pt+rndm', '--code', 'uproot')).toContain(
      'There is no program for uproot: Other tools have other random numbers.',
    );
    expect(await refusal('MET_pt', '--code', 'uproot', '--entries', '0:10')).toContain(
      '--entries does not go with --code.',
    );
    expect(await refusal('MET_pt', '--code', 'bokeh')).toContain('It takes uproot, rdataframe');
    expect(await refusal('MET_ptt', '--code', 'uproot')).toContain('MET_ptt');
    expect(await refusal('Muon_pt', '--code', 'ttree', '--layer', `file=${sample}x`)).not.toBe('');
  });

  const layers = [
    ...['Muon_pt', 'nMuon==2', '--hist', '40,0,80', '--label', 'two'],
    ...['--layer', 'cut=nMuon>2; label=more', '--layer', 'Jet_pt', '--normalise', 'area', '--difference'],
  ];

  it('a command of layers draws them, and a program of the library has their contents', async () => {
    const own = JSON.parse((await run(engine, 'draw', sample, ...layers.slice(0, -3), '--json')).out) as {
      layers: (Histogram & { label: string })[];
    };
    const scaled = own.layers.map(({ sums }) => {
      const within = [...sums].slice(1, -1);
      const all = within.reduce((total, one) => total + one, 0);
      return within.map((one) => one / all);
    });
    const folder = mkdtempSync(join(tmpdir(), 'xylem-code-'));
    try {
      const line = (await code(...layers, '--code', 'command')).trim();
      const text = line
        .replace('npx --no xylem', `"${process.execPath}" "${program}"`)
        .replace('--normalise area ', '')
        .replace('--difference ', '');
      const printed = execFileSync('sh', ['-c', `${text} --json`], { cwd: folder, encoding: 'utf8' });
      expect(line).toContain('--normalise area --difference');
      expect((JSON.parse(printed) as typeof own).layers.map(({ label, sums }) => [label, sums])).toEqual(
        own.layers.map(({ label, sums }) => [label, sums]),
      );
      const script = join(folder, 'code.mjs');
      const entry = pathToFileURL(join(root, 'dist/node.js')).href;
      const library = await code(...layers, '--code', 'library');
      writeFileSync(
        script,
        library
          .replace("'xylem'", `'${entry}'`)
          .replaceAll('console.log(', 'console.log(...[')
          .replace('name, counts);', 'name, JSON.stringify([...counts])]);')
          .replace(/counts\.map\((.*)\)\);/, 'JSON.stringify([...counts.map($1)])]);'),
      );
      const rows = execFileSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
        .trim()
        .split('\n');
      const bins = rows.map((row) => JSON.parse(row.slice(row.indexOf('['))) as number[]);
      const [first = [], ...others] = scaled;
      const wanted = [first, ...others, ...others.map((all) => all.map((one, i) => one - (first[i] ?? 0)))];
      expect(bins.length).toBe(5);
      for (const [k, row] of wanted.entries())
        for (const [i, one] of row.entries()) expect(bins[k]?.[i]).toBeCloseTo(one, 14);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
