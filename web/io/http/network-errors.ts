import { linkSignals } from '../../base/abort';
import { XylemError } from '../../base/errors';
import { shownUrl, withoutSecrets } from './shown-url';

// Errors for requests without an answer. Node gives the system's error code. A browser does not say whether the
// server is down or refuses. A second request, which needs no permission and whose answer cannot be read,
// distinguishes these cases.

/** A request that failed without an answer. */
export interface Unanswered {
  url: URL;
  /** The URL as given. It may contain secrets, so messages must not repeat it. */
  given: string;
  thrown: unknown;
  /** Whether an earlier request for this file was answered. */
  answeredBefore: boolean;
  credentials: boolean;
  /** Names of the headers that were sent. */
  headers: string[];
}

/** Returns the system's code of a failed connection in Node ("ECONNREFUSED"); browsers give none. */
export function requestCode(thrown: unknown): string | undefined {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

/** Code for a request that ended within the head of its answer. */
export const SLOW_HEAD = 'ERR_SLOW_HEAD';

/** Returns a failure of a request with a code, in the form of a failed connection in Node. */
export function requestFailure(
  code: 'ERR_REDIRECT_LOOP' | 'ERR_REDIRECT_TARGET' | 'ERR_INTERIM_ANSWERS' | typeof SLOW_HEAD,
  message: string,
): Error {
  return Object.assign(new Error(message), { code });
}

const SYSTEM_TEXT: Record<string, string> = {
  ECONNREFUSED: 'the server refused the connection (ECONNREFUSED)',
  ECONNRESET: 'the server broke the connection (ECONNRESET)',
  ENOTFOUND: 'there is no host of this name (ENOTFOUND)',
  EAI_AGAIN: 'the name of the host could not be looked up (EAI_AGAIN)',
  EHOSTUNREACH: 'the host cannot be reached (EHOSTUNREACH)',
  ENETUNREACH: 'the network cannot be reached (ENETUNREACH)',
  ETIMEDOUT: 'the connection timed out (ETIMEDOUT)',
  UND_ERR_SOCKET: 'the server broke the connection (UND_ERR_SOCKET)',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out (UND_ERR_CONNECT_TIMEOUT)',
  ERR_INTERIM_ANSWERS: 'the server sends interim answers (status 1xx) without end',
  ERR_REDIRECT_LOOP: 'the server redirects from one address to another without end',
  ERR_REDIRECT_TARGET: 'the server redirects to an address that cannot be read over http',
};

/** Connection failures that a retry will not repair, unless the server answered recently. */
const LASTING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Permanent failures: certificates, redirects, interim answers and invalid requests. */
const NEVER = /CERT|SSL|TLS|UNABLE_TO_VERIFY|^ERR_(INTERIM|REDIRECT|INVALID|UNESCAPED)/;

/** Origins that answered, with the time of the last answer in ms since 1970. */
const answered = new Map<string, number>();
/** A server that answered within this many ms is most likely being restarted. */
const RECENTLY = 300_000;
const MAX_ORIGINS = 1000;

/** Notes that a server answered. */
export function noteAnswer({ origin }: URL): void {
  answered.delete(origin);
  answered.set(origin, Date.now());
  if (answered.size <= MAX_ORIGINS) return;
  for (const oldest of answered.keys()) {
    answered.delete(oldest);
    break;
  }
}

/** Returns how often a request without an answer is worth retrying. */
export function networkRetries({ url, thrown, answeredBefore }: Unanswered): number {
  const code = requestCode(thrown);
  if (code !== undefined) {
    if (NEVER.test(code)) return 0;
    const there = answeredBefore || Date.now() - (answered.get(url.origin) ?? 0) < RECENTLY;
    return LASTING.has(code) && !there ? 0 : Number.POSITIVE_INFINITY;
  }
  // A browser does not give the reason. A host that never answered is most likely wrong or refuses.
  return answeredBefore ? Number.POSITIVE_INFINITY : 1;
}

/** Returns NETWORK: there was no answer. Describes only what is known without another request. */
export function networkError(failed: Unanswered): XylemError {
  const code = requestCode(failed.thrown);
  if (code !== undefined) {
    return failure(
      failed,
      `${SYSTEM_TEXT[code] ?? `the connection failed (${code})`}.`,
      NEVER.test(code)
        ? 'Check the address, or ask the people who run the server.'
        : 'Check the address, the network, and whether a VPN or proxy is needed.',
    );
  }
  if (typeof location !== 'object') {
    return failure(failed, 'no answer came.', 'Check the address, the network, and what sends the requests.');
  }
  return failure(
    failed,
    `no answer came. Either the server cannot be reached (wrong address, down, no network), or it does not allow pages of ${pageName()} to read from it (CORS).`,
    corsFix(failed),
  );
}

/** As networkError, in a page: sends a second request to find out whether the server answers. */
export async function explainNetworkError(failed: Unanswered, signal?: AbortSignal): Promise<XylemError> {
  const { url } = failed;
  const known = networkError(failed);
  if (typeof location !== 'object' || requestCode(failed.thrown) !== undefined) return known;
  if (globalThis.navigator?.onLine === false) {
    return failure(failed, 'this machine has no network now.', 'Try again when it has one.');
  }
  if (isMixed(url)) {
    return failure(
      failed,
      'this page is secure (https), and browsers do not let it read from an insecure (http) address.',
      'Use the https:// address of the file, if its server has one; otherwise download the file and drop it here.',
    );
  }
  const reach = await reachOf(url, signal);
  if (reach === 'forbidden') {
    return failure(
      failed,
      `the content security policy of this page does not allow it to read from ${url.origin}.`,
      `The policy of the page needs this origin in connect-src: "connect-src ${url.origin}".`,
    );
  }
  if (reach === 'there' && (failed.answeredBefore || (await answersWhole(failed, signal)))) {
    return failure(
      failed,
      'the server is there, and this page may read from it, but what it answers to a request for a part of the file cannot be used: it is compressed on the way (Content-Encoding: gzip or br), or the connection breaks.',
      'Try again. If it fails again, compression must be off for .root files on the server and on proxies before it; otherwise download the file and drop it here.',
    );
  }
  if (reach === 'there' && url.origin !== location.origin) {
    return failure(
      failed,
      `the server is there, but does not allow pages of ${pageName()} to read from it (CORS), or redirects to one that does not.`,
      corsFix(failed),
    );
  }
  if (reach === 'there') {
    return failure(
      failed,
      'the server is there, but the request got no answer.',
      'Try again; if it fails again, the connection breaks, or the server redirects to one that this page may not read.',
    );
  }
  if (reach === 'silent') {
    const since = failed.answeredBefore ? ' any more' : '';
    return failure(
      failed,
      `no answer came${since}, not even to a request that needs no permission: the address is wrong, the server is down, or the network or something in this browser is in the way.`,
      'Check the address, the network, and whether a VPN is needed.',
    );
  }
  return known;
}

function failure({ url, given, thrown }: Unanswered, what: string, fix: string): XylemError {
  const shown = shownUrl(url);
  return new XylemError({
    code: 'NETWORK',
    message: `${shown}: ${what}`,
    where: { url: shown },
    fix,
    cause: withoutSecrets(thrown, url, given),
  });
}

/** Returns the origin of this page; undefined if it has none, as in a sandbox. */
function pageOrigin(): string | undefined {
  const { origin } = location;
  return origin === 'null' ? undefined : origin;
}

function pageName(): string {
  return pageOrigin() ?? 'other sites';
}

function corsFix({ credentials, headers }: Unanswered): string {
  const allow = pageOrigin() ?? (credentials ? 'the origin of this page' : '*');
  const needs = [`Access-Control-Allow-Origin: ${allow}`];
  if (credentials) needs.push('Access-Control-Allow-Credentials: true');
  if (headers.length > 0) needs.push(`Access-Control-Allow-Headers: ${headers.join(', ')}`);
  return `If the address is right, its server must send "${needs.join('" and "')}". Without that: download the file and drop it here.`;
}

/** Whether browsers block the address for this page because it is not secure. They trust the local machine. */
function isMixed({ protocol, hostname }: URL): boolean {
  const local = /^(localhost|127(\.\d+){3}|\[::1\])$|\.localhost$/.test(hostname);
  return protocol === 'http:' && !local && location.origin.startsWith('https:');
}

/** `there`: the server answers. `silent`: it does not. `forbidden`: the page's policy forbids the request. */
type Reach = 'there' | 'silent' | 'forbidden' | 'unknown';

/** Time limit for the second request, in ms. */
const REACH_MS = 5000;
/** The browser reports a violation of its policy a little after the request has failed. */
const REPORT_MS = 50;

/** Whether this page gets an answer to a request for the whole file. Only the head of the answer is awaited. */
async function answersWhole(failed: Unanswered, signal: AbortSignal | undefined): Promise<boolean> {
  // Custom headers may need separate permission.
  if (failed.headers.length > 0) return false;
  const link = linkSignals(signal);
  const timer = setTimeout(link.abort, REACH_MS);
  try {
    const credentials = failed.credentials ? 'include' : 'same-origin';
    const { ok } = await fetch(failed.given, { cache: 'no-store', credentials, signal: link.signal });
    return ok;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    link.abort();
    link.dispose();
  }
}

async function reachOf(url: URL, signal: AbortSignal | undefined): Promise<Reach> {
  const link = linkSignals(signal);
  const timer = setTimeout(link.abort, REACH_MS);
  let forbidden = false;
  // Workers send this event too, but the types of their global scope do not list it.
  const note = (event: Event): void => {
    const { blockedURI, effectiveDirective } = event as SecurityPolicyViolationEvent;
    forbidden ||= effectiveDirective === 'connect-src' && blockedURI.startsWith(url.origin);
  };
  globalThis.addEventListener?.('securitypolicyviolation', note);
  try {
    // The answer cannot be read, so only its head is requested.
    await fetch(url.href, {
      method: 'HEAD',
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: link.signal,
    });
    return 'there';
  } catch {
    if (link.signal.aborted) return 'unknown';
    await new Promise((go) => setTimeout(go, REPORT_MS));
    return forbidden ? 'forbidden' : 'silent';
  } finally {
    clearTimeout(timer);
    link.dispose();
    globalThis.removeEventListener?.('securitypolicyviolation', note);
  }
}
