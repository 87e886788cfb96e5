import { XylemError } from '../base/errors';
import { type ExtentStore, openStoredExtents, type StoredFileId } from '../cache/extent-store';
import type { FileHeader } from '../core/file-core';
import type { ByteReader } from '../io/fetch/reader';
import type { ByteSource } from '../io/source';
import type { StoredExtents } from '../io/stored';
import { endOfKey, identityOf, liesAt, placeOf } from './identity';

/** A cached file that can be read without its server. */
export interface KeptFile {
  source: ByteSource;
  extents: StoredExtents;
}

/** The persistent cache of one file while it is opened. */
export interface FileCache {
  /** Whether something is cached for this address. Never rejects. */
  isKnown(): Promise<boolean>;
  /** From now on, bytes of the file are cached, and cached bytes are not fetched. */
  keepIn(reader: ByteReader, header: FileHeader, head: Uint8Array): Promise<void>;
  /**
   * Cached files to read in place of a file whose server cannot be reached, newest first: only those that
   * were read at the same address. Empty for other errors.
   */
  offline(error: XylemError): AsyncIterable<KeptFile>;
}

/** The cache of the file at an address. */
export function createFileCache(store: ExtentStore, url: string, source: ByteSource): FileCache {
  const place = placeOf(url).catch(() => undefined);
  // Looked up while the head is being read, which shows whether it is the same file.
  const latest = place.then(async (at) => {
    const key = at === undefined ? undefined : await store.latest?.(at);
    return key === undefined || at === undefined
      ? undefined
      : openStoredExtents(store, { key, name: source.name, place: at });
  });

  /** Files cached for the address, newest first. */
  const kept = async (): Promise<StoredFileId[]> => {
    const at = await place;
    if (at === undefined) return [];
    const { files } = await store.info();
    return files
      .filter(({ key }) => liesAt(key, at))
      .sort((a, b) => b.used - a.used)
      .map(({ key, name }) => ({ key, name, place: at }));
  };

  return {
    isKnown: async () => (store.latest ? (await latest) !== undefined : (await kept()).length > 0),
    async keepIn(reader, header, head) {
      // A file that was not closed may grow, with the same head.
      const at = await place;
      if (at === undefined || header.seekKeys <= 0) return;
      const identity = identityOf(source, at, header, head);
      const found = await latest;
      const extents = found?.file.key === identity.key ? found : await openStoredExtents(store, identity);
      reader.keepIn(extents);
      extents.save(0, head);
    },
    async *offline(error) {
      if (error.code !== 'NETWORK' && error.code !== 'TIMEOUT') return;
      for (const file of await kept()) {
        yield { source: keptSource(source, file, error), extents: await openStoredExtents(store, file) };
      }
    },
  };
}

/**
 * Opens a file from only the cache. The returned source fails for bytes that are not cached, so cached and
 * newly downloaded content are never mixed.
 */
function keptSource({ name, origin }: ByteSource, { key }: StoredFileId, cause: XylemError): ByteSource {
  return {
    name,
    concurrency: 1,
    ...(origin && { origin }),
    // A file that is shorter than its first read is cached up to its end only.
    info: () => ({ size: endOfKey(key) }),
    read: async (offset, length) => {
      throw new XylemError({
        code: 'NETWORK',
        message: `${name}: bytes ${offset} to ${offset + length} are not kept on this machine, and the server could not be reached when the file was opened.`,
        where: { offset, length },
        fix: 'Open the file again when the server can be reached.',
        cause,
      });
    },
  };
}
