import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { openCorrections, openEventList, openGoodRuns, openRoot, pileupWeights } from '../../../web/node';

const folder = mkdtempSync(join(tmpdir(), 'xylem-corrections-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const sample = resolve(import.meta.dirname, '../../../public/sample.root');

const SF = {
  schema_version: 2,
  corrections: [
    {
      name: 'muon',
      version: 1,
      inputs: [
        { name: 'pt', type: 'real' },
        { name: 'kind', type: 'string' },
      ],
      output: { name: 'sf', type: 'real' },
      data: {
        nodetype: 'category',
        input: 'kind',
        content: [
          {
            key: 'nominal',
            value: {
              nodetype: 'binning',
              input: 'pt',
              edges: [0.0, 20.0, 'inf'],
              content: [0.9, 1.1],
              flow: 'error',
            },
          },
        ],
      },
    },
  ],
};
writeFileSync(at('sf.json.gz'), gzipSync(JSON.stringify(SF)));
writeFileSync(at('Cert.json'), '{"1": [[0, 499]]}');
writeFileSync(at('events.txt'), '# chosen\n1:0:5\n1, 0, 17\n');
writeFileSync(
  at('selector.mjs'),
  `let sf;
let good;
let weights;
export default {
  files: { sf: 'sf.json.gz', runs: 'Cert.json', chosen: 'events.txt' },
  branches: { pt: 'Muon_pt', n: 'nMuon' },
  begin(job) {
    sf = job.corrections('sf').get('muon');
    good = job.goodRuns('Cert.json');
    weights = job.pileup({ data: [1, 2, 1], simulation: [1, 1, 2] });
    return { sum: job.counter(), good: job.counter(), chosen: job.counter(), pileup: job.counter() };
  },
  entry({ pt, n }, out, { entry: event, goodRuns, eventList }) {
    for (const one of pt) out.sum.add(sf.evaluate(one, 'nominal'));
    if (good.good(1, event) && goodRuns('runs') === good) out.good.add();
    if (eventList('chosen').has(1, 0, event)) out.chosen.add();
    out.pileup.add(weights.weight(n));
  },
};`,
);

test('a selector has the corrections and lists of the files that it declares', async () => {
  const file = await openRoot(sample, { workers: 0 });
  const tree = await file.tree('Events');
  const { results } = await tree.process<Record<string, number>>(pathToFileURL(at('selector.mjs')));
  const { Muon_pt, nMuon } = await tree.arrays(['Muon_pt', 'nMuon']);
  const pts = [...Muon_pt].flatMap((list) => [...(list as Iterable<number>)]);
  const counts = [...nMuon].map(Number);
  let sum = 0;
  for (const one of pts) sum += one < 20 ? 0.9 : 1.1;
  expect(results.sum).toBeCloseTo(sum, 6);
  expect(results.good).toBe(Math.min(500, counts.length));
  expect(results.chosen).toBe(2);
  const weight = [1, 2, 0.5];
  expect(results.pileup).toBeCloseTo(
    counts.reduce((all, one) => all + (weight[one] ?? 0), 0),
    9,
  );
  await file.close();
});

test('the library opens the same files by their paths, and bytes in memory', async () => {
  const set = await openCorrections(at('sf.json.gz'));
  expect(set.get('muon').evaluate(25, 'nominal')).toBe(1.1);
  expect([...set.get('muon').evaluate([5, 20, 30], 'nominal')]).toEqual([0.9, 1.1, 1.1]);
  const same = await openCorrections(new TextEncoder().encode(JSON.stringify(SF)));
  expect(same.corrections.map(({ name }) => name)).toEqual(['muon']);
  expect((await openGoodRuns(at('Cert.json'))).good(1, 499)).toBe(true);
  expect((await openEventList(at('events.txt'))).has(1, 0, 17n)).toBe(true);
  expect((await pileupWeights({ data: [1, 3], simulation: [1, 1], max: 1.2 })).nominal[1]).toBe(1.2);
  await expect(openCorrections(at('absent.json'))).rejects.toThrow(/absent.json/);
  await expect(openCorrections(new Uint8Array([0x1f, 0x8b, 1, 2]))).rejects.toThrow(
    'gzip that cannot be unpacked',
  );
});
