import { expect, test, vi } from 'vitest';
import { withNotes } from '../../web/report/report';
import { runInPage } from '../../web/verbs/run-in-page';
import { type AnyVerb, verb } from '../../web/verbs/verb';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

const counted: AnyVerb = verb({
  name: 'counted',
  words: 'FILE',
  about: 'Counts the keys of a file.',
  params: {},
  json: '{"keys"}',
  run: (_params, { withFile, note }) =>
    withFile('', async (file) => {
      note(`read from ${file.info.name}`);
      return { keys: (await file.keys()).length };
    }),
  report: ({ keys }) => ({ title: `${keys} keys`, notes: ['without deleted ones'] }),
});

vi.mock('../../web/verbs/page', () => ({
  pageVerbs: { counted: { label: 'Counted', words: '', on: ['file'], load: async () => counted } },
}));

test('the remarks that a verb makes while it runs are in the report of the page', async () => {
  const reader = await makeEngine();
  const info = await reader.open(bufferSpec('clusters', fixtureBytes('clusters')));
  const { result, notes } = await runInPage(reader, info, 'counted', {});
  const report = counted.report(result, {});
  expect(withNotes(report, notes)).toEqual({
    title: '1 keys',
    notes: ['without deleted ones', `read from ${info.name}`],
  });
  expect(withNotes(report, [])).toBe(report);
});
