import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PerfReport } from '../../../web/api/reading';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const sample = join(import.meta.dirname, '../../../public/sample.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-by-'));
const at = (name: string) => join(folder, name);
const JOB = ['MET_pt', 'Muon_pt', 'event'];
const reader = withReader();
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Ranges of the file that reading the job's branches cluster by cluster needs. */
async function requestsOf(path: string): Promise<number> {
  const { id } = await reader.open({ kind: 'path', path });
  const { tree, basketStart, offset, storedBytes, firstEntry, clusterStart } = await reader.layout(
    id,
    'Events',
  );
  let requests = 0;
  for (const [k, from] of clusterStart.entries()) {
    const to = clusterStart[k + 1] ?? tree.entries;
    const wanted: [number, number][] = [];
    for (const { name, index } of tree.branches)
      for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++)
        if ([...JOB, 'nMuon'].includes(name) && (firstEntry[i] ?? 0) >= from && (firstEntry[i] ?? 0) < to)
          wanted.push([offset[i] ?? 0, (offset[i] ?? 0) + (storedBytes[i] ?? 0)]);
    wanted.sort((a, b) => a[0] - b[0]);
    requests += wanted.filter(([begin], i) => begin !== wanted[i - 1]?.[1]).length;
  }
  return requests;
}

test('a file that is healed by a trace has the branches of its job together', async () => {
  const [trace, plain, traced] = [at('perf.json'), at('plain.root'), at('traced.root')];
  const perf = await run(reader, 'perf', sample, 'Events', '--branches', JOB.join(), '--save', trace);
  expect(perf).toMatchObject({ status: 0 });
  expect(await run(reader, 'heal', sample, plain)).toMatchObject({ status: 0 });
  expect(await run(reader, 'heal', sample, traced, '--by', trace)).toMatchObject({ status: 0 });
  expect(await run(reader, 'diff', sample, traced)).toMatchObject({ status: 0 });
  const clusters = 3;
  expect(await requestsOf(sample)).toBeGreaterThan(2 * clusters);
  expect(await requestsOf(plain)).toBe(2 * clusters);
  expect(await requestsOf(traced)).toBe(clusters);
  const rebasketed = at('rebasketed.root');
  const regroup = ['--level', 'rebasket', '--cluster-bytes', '50kB', '--by', trace];
  expect(await run(reader, 'heal', sample, rebasketed, ...regroup)).toMatchObject({ status: 0 });
  const { id } = await reader.open({ kind: 'path', path: rebasketed });
  expect(await requestsOf(rebasketed)).toBe((await reader.layout(id, 'Events')).clusterStart.length);
});

test('a trace of ROOT knows places only, and one that does not fit is refused', async () => {
  const { id } = await reader.open({ kind: 'path', path: sample });
  const { tree, basketStart, offset, storedBytes } = await reader.layout(id, 'Events');
  const { chosen, ...report } = JSON.parse(
    (await run(reader, 'perf', sample, 'Events', '--branches', 'run', '--json')).out,
  );
  expect(chosen).toEqual(['run']);
  const met = tree.branches.find(({ name }) => name === 'MET_pt')?.index ?? -1;
  const places = [...offset.keys()].slice(basketStart[met], basketStart[met + 1]);
  const [read] = report.reads;
  const reads = places.map((i) => ({
    ...(read as PerfReport['reads'][number]),
    ...{ offset: offset[i] ?? 0, length: storedBytes[i] ?? 0, purpose: '', branches: [], origin: 'disk' },
  }));
  const save = (name: string, changes: object) => {
    writeFileSync(at(name), JSON.stringify({ ...report, by: 'ROOT', reads, ...changes }));
    return ['heal', sample, at('out.root'), '--force', '--by', at(name)];
  };
  expect(await run(reader, ...save('root.json', {}))).toMatchObject({ status: 0 });
  const healed = await reader.open({ kind: 'path', path: at('out.root') });
  const after = await reader.layout(healed.id, 'Events');
  expect(after.offset[after.basketStart[met] ?? 0]).toBe(Math.min(...after.offset));
  expect((await run(reader, ...save('other.json', { tree: 'nosuch' }))).err).toContain('NOT_FOUND');
  expect((await run(reader, ...save('empty.json', { reads: [] }))).err).toContain('ARGUMENT');
  expect((await run(reader, ...save('level.json', {}), '--level', 'clusters')).err).toContain('ARGUMENT');
});
