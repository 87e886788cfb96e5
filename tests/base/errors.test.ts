import { expect, test } from 'vitest';
import { fromRecord, isPartMissing, toXylemError, XylemError } from '../../web/base/errors';

test('an error crosses two boundaries with all it says', () => {
  const error = new XylemError({
    code: 'IO',
    message: 'It failed.',
    where: { offset: 5 },
    fix: 'Repair it.',
    cause: new Error('why'),
  });
  const record = error.toRecord();
  expect(structuredClone(record)).toEqual({
    code: 'IO',
    message: 'It failed.',
    where: { offset: 5 },
    fix: 'Repair it.',
    cause: 'why',
  });
  expect(fromRecord(fromRecord(record).toRecord()).toRecord()).toEqual(record);
});

test('what is known of the place is kept when more is added', () => {
  const error = new XylemError({ code: 'IO', message: 'no', where: { offset: 5 } }).at({
    offset: 1,
    path: 'a',
  });
  expect(error.where).toEqual({ offset: 5, path: 'a' });
});

test('whatever is thrown becomes a XylemError', () => {
  expect(toXylemError(new DOMException('stop', 'AbortError')).code).toBe('ABORTED');
  expect(toXylemError('odd')).toMatchObject({ code: 'INTERNAL', message: 'odd' });
});

test.each([
  ['Chromium', 'Failed to fetch dynamically imported module: https://x/assets/plot-1.js'],
  ['Firefox', 'error loading dynamically imported module: https://x/assets/plot-1.js'],
  ['Safari', 'Importing a module script failed.'],
])('a part of xylem that does not come is a matter of the network in %s', (_, message) => {
  const error = toXylemError(new TypeError(message));
  expect(error).toMatchObject({ code: 'NETWORK', fix: expect.stringContaining('load the page again') });
  // It is known again after it came from a worker.
  expect(isPartMissing(fromRecord(error.toRecord()))).toBe(true);
  expect(isPartMissing(toXylemError(new TypeError('Failed to fetch')))).toBe(false);
});
