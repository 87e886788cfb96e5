// Results of ROOT 6.40 for histograms of fixtures, recorded by judge/record.sh.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { histogramOfObject } from '../../../web/bins/stored-histogram';
import { openRoot } from '../../../web/node';
import { type ByRoot, calculated, compare, nothingChecked } from './by-root';

const bins = resolve('tests/fixtures/files/bins');
const lines = gunzipSync(readFileSync(join(import.meta.dirname, 'judge/recorded.jsonl.gz')))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as ByRoot);

test.each(['bins.root', 'projected.root'])('operations on %s give what ROOT gives', async (file) => {
  await using open = await openRoot(join(bins, file), { workers: 0 });
  const read = async (path: string) => histogramOfObject(await open.object(path));
  const checked = nothingChecked();
  for (const line of lines.filter((one) => one.file === file))
    compare(
      await calculated(line.expression, { h: await read(line.h), g: await read(line.g) }),
      line,
      checked,
    );
  expect(checked.wrong.slice(0, 10)).toEqual([]);
  expect(checked.figures).toBeGreaterThan(5000);
  expect(checked.worst).toBeLessThan(1e-12);
});

test('every operation was recorded', () => {
  const names = new Set(lines.flatMap(({ expression }) => expression.match(/[a-z]+(?=\()/g) ?? []));
  expect([...names].sort()).toEqual(
    'cumulative divide efficiency gate integral means profile project range rebin recount scale smooth snip'.split(
      ' ',
    ),
  );
});
