import { splitScheme, type XrootdAddress } from '../../../io/schemes';
import { Redirected } from './errors';

/** A host, in brackets if it is an IPv6 address, and a port. */
const PLACE = /^(?:[^@/]*@)?(?:\[([0-9a-f:.%]+)\]|([\w.-]+))(?::(\d{1,5}))?(\/.*)?$/i;

/**
 * Parses a redirect: "HOST?opaque?token" with a port, or a whole address with a negative one. `encrypted`: it came
 * over an encrypted connection. Undefined if it cannot be understood.
 */
export function redirected(
  port: number,
  text: string,
  from: XrootdAddress,
  encrypted: boolean,
): Redirected | undefined {
  const [place = '', ...opaque] = text.split('?');
  const scheme = splitScheme(place);
  const rest = scheme?.protocol === 'xrootd' ? scheme.rest : place;
  // Some servers give an IPv6 address without brackets.
  const isBare = port > 0 && /^[0-9a-f:.]+$/i.test(rest) && rest.split(':').length > 2;
  const bare = isBare ? rest : undefined;
  const [, inBrackets, name, own, path] = PLACE.exec(rest) ?? [];
  const host = bare ?? inBrackets ?? name;
  const number = port > 0 ? port : Number(own ?? from.port);
  if (host === undefined || number < 1 || number > 65_535) return undefined;
  const there = path?.replace(/^\/+/, '/');
  return new Redirected(
    {
      ...{ host, port: number, opaque: opaque.filter((one) => one !== '').join('&') },
      ...{ secure: scheme?.secure === true, path: there === '/' ? undefined : there },
    },
    encrypted,
  );
}
