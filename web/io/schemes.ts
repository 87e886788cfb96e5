// The schemes of addresses that xylem reads. Code that recognizes addresses by their beginning uses this table.
import { argumentError } from '../base/errors';

/** How the bytes at an address are read: from a web server, from an XRootD server, or from a disk of this machine. */
export type Protocol = 'http' | 'xrootd' | 'file';

interface Scheme {
  protocol: Protocol;
  /** Whether nothing is sent before the connection is encrypted. */
  secure?: boolean;
  /** The scheme that replaces this one in requests and messages, if this one is only another name for it. */
  is?: string;
}

const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ['http', { protocol: 'http' }],
  ['https', { protocol: 'http', secure: true }],
  ['dav', { protocol: 'http', is: 'http' }],
  ['davs', { protocol: 'http', secure: true, is: 'https' }],
  ['root', { protocol: 'xrootd' }],
  ['roots', { protocol: 'xrootd', secure: true }],
  ['xroot', { protocol: 'xrootd' }],
  ['xroots', { protocol: 'xrootd', secure: true }],
  ['file', { protocol: 'file' }],
]);

/** Splits an address after `mark`. Undefined if the text does not begin with a scheme of the table and `mark`. */
export function splitScheme(text: string, mark = '://'): (Scheme & { rest: string }) | undefined {
  const end = text.indexOf(':');
  const scheme = SCHEMES.get(text.slice(0, Math.max(0, end)).toLowerCase());
  return scheme && text.startsWith(mark, end)
    ? { ...scheme, rest: text.slice(end + mark.length) }
    : undefined;
}

/**
 * Returns an address with the scheme of its protocol: davs://host/file becomes https://host/file. Other texts are
 * unchanged. It is applied when a user's text becomes a source, so that all other code compares and shows only one form
 * of an address.
 */
export function plainAddress(text: string): string {
  const scheme = splitScheme(text);
  return scheme?.is === undefined ? text : `${scheme.is}://${scheme.rest}`;
}

/** Returns the protocol of an address; undefined for a path and for an address that xylem does not read. */
export function protocolOf(text: string): Protocol | undefined {
  return splitScheme(text)?.protocol;
}

/**
 * As `protocolOf`, but also accepts "https:/host" and "file:/path", because `new URL` reads them as complete
 * addresses.
 */
export function looseProtocolOf(text: string): Protocol | undefined {
  const protocol = splitScheme(text, ':')?.protocol;
  return protocol === 'xrootd' ? protocolOf(text) : protocol;
}

/** Whether a text is an address on a server. */
export function isRemote(text: string): boolean {
  const protocol = protocolOf(text);
  return protocol !== undefined && protocol !== 'file';
}

/** Splits a list of addresses at commas, except commas within an address. */
export function splitAddresses(list: string): string[] {
  const addresses: string[] = [];
  for (const part of list.split(',')) {
    if (addresses.length === 0 || protocolOf(part)) addresses.push(part);
    else addresses.push(`${addresses.pop()},${part}`);
  }
  return addresses;
}

/** Default port of XRootD servers. */
const DEFAULT_PORT = 1094;

/** The parts of the address of a file on an XRootD server. */
export interface XrootdAddress {
  /** Whether nothing is sent before the connection is encrypted (roots:// and xroots://). */
  secure: boolean;
  /** Name for the login; undefined if the address has none. */
  user: string | undefined;
  host: string;
  port: number;
  /** Absolute path on the server. */
  path: string;
  /** The part after "?", such as "authz=…"; "" if there is none. It may contain secrets. */
  opaque: string;
}

/**
 * Parses an address such as "root://user@host:1094//path?opaque". One or two slashes after the host mean the same.
 * Only with `folder`, the path may be the root folder. Throws ARGUMENT.
 */
export function parseXrootdUrl(url: string, folder = false): XrootdAddress {
  const [head = ''] = url.split('#');
  const at = head.indexOf('?');
  const plain = at < 0 ? head : head.slice(0, at);
  const scheme = splitScheme(plain);
  const parts = /^(?:([^@/]*)@)?(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d+))?(\/.*)$/i.exec(scheme?.rest ?? '');
  const [, user, host = '', port, path = ''] = parts ?? [];
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  const name = path.replace(/^\/+/, '');
  if (scheme?.protocol !== 'xrootd' || !parts || (name === '' && !folder) || number < 1 || number > 65_535) {
    const shown =
      plain.slice(0, plain.indexOf('://') + 3) +
      plain.slice(Math.max(plain.lastIndexOf('@'), plain.indexOf('://') + 2) + 1);
    throw argumentError(
      `"${shown}" is not an address of a file on an XRootD server.`,
      'Write it as root://HOST:PORT//PATH; the port may be left out.',
      { url: shown },
    );
  }
  return {
    secure: scheme.secure === true,
    user: user === undefined || user === '' ? undefined : (user.split(':')[0] ?? user),
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: number,
    path: `/${name}`,
    opaque: at < 0 ? '' : head.slice(at + 1),
  };
}

/** Returns the address without user and opaque part, which may be secret: for messages and the trace. */
export function shownAddress({ secure, host, port, path }: XrootdAddress): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `${secure ? 'roots' : 'root'}://${name}${port === DEFAULT_PORT ? '' : `:${port}`}/${path}`;
}
