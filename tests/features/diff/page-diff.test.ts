import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { DIFF_PARTS } from '../../../web/features/diff/work/diff-report';
import '../../../web/features/diff/work/insight';
import { createInsight } from '../../../web/insight/api';
import { runInPage } from '../../../web/verbs/run-in-page';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const path = (name: string): string => resolve(import.meta.dirname, '../../fixtures/files', `${name}.root`);
const reader = withReader();

test.each([
  ['pairs/before', 'pairs/after', undefined],
  ['pairs/after', 'pairs/before', 0.01],
  ['walls/dqm-good', 'walls/dqm', 1e-6],
  ['walls/new', 'pairs/before', undefined],
])('the page finds between %s and %s what the command finds', async (a, b, probability) => {
  const insight = createInsight(reader, async () => runInPage);
  const [older, own] = await Promise.all(
    [a, b].map((name) => reader.open({ kind: 'path', path: path(name) })),
  );
  if (!older || !own) throw new Error('Both files are open.');
  const parts = DIFF_PARTS.filter((part) => part !== 'layout');
  const { files: _, ...found } = await insight.diff(older, own, { parts, probability });
  const more = probability === undefined ? [] : ['--p-value', String(probability)];
  const { out } = await run(reader, 'diff', path(a), path(b), ...more, '--json');
  const { files: __, ...said } = JSON.parse(out);
  // Numbers that JSON does not have are texts there.
  const plain = JSON.parse(
    JSON.stringify(found, (_key, value) =>
      Number.isFinite(value) || typeof value !== 'number' ? value : String(value).toLowerCase(),
    ),
  );
  expect(plain).toEqual(
    JSON.parse(JSON.stringify(said), (_key, value) =>
      typeof value === 'string' ? value.replace(/^Infinity$/, 'infinity') : value,
    ),
  );
});
