import { XylemError } from '../base/errors';
import { formatBytes } from '../base/format';
import type { Range } from './source';

/** What people may see of a URL: origin and path. User, password, query and fragment may be secrets. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** A thrown thing as a cause whose text repeats no part of the URL that may be secret. */
export function withoutSecrets(thrown: unknown, url: URL, given: string): Error {
  const parts = [thrown instanceof Error ? thrown.message : String(thrown)];
  const inner = thrown instanceof Error ? thrown.cause : undefined;
  if (inner instanceof Error && inner.message) parts.push(inner.message);
  let text = parts.join(': ');
  const secrets = [given, url.href, url.search, url.hash, url.password, decoded(url.password)];
  for (const secret of secrets) if (secret.length > 1) text = text.replaceAll(secret, '…');
  return new Error(text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no valid escapes: it is shown nowhere else
  }
}

/** The system's code of a failed connection in Node ("ECONNREFUSED"); browsers tell none. */
export function systemCode(thrown: unknown): string | undefined {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}

/** HTTP_STATUS for an answer that is neither 200 nor 206. */
export function statusError(shown: string, status: number, retryAfterMs?: number): XylemError {
  const known = STATUS_TEXT[status] ?? (status >= 500 ? STATUS_TEXT[500] : undefined);
  const [what, fix] = known ?? [
    'an answer that cannot be used',
    'Open the URL in a browser to see what it is.',
  ];
  const wait = retryAfterMs === undefined ? '' : ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`;
  return new XylemError({
    code: 'HTTP_STATUS',
    message: `${shown}: the server answered ${status}: ${what}.${wait}`,
    where: { url: shown },
    fix,
  });
}

const STATUS_TEXT: Record<number, [what: string, fix: string]> = {
  400: ['it does not understand the request', 'Check the URL; a signed URL may have been cut or changed.'],
  401: [
    'it wants you to log in',
    'Give credentials or a token (a header, or a signed URL), or log in to the site in this browser first.',
  ],
  403: [
    'access is refused',
    'Ask for access, or check that the token or the signed URL is still valid: they expire.',
  ],
  404: ['there is no such file', 'Check the URL for misspellings; the file may have been moved.'],
  405: ['it does not allow GET here', 'Use the URL of the file itself.'],
  410: ['the file has been removed', 'Look for its new place.'],
  412: ['a condition of the request does not hold', 'Open the file again.'],
  429: ['too many requests', 'Wait a little, then try again.'],
  451: ['the file is withheld for legal reasons', 'Ask the owner of the site.'],
  500: ['the server failed', 'Try again later; if it stays, tell the people who run the server.'],
  502: ['a gateway got no valid answer', 'Try again later.'],
  503: ['the server is overloaded or being serviced', 'Try again later.'],
  504: ['a gateway waited too long', 'Try again later; the file may be on tape and must be staged first.'],
};

/** HTTP_NO_RANGES: the whole file came, and it is too much to take. */
export function noRangesError(shown: string, offset: number, size: number | undefined): XylemError {
  const whole = size === undefined ? 'of unknown size' : `(${formatBytes(size)})`;
  return new XylemError({
    code: 'HTTP_NO_RANGES',
    message: `${shown}: the server does not serve parts of files; it sent the whole file ${whole} where bytes from offset ${offset} were asked for.`,
    where: { url: shown, offset },
    fix: 'Download the file and open it from disk, or use a server that answers Range requests with 206.',
  });
}

/** HTTP_NO_RANGES: a range of the compressed transfer form is not a range of the file. */
export function encodedRangeError(shown: string, encoding: string): XylemError {
  return new XylemError({
    code: 'HTTP_NO_RANGES',
    message: `${shown}: the server sent a range of a ${encoding}-compressed copy, not of the file.`,
    where: { url: shown },
    fix: 'Switch off compression (Content-Encoding) for .root files on the server, or download the file and open it from disk.',
  });
}

/** HTTP_LENGTH: the answer is not the range that was asked for. */
export function lengthError(
  shown: string,
  offset: number,
  length: number,
  found: string,
  cause?: unknown,
): XylemError {
  return new XylemError({
    code: 'HTTP_LENGTH',
    message: `${shown}: ${length} bytes from offset ${offset} were asked for, but ${found}.`,
    where: { url: shown, offset, length },
    fix: 'Try again; if it stays, the server or a proxy on the way breaks range requests: download the file and open it from disk.',
    cause,
  });
}

/** FILE_CHANGED: two answers are of different files. */
export function changedError(shown: string, how: string): XylemError {
  return new XylemError({
    code: 'FILE_CHANGED',
    message: `${shown}: the file was changed on the server while it was open: ${how}.`,
    where: { url: shown },
    fix: 'Open it again.',
  });
}

/** TIMEOUT: no byte came for so long. */
export function timeoutError(shown: string, ms: number, range: Range | undefined): XylemError {
  return new XylemError({
    code: 'TIMEOUT',
    message: `${shown}: nothing came from the server for ${Math.round(ms / 100) / 10} s.`,
    where: { url: shown, ...range },
    fix: 'Check the connection and try again; a file that is on tape must be staged first.',
  });
}

/**
 * NETWORK: no answer at all. A script cannot tell a refusal by CORS from a host that is down, so
 * the message names both; Node tells the system's code and knows no CORS.
 */
export function networkError(
  url: URL,
  given: string,
  thrown: unknown,
  request: { credentials: boolean; headers: string[] },
): XylemError {
  const shown = shownUrl(url);
  const cause = withoutSecrets(thrown, url, given);
  const code = systemCode(thrown);
  const page = typeof location === 'object' ? location : undefined;
  const pageOrigin = page?.origin === 'null' ? undefined : page?.origin;
  if (code !== undefined) {
    return new XylemError({
      code: 'NETWORK',
      message: `${shown}: ${SYSTEM_TEXT[code] ?? `the connection failed (${code})`}.`,
      where: { url: shown },
      fix: 'Check the address, the network, and whether a VPN or proxy is needed.',
      cause,
    });
  }
  const mixed = page?.protocol === 'https:' && url.protocol === 'http:';
  const allow = request.credentials || pageOrigin ? (pageOrigin ?? 'the origin of this page') : '*';
  const needs = [`Access-Control-Allow-Origin: ${allow}`];
  if (request.credentials) needs.push('Access-Control-Allow-Credentials: true');
  if (request.headers.length > 0) needs.push(`Access-Control-Allow-Headers: ${request.headers.join(', ')}`);
  const insecure = mixed
    ? ' This page is secure (https) and may not read from an insecure (http) address.'
    : '';
  return new XylemError({
    code: 'NETWORK',
    message: `${shown}: no answer came. Either the server cannot be reached (wrong address, down, no network), or it does not allow pages of ${pageOrigin ?? 'other sites'} to read from it (CORS); a page cannot tell which.${insecure}`,
    where: { url: shown },
    fix: `If the address is right, its server must send "${needs.join('" and "')}". Without that: download the file and drop it here.`,
    cause,
  });
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
};

/** Failures of a connection that another try will not mend. */
const LASTING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']);

/** How often a request without an answer is worth another try. */
export function networkRetries(thrown: unknown, answeredBefore: boolean): number {
  const code = systemCode(thrown);
  if (code !== undefined)
    return LASTING.has(code) || /CERT|SSL|TLS/.test(code) ? 0 : Number.POSITIVE_INFINITY;
  // A browser does not say why. A host that never answered is most likely wrong or refuses.
  return answeredBefore ? Number.POSITIVE_INFINITY : 1;
}
