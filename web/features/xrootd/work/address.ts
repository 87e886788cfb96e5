import { argumentError } from '../../../base/errors';
import { splitScheme } from '../../../io/schemes';

/** Default port of XRootD servers. */
const DEFAULT_PORT = 1094;

/** A file on an XRootD server, as its address names it. */
export interface XrootdAddress {
  /** roots:// and xroots://: nothing is sent before the connection is encrypted. */
  secure: boolean;
  /** Name for the login; undefined if the address has none. */
  user: string | undefined;
  host: string;
  port: number;
  /** Absolute path on the server. */
  path: string;
  /** The part after "?", such as "authz=…"; "" when there is none. It may hold secrets. */
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
