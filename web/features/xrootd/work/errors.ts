import { unsupported } from '../../../base/data-errors';
import { type ErrorCode, XylemError } from '../../../base/errors';

/** The connection ended or was silent. The request may be sent again over a new connection. */
export class ConnectionLost extends Error {}

/**
 * The server requires encryption or credentials first, so requests that were sent together with the login are
 * invalid.
 */
export class LongWay extends Error {
  constructor(readonly wanted: 'encryption' | 'credentials' | 'patience') {
    super(`the server wants ${wanted} first`);
  }
}

/** A server named by another server. */
export interface Place {
  host: string;
  port: number;
  /** Opaque text to send with the path; "" if there is none. */
  opaque: string;
  /** Whether the connection there must be encrypted. */
  secure: boolean;
  /** The path on that server, if it differs. */
  path?: string | undefined;
}

/** The server redirects a request to another server. */
export class Redirected extends Error {
  constructor(
    readonly place: Place,
    /** Whether the redirect came over an encrypted connection. */
    readonly encrypted: boolean,
  ) {
    super(`redirected to ${place.host}:${place.port}`);
  }
}

/** Error number of an overloaded server. */
export const OVERLOADED = 3024;
const ASK_FOR_ACCESS = 'Ask the operators of the server for access, or use a token.';
const OTHER_WAY = 'Read the file through the https address of the server, if it has one.';

/** Protocol errors that a program can react to. Others are IO. */
const CODES: Record<number, [code: ErrorCode, fix: string]> = {
  3000: ['ARGUMENT', 'Check the address.'],
  3003: ['IO', 'Another program has locked the file. Try again later.'],
  3005: ['IO', 'Try again; if it fails again, tell the operators of the server.'],
  3006: ['ARGUMENT', 'Check the address.'],
  3007: ['IO', 'Try again; if it fails again, tell the operators of the server.'],
  3010: ['IO', ASK_FOR_ACCESS],
  3011: ['NOT_FOUND', 'Check the path of the address.'],
  3012: ['IO', 'Try again; if it fails again, tell the operators of the server.'],
  3013: ['UNSUPPORTED', OTHER_WAY],
  3016: ['ARGUMENT', 'The address names a folder. Name a ROOT file in it.'],
  [OVERLOADED]: ['IO', 'The server has too much to do. Try again later.'],
  // Signatures of requests are missing or wrong.
  3022: ['UNSUPPORTED', OTHER_WAY],
  3028: ['UNSUPPORTED', 'Write roots:// in place of root:// in the address.'],
  3030: ['IO', ASK_FOR_ACCESS],
};

/** Returns the typed error for an error answer of a server. */
export function serverError(number: number, message: string, url: string): XylemError {
  const [code, fix] = CODES[number] ?? [
    'IO',
    'Try again; if it fails again, tell the operators of the server.',
  ];
  return new XylemError({
    code,
    message: `${url}: the server refused (error ${number}): ${message || 'it gave no reason'}.`,
    where: { url },
    fix,
  });
}

/** Whether a server refused a client that is unknown or may not read. */
export function isAboutAccess(thrown: unknown): thrown is XylemError {
  return thrown instanceof XylemError && thrown.fix === ASK_FOR_ACCESS;
}

/** Returns the error for a server that violates the protocol. */
export function protocolError(
  url: string,
  what: string,
  fix = 'Check that host and port are those of an XRootD server; its usual port is 1094.',
): XylemError {
  return new XylemError({ code: 'NETWORK', message: `${url}: ${what}.`, where: { url }, fix });
}

/** Returns the error for a server that announced a late answer and did not send it. */
export function lateFailure(url: string, how: string, seconds: number): XylemError {
  return new XylemError({
    code: 'TIMEOUT',
    message: `${url}: the server said that its answer comes later, and was ${how} for ${seconds} s.`,
    where: { url },
    fix: 'Try again later: it may be fetching the file from tape, or have too much to do.',
  });
}

/** Returns the error for a server that requires signed requests (kXR_sigver). */
export function signingWanted(url: string): XylemError {
  return unsupported(
    `${url}: the server wants requests to be signed (kXR_sigver), which xylem cannot do.`,
    OTHER_WAY,
    { url },
  );
}

/** Returns the error for a server that cannot be reached or was silent. */
export function unreachable(url: string, cause: unknown): XylemError {
  const why = cause instanceof Error && cause.message !== '' ? cause.message : 'the connection broke';
  return new XylemError({
    code: /silent/.test(why) ? 'TIMEOUT' : 'NETWORK',
    message: `${url}: the server cannot be read from: ${why}.`,
    where: { url },
    fix: 'Check the address and your network, then try again.',
    cause,
  });
}
