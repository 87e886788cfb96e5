import { XylemError } from '../../base/errors';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Chooses of the kinds of login that a server offers ("&P=unix&P=gsi,…") one that is there, and makes its
 * credentials. Throws UNSUPPORTED when none is.
 */
export function credentialsFor(
  wanted: string,
  user: string,
  url: string,
): [protocol: string, credentials: Uint8Array] {
  const offered = [...wanted.matchAll(/P=([a-z0-9]+)/gi)].map(([, name = '']) => name.toLowerCase());
  if (offered.includes('unix')) return ['unix', bytes(`unix\0${user} ${user}\0`)];
  if (offered.includes('host')) return ['host', bytes('host\0')];
  throw new XylemError({
    code: 'UNSUPPORTED',
    message: `${url}: the server asks for a login by ${offered.join(' or ') || 'a way that it does not name'}.`,
    where: { url },
    fix: 'Read the file through the https address of the server, with a token in --header.',
  });
}
