import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpSource } from '../../web/io/http-source';
import { createReader } from '../../web/io/reader';
import type { Range } from '../../web/io/source';
import { type RunningServer, realServers, startRealServer } from '../servers/real-servers';

const file = new Uint8Array(3_000_000).map((_, index) => (index * 7919) >> 5);
const scattered: Range[] = Array.from({ length: 500 }, (_, i) => ({
  offset: 70_000 + i * 5000,
  length: 40 + (i % 50),
}));

let running: RunningServer | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

describe.each(Object.entries(realServers))('%s', (_name, server) => {
  const there = test.skipIf(server.program === undefined);

  async function start(): Promise<string> {
    running = await startRealServer(server, file);
    return running.url;
  }

  there('ranges, many ranges at once and the end of the file are the bytes of the file', async () => {
    const source = createHttpSource(await start());
    const reader = createReader(source);
    const [head] = await reader.read([{ offset: 0, length: 65_536 }]);
    expect(Buffer.compare(head ?? file, file.subarray(0, 65_536))).toBe(0);
    const parts = await reader.read(scattered);
    const wrong = scattered.filter(
      ({ offset, length }, i) =>
        Buffer.compare(parts[i] ?? file, file.subarray(offset, offset + length)) !== 0,
    );
    expect(wrong).toEqual([]);
    const several = reader.trace.records().filter(({ parts: count }) => (count ?? 0) > 1);
    expect(several.reduce((sum, { parts: count = 0 }) => sum + count, 0)).toBe(scattered.length);
    expect(source.maxParts).toBeGreaterThan(1);
    const [end] = await reader.read([{ offset: file.length - 100, length: 5000 }]);
    expect(end).toEqual(file.subarray(-100));
    expect(source.info()).toMatchObject({ size: file.length });
    await expect(reader.read([{ offset: file.length, length: 1 }])).rejects.toMatchObject({
      code: 'TRUNCATED',
    });
  });

  there('a file that is replaced gives FILE_CHANGED', async () => {
    const reader = createReader(createHttpSource(await start()));
    await reader.read([{ offset: 0, length: 65_536 }]);
    writeFileSync(running?.path ?? '', file.slice(0, file.length - 1).reverse());
    await expect(reader.read(scattered)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    await expect(reader.read([{ offset: 2_900_000, length: 10 }])).rejects.toMatchObject({
      code: 'FILE_CHANGED',
    });
  });
});
