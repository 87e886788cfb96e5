import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtureFolder } from '../engine/fixtures';
import { openReader } from '../engine-reader';
import { run } from './support';

const at = (name: string) => join(fixtureFolder, 'missing', `${name}.root`);

test.each(['claimed', 'none', 'short', 'unfilled'])(
  'values of a chain with a file that lacks entries (%s): those of the other files are shown',
  async (name) => {
    const reader = await openReader({ workers: 0 });
    const chain = `${at('whole')},${at(name)},${at('whole')}`;
    const ran = await run(reader, 'values', chain, 't', '--branches', 'x,y', '--entries', ':');
    const rows = ran.out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'));
    const whole = (await run(reader, 'values', at('whole'), 't', '--branches', 'x,y', '--entries', ':')).out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t').slice(1));
    expect(rows.map(([entry]) => entry)).toEqual(Array.from({ length: 180 }, (_, i) => String(i)));
    expect(rows.slice(0, 60).map((row) => row.slice(1))).toEqual(whole);
    expect(rows.slice(120).map((row) => row.slice(1))).toEqual(whole);
    expect(rows.slice(60, 120).map(([, x]) => x)).toEqual(whole.map(([x]) => x));
    expect(rows.slice(60, 120).map(([, , y]) => y)).toContain('?');
    expect(rows.flat()).not.toContain('nan');
    expect(ran.status).toBe(1);
    expect(ran.err).toContain(`${name}.root`);
  },
);

test('many bad files in a row do not end the values of the next one', async () => {
  const reader = await openReader({ workers: 0 });
  const chain = [...Array(5).fill(at('none')), at('whole')].join(',');
  const ran = await run(reader, 'values', chain, 't', '--branches', 'y', '--entries', ':');
  expect(ran.out.trimEnd().split('\n')).toHaveLength(361);
  expect(ran.out.trimEnd().split('\n').slice(-60).join()).not.toContain('?');
});
