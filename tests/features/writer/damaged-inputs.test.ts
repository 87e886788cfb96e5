import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/support';
import { fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const folder = mkdtempSync(join(tmpdir(), 'xylem-damaged-'));
const at = (name: string) => join(folder, name);
const reader = withReader(makeEngine);
beforeAll(() => {
  const whole = fixtureBytes('histograms');
  writeFileSync(at('whole.root'), whole);
  writeFileSync(at('cut.root'), whole.subarray(0, whole.length - 300));
  writeFileSync(at('empty.root'), '');
  writeFileSync(at('text.root'), 'This is no ROOT file. '.repeat(20));
});
afterAll(() => rmSync(folder, { recursive: true }));

const merge = (input: string, ...more: string[]) =>
  run(reader, 'merge', at('out.root'), at('whole.root'), at(input), '--force', ...more);

test.each([[], ['--dry-run'], ['--schema', 'union']])(
  'an input whose keys were recovered is told, %j',
  async (...more) => {
    const { status, err, out } = await merge('cut.root', ...more);
    expect(status).toBe(1);
    expect(err + out).toMatch(/left out: .*cut\.root: The file has \d+ bytes, but .*others may be lost/);
    expect((await merge('whole.root', ...more)).status).toBe(0);
  },
);

test.each(['empty.root', 'text.root'])('the error of %s names the file', async (input) => {
  const { status, err } = await merge(input);
  expect(status).toBe(1);
  expect(err).toMatch(/^xylem: .*(empty|text)\.root: /);
});
