import { checksum } from '../cache/checksum';
import type { StoredFileId } from '../cache/extent-store';
import type { FileHeader } from '../core/file-core';
import type { ByteSource } from '../io/source';

/**
 * What a file is known by in a persistent cache. A file that is written again gets other dates, an
 * end or a head that differ, or another validator. The server is part of it, so that no site can
 * put bytes in another one's files; the path is not, since signed URLs change with each visit.
 */
export function identityOf(
  source: ByteSource,
  url: string,
  header: FileHeader,
  head: Uint8Array,
): StoredFileId {
  const { uuid, created, modified, end } = header;
  const { validator = '' } = source.info();
  const sum = checksum(head).toString(16);
  return {
    key: [originOf(url), uuid, created, modified, end, validator, sum].join(' | '),
    name: source.name,
  };
}

export function originOf(url: string): string {
  return new URL(url, typeof location === 'object' ? location.href : undefined).origin;
}
