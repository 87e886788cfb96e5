import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NodeReader, openReader } from '../../web/node';
import { fixtureFolder } from '../engine/fixtures';
import { run } from './support';

let reader: NodeReader;
beforeAll(async () => {
  reader = await openReader({ workers: 0 });
});
afterAll(() => reader.terminate());

const damaged = join(fixtureFolder, 'damaged/basket_flipped.root');

test.each([[[]], [['--json']]])('values --digest %j of a branch that cannot be read fails', async (more) => {
  const { status, out } = await run(reader, 'values', damaged, 't', '--branches', 'x', '--digest', ...more);
  expect(out).toMatch(/error/);
  expect(status).toBe(1);
});

test('a branch that has no digest is no failure', async () => {
  const strings = join(fixtureFolder, 'strings.root');
  const [tree] = JSON.parse((await run(reader, 'ls', strings, '--json')).out).keys as { path: string }[];
  const { status, out } = await run(reader, 'values', strings, tree?.path ?? '', '--digest');
  expect(out).toMatch(/a digest is of numbers only/);
  expect(status).toBe(0);
});
