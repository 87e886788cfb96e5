import { storedAddress } from '../signatures';

/** Returns the part of a URL that may be shown: origin and path. User, password, query and fragment may be secret. */
export function shownUrl(url: URL): string {
  // Addresses of other protocols than http have no origin.
  const origin = url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
  return `${origin}${url.pathname}`;
}

/** Does the same for an address as given, which may not be valid. A path is not changed. */
export function shownAddress(address: string): string {
  if (!/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address;
  if (URL.canParse(address)) return shownUrl(new URL(address));
  return storedAddress(address).split(/[?#]/, 1)[0] ?? '';
}

/** Converts a thrown value to a cause. Its text repeats no part of the URL that may be secret. */
export function withoutSecrets(thrown: unknown, url: URL, given: string): Error {
  const parts = [thrown instanceof Error ? thrown.message : String(thrown)];
  const inner = thrown instanceof Error ? thrown.cause : undefined;
  if (inner instanceof Error && inner.message) parts.push(inner.message);
  let text = parts.join(': ');
  const secrets = [given, url.href, url.search, url.hash, url.password, decoded(url.password)];
  for (const secret of secrets) if (secret.length > 1) text = text.replaceAll(secret, '…');
  return new Error(text);
}

/** Returns the text without URL escapes; unchanged if they are invalid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
