import { afterAll, beforeAll } from 'vitest';
import { type EngineApi, engineOf } from '../web/api/engine-api';
import type { EngineReader } from '../web/api/reader';
import { type NodeReaderOptions, openReader as open } from '../web/node';

/** A reader as `openReader` gives it, with the calls that only xylem makes. */
export async function openReader(options?: NodeReaderOptions): Promise<EngineReader> {
  return engineOf(await open(options));
}

/**
 * A reader for all tests of a file: made before them and ended after them. It may be used in tests and in hooks that are
 * registered later.
 */
export function withReader(): EngineReader;
export function withReader<R extends EngineApi>(make: () => Promise<R>): R;
export function withReader(
  make: () => Promise<EngineApi & Partial<EngineReader>> = () => openReader({ workers: 0 }),
): EngineApi {
  const reader: EngineApi & Partial<EngineReader> = {} as EngineApi;
  beforeAll(async () => {
    Object.defineProperties(reader, Object.getOwnPropertyDescriptors(await make()));
  });
  afterAll(() => reader.terminate?.());
  return reader;
}
