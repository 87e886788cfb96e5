// The schemes of addresses that xylem reads. Code that recognizes addresses by their beginning uses this table.

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
