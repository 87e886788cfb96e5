import type { ChainPart, WholeSource } from '../api/api';
import { shownAddress, shownUrl } from '../io/http/shown-url';

/**
 * Returns the name of a file in a partial result: its address without secret parts, or its path or name as given. The
 * query of an address may distinguish files, so it is replaced by a part of its hash.
 */
export async function addressOf(source: ChainPart['source']): Promise<string> {
  if (source.kind === 'within') return `${await addressOfWhole(source.outer)}@${source.offset}`;
  return await addressOfWhole(source);
}

async function addressOfWhole(source: WholeSource): Promise<string> {
  if (source.kind === 'replicas') {
    const names = await Promise.all(source.replicas.map(addressOfWhole));
    return source.name ?? [...new Set(names)].sort().join('|');
  }
  if (source.kind === 'path') return source.path;
  if (source.kind !== 'url') return source.kind === 'source' ? source.source.name : source.name;
  if (!URL.canParse(source.url)) return shownAddress(source.url);
  const url = new URL(source.url);
  if (url.search === '') return shownUrl(url);
  return `${shownUrl(url)}?${(await sha256(url.search)).slice(0, 16)}`;
}

/** Returns the SHA-256 of a text in hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
