import { XylemError } from '../../base/errors';
import { formatBytes } from '../../base/format';
import type { Range } from '../source';

/** Returns HTTP_STATUS for an answer that is neither 200 nor 206. */
export function statusError(shown: string, status: number, retryAfterMs?: number): XylemError {
  const known = STATUS_TEXT[status] ?? (status >= 500 ? STATUS_TEXT[500] : undefined);
  const [what, fix] = known ?? [
    'an answer that cannot be used',
    'Open the URL in a browser to see what it is.',
  ];
  // Waiting does not help against a permanent refusal.
  const waits = retryAfterMs !== undefined && (status === 429 || status >= 500);
  const wait = waits ? ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.` : '';
  return new XylemError({
    code: 'HTTP_STATUS',
    message: `${shown}: the server answered ${status}: ${what}.${wait}`,
    where: { url: shown },
    fix: status === 404 && /\/([?#]|$)/.test(shown) ? OF_FOLDER : fix,
  });
}

const OF_FOLDER = 'An address that ends with "/" is that of a folder: give the address of a file in it.';

const STATUS_TEXT: Record<number, [what: string, fix: string]> = {
  101: [
    'it goes on in another protocol than HTTP',
    'Give the address of the file itself; this one may be that of a WebSocket.',
  ],
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

/** Returns HTTP_NO_RANGES: the server sent the whole file, which is too large. */
export function noRangesError(shown: string, offset: number, size: number | undefined): XylemError {
  const whole = size === undefined ? 'of unknown size' : `(${formatBytes(size)})`;
  return new XylemError({
    code: 'HTTP_NO_RANGES',
    message: `${shown}: the server does not serve parts of files; it sent the whole file ${whole} where bytes from offset ${offset} were asked for.`,
    where: { url: shown, offset },
    fix: 'Download the file and open it from disk, or use a server that answers Range requests with 206.',
  });
}

/** Returns NOT_ROOT: a web page with status 200 came instead of a part of the file. */
export function webPageError(shown: string, offset: number): XylemError {
  return new XylemError({
    code: 'NOT_ROOT',
    message: `${shown}: the server sent a web page (HTML) in place of the bytes from offset ${offset} on.`,
    where: { url: shown, offset },
    fix: 'A login may have ended, or the server is being serviced: open the address in a tab to see the page, then try again.',
  });
}

/** Returns HTTP_NO_RANGES: a range of a compressed transfer is not a range of the file. */
export function encodedRangeError(shown: string, encoding: string): XylemError {
  return new XylemError({
    code: 'HTTP_NO_RANGES',
    message: `${shown}: the server sent a range of a ${encoding}-compressed copy, not of the file.`,
    where: { url: shown },
    fix: 'Switch off compression (Content-Encoding) for .root files on the server, or download the file and open it from disk.',
  });
}

/** Returns HTTP_LENGTH: the answer is not the requested range. */
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
    fix: 'Try again; if it fails again, the server or a proxy on the way breaks range requests: download the file and open it from disk.',
    cause,
  });
}

/** Returns FILE_CHANGED: two answers belong to different files. */
export function changedError(shown: string, how: string): XylemError {
  return new XylemError({
    code: 'FILE_CHANGED',
    message: `${shown}: the file was changed on the server while it was open: ${how}.`,
    where: { url: shown },
    fix: 'Open it again.',
  });
}

/** A request that was given up because too few bytes arrived for some ms. */
interface Late {
  ms: number;
  range: Range | undefined;
  /** Whether the head of the answer had begun. */
  inHead: boolean;
  /**
   * Whether this file may have to be staged from tape: no request for it was answered, and one range was requested.
   */
  mayBeOnTape: boolean;
}

/** Returns TIMEOUT: no byte arrived for this long, or the head of an answer did not end. */
export function timeoutError(shown: string, { ms, range, inHead, mayBeOnTape }: Late): XylemError {
  const seconds = `${Math.round(ms / 100) / 10} s`;
  const what = inHead
    ? `the server began an answer, and its headers were not complete after ${seconds}`
    : `nothing came from the server for ${seconds}`;
  const stage = mayBeOnTape && !inHead ? '; a file that is on tape must be staged first' : '';
  return new XylemError({
    code: 'TIMEOUT',
    message: `${shown}: ${what}.`,
    where: { url: shown, ...range },
    fix: `Check the connection and try again${stage}.`,
  });
}

/** Adds how often a request was tried before it was given up. */
export function triedError(error: XylemError, times: number): XylemError {
  if (times < 2) return error;
  const { code, message, where, fix, cause } = error;
  return new XylemError({ code, message: `${message} It was tried ${times} times.`, where, fix, cause });
}

/**
 * Returns an error that a request for another file of the host caused, with the address of this file, because the error
 * concerns the whole host.
 */
export function errorOf(error: XylemError, shown: string): XylemError {
  const { code, message, where, fix, cause } = error;
  const other = where?.url;
  if (other === undefined || other === shown || !message.startsWith(`${other}: `)) return error;
  return new XylemError({
    code,
    message: shown + message.slice(other.length),
    where: { url: shown },
    fix,
    cause,
  });
}
