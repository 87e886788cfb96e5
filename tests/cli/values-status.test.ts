import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtureFolder } from '../engine/fixtures';
import { withReader } from '../engine-reader';
import { run } from './support';

const reader = withReader();

const damaged = join(fixtureFolder, 'damaged/basket_flipped.root');

test.each([[], ['--digest'], ['--raw'], ['--entries', '0:5']])(
  'values end with status 1 where a branch is damaged; JSON has the error of that branch (%s %s)',
  async (...more) => {
    const part = await run(reader, 'values', damaged, 't', ...more);
    expect(part.status).toBe(1);
    expect(part.out + part.err).toMatch(/error|damaged/);
    const whole = await run(reader, 'values', damaged, 't', '--branches', 'n', ...more);
    expect(whole.status).toBe(0);
    const json = await run(reader, 'values', damaged, 't', ...more, '--json');
    expect(json.status).toBe(0);
    expect(JSON.parse(json.out).branches.x).toEqual({ error: expect.stringContaining('damaged') });
  },
);

test('a branch that cannot be decoded is no failure: a sound file has no values of it either', async () => {
  const file = join(fixtureFolder, 'no_offsets.root');
  for (const more of [[], ['--json']]) {
    const { status, out, err } = await run(reader, 'values', file, 't', '--raw', ...more);
    expect(out + err).toMatch(/offsets/);
    expect(status).toBe(0);
  }
});

test('a branch that has no digest is no failure', async () => {
  const strings = join(fixtureFolder, 'strings.root');
  const [tree] = JSON.parse((await run(reader, 'ls', strings, '--json')).out).keys as { path: string }[];
  const { status, out } = await run(reader, 'values', strings, tree?.path ?? '', '--digest');
  expect(out).toMatch(/a digest is of numbers only/);
  expect(status).toBe(0);
});

test('a summary ends with status 1 where values of a branch cannot be read, as draw does', async () => {
  for (const more of [[], ['--json']]) {
    const whole = await run(reader, 'summary', damaged, 't', '--branches', 'n', ...more);
    expect(whole.status).toBe(0);
    const part = await run(reader, 'summary', damaged, 't', ...more);
    expect(part).toMatchObject({ status: 1, out: expect.stringContaining('the data is damaged') });
  }
});

test('numbers in lists of lists have no digest, which is no failure', async () => {
  const lists = join(fixtureFolder, 'collections_split99.root');
  const { status, out } = await run(reader, 'values', lists, 't', '--digest');
  expect(out).toMatch(/A digest is for flat or singly jagged numbers/);
  expect(status).toBe(0);
});
