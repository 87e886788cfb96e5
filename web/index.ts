/** The library for browsers. */

import type { WholeSource } from './api/api';
import type { XylemReader } from './insight/api';
import { type OldReaderNames, withOldNames } from './library/old-names';
import { type OpenOptions, openWith, ownLease, type RootHandle } from './library/open-root';
import { createSharedReaders } from './library/shared-readers';
import type { RootSource } from './library/sources';
import { type ReaderOptions, createReader as startReader } from './reader';

export type { WorkerReader } from '../workers/client';
export * from './public';
export type { ReaderOptions } from './reader';

/**
 * Starts a reader: its engine and decoders run in workers, so the page is never blocked. End it with
 * `terminate()`. All its methods reject with XylemError.
 */
export function createReader(options?: ReaderOptions): XylemReader & OldReaderNames {
  return withOldNames(startReader(options));
}

/** Returns the same as `createReader`, under the name and in the form that it has in Node. */
export async function openReader(options?: ReaderOptions): Promise<XylemReader & OldReaderNames> {
  return createReader(options);
}

const lease = createSharedReaders(createReader);

/**
 * Opens a ROOT file: an address, a Blob or File, bytes in memory, a byte source of one's own, or a list of
 * those whose trees are read as one. All files of a page share one reader, which ends when the last is
 * closed. Throws the errors of opening.
 */
export async function openRoot(
  source: RootSource,
  options: OpenOptions & ReaderOptions = {},
): Promise<RootHandle> {
  const { worker, wasm, math, encoder, reader, ...call } = options;
  return openWith(
    reader ? ownLease(reader) : lease({ worker, wasm, math, encoder }),
    source,
    addressOf,
    call,
  );
}

function addressOf(text: string): WholeSource {
  return { kind: 'url', url: new URL(text, location.href).href };
}
