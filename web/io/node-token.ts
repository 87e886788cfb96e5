import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { XylemError } from '../base/errors';
import type { Send } from './http/http-client';

// Bearer tokens are found as described in "WLCG Bearer Token Discovery", version 1.0.

/** Maximum length of a token, in bytes. */
const MAX_BYTES = 32 * 1024;
/** Form of a token in RFC 6750: without spaces and line ends. */
const TOKEN = /^[\w.~+/-]+=*$/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the bearer token of this user: from BEARER_TOKEN, the file BEARER_TOKEN_FILE, XDG_RUNTIME_DIR/bt_u<uid>, or
 * /tmp/bt_u<uid>. Undefined if there is none. Throws IO for a file that others may read or that belongs to another
 * user, and ARGUMENT for an invalid token.
 */
export async function findToken(
  environment: Environment = process.env,
  uid: number | undefined = process.getuid?.(),
  temporary = '/tmp',
): Promise<string | undefined> {
  const given = environment.BEARER_TOKEN?.trim();
  if (given) return checked(given, 'BEARER_TOKEN');
  const named = environment.BEARER_TOKEN_FILE;
  if (named) {
    const text = await readSecret(named, uid, false);
    if (text === undefined) {
      throw refused('IO', `${named}: there is no such file, which BEARER_TOKEN_FILE names.`);
    }
    return checked(text, named);
  }
  if (uid === undefined) return undefined;
  for (const folder of [environment.XDG_RUNTIME_DIR, temporary]) {
    if (!folder) continue;
    const path = join(folder, `bt_u${uid}`);
    const text = await readSecret(path, uid, true);
    if (text) return checked(text, path);
  }
  return undefined;
}

/**
 * Whether tokens may be sent to a host: the user named it, or XYLEM_TOKEN_HOSTS lists it. That is a list of hosts and
 * of domains such as "*.example.org".
 */
export function mayHaveToken(
  host: string,
  named: string | undefined,
  environment: Environment = process.env,
): boolean {
  const wanted = host.toLowerCase();
  if (wanted === named?.toLowerCase()) return true;
  const allowed = (environment.XYLEM_TOKEN_HOSTS ?? '').toLowerCase().split(/[\s,]+/);
  return allowed.some((one) =>
    one.startsWith('*.') && one.length > 2 ? wanted.endsWith(one.slice(1)) : one !== '' && one === wanted,
  );
}

/** Returns the text of a file that only its owner may read; undefined if there is none. */
async function readSecret(
  path: string,
  uid: number | undefined,
  plain: boolean,
): Promise<string | undefined> {
  // In a shared folder anybody may create a link.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (plain ? constants.O_NOFOLLOW : 0);
  const file = await open(path, flags).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR') return undefined;
    throw refused('IO', `${path}: the file of the token cannot be opened (${thrown.code}).`);
  });
  if (!file) return undefined;
  try {
    const info = await file.stat();
    if (!info.isFile()) throw refused('IO', `${path}: a token can only be read from a plain file.`);
    if (uid !== undefined && (info.mode & 0o077) !== 0) {
      throw refused(
        'IO',
        `${path}: others may read or write the file of the token.`,
        `Run "chmod 600 ${path}".`,
      );
    }
    if (uid !== undefined && info.uid !== uid && info.uid !== 0) {
      throw refused('IO', `${path}: the file of the token belongs to another user.`);
    }
    if (info.size > MAX_BYTES) throw refused('ARGUMENT', `${path}: this is too long for a token.`);
    return (await file.readFile('utf8')).trim();
  } finally {
    await file.close();
  }
}

function checked(token: string, place: string): string {
  if (token.length <= MAX_BYTES && TOKEN.test(token)) return token;
  throw refused('ARGUMENT', `${place} holds no bearer token.`);
}

function refused(
  code: 'IO' | 'ARGUMENT',
  message: string,
  fix = 'Put a token into BEARER_TOKEN.',
): XylemError {
  return new XylemError({ code, message, fix });
}

/** Time in ms after which the place of a token is read again, and before its end at which a new one is looked for. */
const KEEP_MS = 60_000;
/** Status codes by which servers refuse a token. */
const REFUSED = [401, 403];

/**
 * Returns `send` with the bearer token of the moment in each request to an https address whose host XYLEM_TOKEN_HOSTS lists. That
 * the user named the address is not sufficient: unlike XRootD servers, https servers do not say that they want a token. It is looked for again
 * every minute, in the last minute before it expires, and when a server refuses it. If it is another one then, the request is sent again, once.
 */
export function sendWithToken(send: Send, environment: Environment = process.env): Send {
  let known: { token: string | undefined; readAt: number } | undefined;
  const current = async (isRefused = false): Promise<string | undefined> => {
    const now = Date.now();
    const isOld = !known || now - known.readAt > KEEP_MS || now > endOf(known.token) - KEEP_MS;
    if (isOld || isRefused) known = { token: await findToken(environment), readAt: now };
    return known?.token;
  };
  return async (target, init) => {
    const { headers = {} } = init;
    const url = new URL(target);
    const given = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
    if (url.protocol !== 'https:' || given || !mayHaveToken(url.hostname, undefined, environment))
      return send(target, init);
    const sendWith = (token: string | undefined) =>
      send(
        target,
        token === undefined ? init : { ...init, headers: { ...headers, Authorization: `Bearer ${token}` } },
      );
    const token = await current();
    const answer = await sendWith(token);
    // A redirect may have gone to another host, which got no token.
    if (!REFUSED.includes(answer.status) || new URL(answer.url || target).origin !== url.origin)
      return answer;
    const renewed = await current(true);
    if (renewed === token || renewed === undefined) return answer;
    await answer.body?.cancel();
    return sendWith(renewed);
  };
}

/** Returns when a token expires, in ms since 1970, as it says itself (RFC 7519); infinity if it does not. */
function endOf(token: string | undefined): number {
  try {
    const [, payload = ''] = token?.split('.') ?? [];
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: unknown };
    return typeof exp === 'number' ? 1000 * exp : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
