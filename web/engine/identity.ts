import type { FileInfo } from '../api/api';
import { XylemError } from '../base/errors';
import { checksum } from '../cache/checksum';
import type { StoredFileId } from '../cache/extent-store';
import type { FileHeader } from '../core/file-core';
import { shownUrl } from '../io/http/shown-url';
import { unsignedQuery } from '../io/signatures';
import type { ByteSource } from '../io/source';

/** Separates the parts of a key. No address has it, because spaces are escaped there. */
const BORDER = ' | ';

/**
 * The address of a file in a persistent cache: two addresses with the same text name the same file. It is
 * origin and path, and of a query, without parameters that only say who may read (`unsignedQuery`), the
 * SHA-256, because it may hold secrets. Undefined when there is a query and this page may not compute a
 * SHA-256 (pages of plain http have no Web Crypto), and when it is not an address. Such a file must not be cached.
 */
export async function placeOf(url: string): Promise<string | undefined> {
  const base = typeof location === 'object' ? location.href : undefined;
  if (!URL.canParse(url, base)) return undefined;
  const parsed = new URL(url, base);
  const query = unsignedQuery(parsed);
  if (query === '') return shownUrl(parsed);
  const digest = await globalThis.crypto?.subtle?.digest('SHA-256', new TextEncoder().encode(query));
  if (!digest) return undefined;
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${shownUrl(parsed)}?${hex}`;
}

/**
 * Key of a file in a persistent cache. A file that is written again has other dates, an end or a head that
 * differ, or another validator. The place is part of it, because all else can be copied by anyone who may put
 * a file on the same server.
 */
export function identityOf(
  source: ByteSource,
  place: string,
  header: FileHeader,
  head: Uint8Array,
): StoredFileId {
  const { uuid, created, modified, end } = header;
  const { validator = '' } = source.info();
  const sum = checksum(head).toString(16);
  return {
    key: [place, uuid, created, modified, end, validator, sum].join(BORDER),
    name: source.name,
    place,
  };
}

/** Whether a key is that of a file at a place. */
export function liesAt(key: string, place: string): boolean {
  return key.startsWith(place + BORDER);
}

/** The end of the file of a key: ROOT's fEND. Undefined for keys of another form. */
export function endOfKey(key: string): number | undefined {
  const end = Number(key.split(BORDER)[4]);
  return Number.isSafeInteger(end) && end > 0 ? end : undefined;
}

/** FILE_CHANGED when a file that was opened again is not the one that it was, as far as both say so. */
export function changeOf(before: FileInfo, now: FileInfo): XylemError | undefined {
  const { uuid, created, modified, size, validator = now.validator } = before;
  const same =
    uuid === now.uuid &&
    created === now.created &&
    modified === now.modified &&
    size === now.size &&
    validator === (now.validator ?? validator);
  if (same) return undefined;
  return new XylemError({
    code: 'FILE_CHANGED',
    message: `${now.name}: the file was changed while it was open.`,
    fix: 'Open it again.',
  });
}
