import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Histogram } from '../../../web/api/api';
import { histogramOfObject } from '../../../web/bins/stored-histogram';
import { draw } from '../../../web/features/mcp/cli/draw';
import { openRoot, type RootHandle } from '../../../web/node';
import { statNumber } from '../../../web/plot/model';
import { members, near } from '../../bins/by-root';
import { drawings, STORED_FILE, stored, TREE_FILE } from '../../bins/recorded';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { makeCall } from './mcp-call';

const fixtures = resolve('tests/fixtures/files');
const file = resolve(fixtures, STORED_FILE);
const tree = resolve(fixtures, TREE_FILE);

const reader = withReader();
let handle: RootHandle;
let other: RootHandle;
beforeAll(async () => {
  handle = await openRoot(file, { workers: 0 });
  other = await openRoot(tree, { workers: 0 });
});
afterAll(async () => {
  await handle.close();
  await other.close();
});

/** The statistics that a face tells, by their labels: "Mean x". */
type Told = Map<string, string>;

/** The numbers of "Entries 60   Mean x 2.1617   Std dev x 1.23401". */
function ofText(out: string): Told {
  const words = out.slice(out.lastIndexOf('Entries')).split(/ {3}|\n/);
  return new Map(
    words.map((part) => [part.slice(0, part.lastIndexOf(' ')), part.slice(part.lastIndexOf(' ') + 1)]),
  );
}

/** The numbers beside their labels in a picture. */
function ofPicture(svg: string): Told {
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
  // The first ones: "Entries" is a title of an axis, too.
  return new Map(texts.map((text, i): [string, string] => [text, texts[i + 1] ?? '']).toReversed());
}

function expectTold(told: Told, { fills, mean, stdDev }: Histogram, axes: number, face: string): void {
  expect(told.get('Entries'), face).toBe(statNumber(fills));
  for (let i = 0; i < axes; i++) {
    const of = axes > 1 ? ` ${'xyz'[i]}` : '';
    expect(told.get(`Mean${of}`), `${face}: mean${of}`).toBe(statNumber(mean[i] ?? Number.NaN));
    expect(told.get(`Std dev${of}`), `${face}: deviation${of}`).toBe(statNumber(stdDev[i] ?? Number.NaN));
  }
}

/** Compares two answers in numbers, to the last bit. */
function expectAlike(
  found: Pick<Histogram, 'fills' | 'mean' | 'stdDev'>,
  wanted: Histogram,
  face: string,
): void {
  expect(found.fills, face).toBe(wanted.fills);
  expect([...found.mean], face).toEqual(wanted.mean);
  expect([...found.stdDev], face).toEqual(wanted.stdDev);
}

async function printed(...args: string[]): Promise<string> {
  const { out, err, status } = await run(reader, 'draw', ...args);
  expect(status, err).toBe(0);
  return out;
}

test.each(stored)(
  '%s has one mean in all faces, that of ROOT',
  async (name, { means, deviations, entries }) => {
    const found = await handle.histogram(name);
    near(found.fills, entries, 'entries');
    for (const [i, mean] of means.entries()) near(found.mean[i], mean, `mean ${i}`);
    for (const [i, spread] of deviations.entries())
      if (spread !== null) near(found.stdDev[i], spread, `deviation ${i}`);
    expectAlike(histogramOfObject(members(await printed(file, name, '--json'))), found, 'draw --json');
    expectTold(ofText(await printed(file, name)), found, means.length, 'draw');
    expectTold(ofPicture(await printed(file, name, '--svg', '-')), found, means.length, 'draw --svg');
    const { text, picture } = await draw.run({ file, object: name, picture: 'svg' }, makeCall(reader));
    expectAlike(JSON.parse(text), found, 'mcp');
    expectTold(ofPicture(new TextDecoder().decode(picture?.bytes)), found, means.length, 'picture of mcp');
  },
);

test.each(drawings)('$expr {$cut} $option has one mean in all faces, that of ROOT', async (one) => {
  const { expr, cut, option, entries, means, deviations } = one;
  const found = (await (await other.tree('t')).draw(expr, { cut, option })) as Histogram;
  near(found.fills, entries, 'entries');
  for (const [i, mean] of means.entries()) near(found.mean[i], mean, `mean ${i}`);
  for (const [i, spread] of deviations.entries()) near(found.stdDev[i], spread, `deviation ${i}`);
  const words = [tree, 't', expr, ...(cut ? [cut] : [])];
  // A cut may begin with a minus sign.
  const asked = (...more: string[]) =>
    printed(...more, ...(option ? ['--option', option] : []), '--', ...words);
  const axes = found.mean.length;
  expectAlike(JSON.parse(await asked('--json')), found, 'draw --json');
  expectTold(ofText(await asked()), found, axes, 'draw');
  expectTold(ofPicture(await asked('--svg', '-')), found, axes, 'draw --svg');
  const input = { file: tree, tree: 't', expression: expr, cut, option, picture: 'svg' };
  const { text, picture } = await draw.run(input, makeCall(reader));
  expectAlike(JSON.parse(text), found, 'mcp');
  expectTold(ofPicture(new TextDecoder().decode(picture?.bytes)), found, axes, 'picture of mcp');
});
