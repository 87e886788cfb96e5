import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { commandsText, kindOf, loadKind } from '../../../web/features/chains/work/partial';

const root = resolve(import.meta.dirname, '../../..');

test('docs/features/chains.md has all kinds of partial results, and a row for the sums of each', async () => {
  const names = commandsText('conjunction').split(/, | and /);
  expect(names.length).toBeGreaterThanOrEqual(5);
  const scale = readFileSync(resolve(root, 'docs/features/chains.md'), 'utf8');
  const row = /^\| `kind` \| (.*) \|$/m.exec(scale)?.[1] ?? '';
  expect([...row.matchAll(/`"(\w+)"`/g)].map(([, name]) => name)).toEqual(names);
  for (const name of names) {
    if (!(await loadKind(name))) throw new Error(`${name} is no kind`);
    const { member, words } = kindOf(name);
    expect(scale).toMatch(new RegExp(`^\\| \`${member}\` \\| .{10,} \\|$`, 'm'));
    expect(scale).toMatch(new RegExp(`^ +xylem ${name} .*--partial `, 'm'));
    expect(words).toMatch(/^[a-z]/);
  }
});
