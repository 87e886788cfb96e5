import { afterEach, expect, test } from 'vitest';
import { XylemError } from '../../web/base/errors';
import type { ByteSource, Range, SourceInfo } from '../../web/io/source';
import { borrowSource, isLent, lendSource } from '../../workers/lent-source';

// Both ends are in this thread; between them are real ports.
const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
const closed: string[] = [];
afterEach(() => closed.splice(0));

function sourceOf(over: Partial<ByteSource> = {}): ByteSource {
  return {
    name: 'a.root',
    concurrency: 3,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    info: () => ({ size: 100 }),
    close: async () => void closed.push('a.root'),
    ...over,
  };
}

test('reads are done by the source of the page, which is closed with the borrowed one', async () => {
  const lent = lendSource(sourceOf());
  expect(isLent(lent)).toBe(true);
  const source = borrowSource(lent);
  expect(source).toMatchObject({ name: 'a.root', concurrency: 3 });
  expect(source.info()).toEqual({ size: 100 });
  let answers = 0;
  expect(await source.read(10, 4, undefined, () => answers++)).toEqual(Uint8Array.of(10, 11, 12, 13));
  expect(answers).toBe(1);
  // A view of what the source keeps was copied and not moved away.
  expect(bytes).toHaveLength(100);
  await source.close?.();
  expect(closed).toEqual(['a.root']);
});

test('what a source learns with a read, the borrowed one knows', async () => {
  let info: SourceInfo = {};
  const source = borrowSource(
    lendSource(
      sourceOf({
        info: () => info,
        read: async () => {
          info = { size: 100, validator: 'v1' };
          return bytes.subarray(0, 1);
        },
      }),
    ),
  );
  expect(source.info()).toEqual({});
  await source.read(0, 1);
  expect(source.info()).toEqual({ size: 100, validator: 'v1' });
  await source.close?.();
});

test('errors keep their code, and a signal ends the read in the page', async () => {
  const source = borrowSource(
    lendSource(
      sourceOf({
        read: (offset, _, signal) =>
          new Promise((_resolve, reject) => {
            if (offset === 0)
              reject(new XylemError({ code: 'NETWORK', message: 'No.', where: { url: 'x' } }));
            signal?.addEventListener('abort', () => {
              closed.push('read');
              reject(new XylemError({ code: 'ABORTED', message: 'Stopped.' }));
            });
          }),
      }),
    ),
  );
  await expect(source.read(0, 1)).rejects.toMatchObject({ code: 'NETWORK', where: { url: 'x' } });
  const stop = new AbortController();
  const read = source.read(1, 1, stop.signal);
  stop.abort();
  await expect(read).rejects.toMatchObject({ code: 'ABORTED' });
  await source.close?.();
  expect(closed).toEqual(['read', 'a.root']);
});

test('ranges that are forgotten are so before the next read', async () => {
  const seen: string[] = [];
  const source = borrowSource(
    lendSource(
      sourceOf({
        forget: (ranges: readonly Range[]) => seen.push(`forget ${ranges.length}`),
        read: async () => {
          seen.push('read');
          return bytes.subarray(0, 1);
        },
      }),
    ),
  );
  source.forget?.([{ offset: 0, length: 1 }]);
  await source.read(0, 1);
  expect(seen).toEqual(['forget 1', 'read']);
  await source.close?.();
});
