import { unsupported } from '../../../base/data-errors';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A client that logs in. */
export interface Client {
  user: string;
  /** Whether the connection is encrypted. */
  encrypted: boolean;
  /** Finds a bearer token; undefined if none may be sent to this server. */
  token: (() => Promise<string | undefined>) | undefined;
}

/**
 * Chooses a supported login among those that a server offers ("&P=unix&P=gsi,…"), and returns its credentials. Throws
 * UNSUPPORTED if there is none, and the errors of finding a token.
 */
export async function credentialsFor(
  wanted: string,
  { user, encrypted, token }: Client,
  url: string,
): Promise<[protocol: string, credentials: Uint8Array]> {
  const offered = [...wanted.matchAll(/P=([a-z0-9]+)/gi)].map(([, name = '']) => name.toLowerCase());
  const byToken = offered.includes('ztn');
  if (byToken && encrypted && token) {
    const found = await token();
    if (found !== undefined) return ['ztn', tokenCredentials(found)];
  }
  if (offered.includes('unix')) return ['unix', bytes(`unix\0${user} ${user}\0`)];
  if (offered.includes('host')) return ['host', bytes('host\0')];
  const why = !byToken
    ? undefined
    : !encrypted
      ? 'which is not sent because the connection is not encrypted'
      : token
        ? 'and there is none here'
        : 'which is not sent because you did not name this host';
  const ways = offered.map((name) => (name === 'ztn' ? 'a bearer token (ztn)' : name)).join(' or ');
  throw unsupported(
    `${url}: the server asks for a login by ${ways || 'a way that it does not name'}${why ? `, ${why}` : ''}.`,
    !byToken
      ? 'Read the file through the https address of the server, with a token in --header.'
      : token
        ? 'Put a token into BEARER_TOKEN, or its file into BEARER_TOKEN_FILE.'
        : 'Name the host in XYLEM_TOKEN_HOSTS if it may have your token.',
    { url },
  );
}

/** Returns the credentials of ztn: a head of eight bytes, the length including the final zero, and the token. */
function tokenCredentials(token: string): Uint8Array {
  const data = new Uint8Array(10 + token.length + 1);
  data.set(bytes('ztn\0'));
  data[5] = 'T'.charCodeAt(0);
  new DataView(data.buffer).setUint16(8, token.length + 1);
  data.set(bytes(token), 10);
  return data;
}
