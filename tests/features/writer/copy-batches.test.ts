import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileSink, mergeRoot, type Sink, writeRoot } from '../../../web/node';
import { memorySink } from '../../../web/sinks/sink';

const folder = mkdtempSync(join(tmpdir(), 'xylem-batches-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A sink in memory that remembers the longest bytes that came at once. */
function measuredSink(): Sink & { longest(): number; bytes(): Uint8Array } {
  const memory = memorySink();
  let longest = 0;
  return {
    ...memory,
    name: 'merged.root',
    write(at, bytes) {
      longest = Math.max(longest, bytes.length);
      return memory.write(at, bytes);
    },
    longest: () => longest,
  };
}

test('baskets of local files are copied at most 1 MiB at a time, with the same product', async () => {
  const path = join(folder, 'random.root');
  await writeRoot(fileSink(path, { replace: true }), async (file) => {
    const words = () => crypto.getRandomValues(new Uint32Array(16_000));
    const columns = Array.from({ length: 30 }, (_, i) => [`x${i}`, Float64Array.from(words())]);
    const tree = await file.tree('t');
    await tree.append(Object.fromEntries(columns));
  });
  const options = { reproducible: true };
  const [local, given] = [measuredSink(), measuredSink()];
  await mergeRoot([path, path], local, options);
  const bytes = readFileSync(path);
  await mergeRoot([bytes, bytes], given, options);
  expect(local.longest()).toBeLessThanOrEqual(1024 * 1024);
  expect(given.longest()).toBeGreaterThan(2 * 1024 * 1024);
  expect(Buffer.compare(local.bytes(), given.bytes())).toBe(0);
});
