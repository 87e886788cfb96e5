import { storedAddress } from '../signatures';

/**
 * The part of a URL that may be shown: origin and path. User, password, query and fragment may be secrets.
 */
export function shownUrl(url: URL): string {
  // Addresses of other protocols than http have no origin.
  const origin = url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
  return `${origin}${url.pathname}`;
}

/** The same of an address as it was given, which may be no valid one; a path as it is. */
export function shownAddress(address: string): string {
  if (!/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address;
  if (URL.canParse(address)) return shownUrl(new URL(address));
  return storedAddress(address).split(/[?#]/, 1)[0] ?? '';
}

/** Makes a cause of a thrown value; its text repeats no part of the URL that may be secret. */
export function withoutSecrets(thrown: unknown, url: URL, given: string): Error {
  const parts = [thrown instanceof Error ? thrown.message : String(thrown)];
  const inner = thrown instanceof Error ? thrown.cause : undefined;
  if (inner instanceof Error && inner.message) parts.push(inner.message);
  let text = parts.join(': ');
  const secrets = [given, url.href, url.search, url.hash, url.password, decoded(url.password)];
  for (const secret of secrets) if (secret.length > 1) text = text.replaceAll(secret, '…');
  return new Error(text);
}

/** The text without its escapes; as it is where they are none. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
