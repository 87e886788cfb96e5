import { expect, test } from 'vitest';
import { progressText } from '../../web/cli/context';

const step = { label: 'Copying', bytesDone: 30e6, bytesTotal: 120e6, entriesDone: 0, entriesTotal: 0 };

test.each([
  [
    'bytes have a rate and the time that is left',
    step,
    { ms: 500, bytes: 20e6 },
    'Copying 25 %, 40.0 MB/s, 2.25 s left',
  ],
  ['the first report has none', step, { ms: 0, bytes: 0 }, 'Copying 25 %'],
  [
    'entries have a part only',
    { ...step, bytesTotal: 0, entriesDone: 1, entriesTotal: 3 },
    { ms: 500, bytes: 20e6 },
    'Copying 33 %',
  ],
  [
    'a server that does not answer is said, and the number of the try',
    {
      ...step,
      bytesTotal: 0,
      requests: { left: 3, trouble: { silentMs: 7100, tried: 2, tries: 4, nextMs: 0 } },
    },
    { ms: 500, bytes: 20e6 },
    'The server does not answer; trying again (2 of 4), for 7 s.',
  ],
  ['nothing is said of an unknown total', { ...step, bytesTotal: 0 }, { ms: 500, bytes: 20e6 }, undefined],
] as const)('%s', (_, progress, since, wanted) => {
  expect(progressText(progress, since)).toBe(wanted);
});
