import { decoded } from '../../../io/http/shown-url';
import { mayHaveToken } from '../../../io/node-token';
import type { XrootdAddress } from '../../../io/schemes';
import { isSecretName } from '../../../io/signatures';
import type { Place } from './errors';

// The servers on the way of a request, and what may be sent to each. An address may contain a token (authz=…), which
// is meant for the host in the address. That host may pass it on to others, but only over a connection that nobody
// else can write to.

/** A server on the way. */
export interface Hop {
  /** Its opaque part has the tokens of the user's address only if the server is trusted. */
  address: XrootdAddress;
  /**
   * Whether the server may have the tokens: the user named it, or a trusted server named it over an encrypted
   * connection.
   */
  trusted: boolean;
  /** Whether the tokens may only be sent over encrypted connections, because they were before, or had to be. */
  sealed: boolean;
}

/** Returns the first server: the one that the user named. */
export function firstHop(named: XrootdAddress): Hop {
  return { address: named, trusted: true, sealed: named.secure };
}

/**
 * Returns the next server, named by `from`. `named` is the user's address. `encrypted`: `from` answered over an
 * encrypted connection.
 */
export function nextHop(from: Hop, named: XrootdAddress, place: Place, encrypted: boolean): Hop {
  const { host, port, path = from.address.path } = place;
  const trusted =
    (from.trusted && encrypted) || isSameHost(host, named.host) || mayHaveToken(host, undefined);
  const secure = from.address.secure || place.secure;
  const own = trusted ? named.opaque : withoutSecrets(named.opaque);
  const opaque = merged(own, place.opaque);
  return {
    address: { ...from.address, host, port, path, secure, opaque },
    trusted,
    sealed: from.sealed || encrypted || secure,
  };
}

/** Returns the address in the form that may be sent to the server over a connection to it. */
export function addressAt({ address, sealed }: Hop, encrypted: boolean): XrootdAddress {
  return sealed && !encrypted ? { ...address, opaque: withoutSecrets(address.opaque) } : address;
}

export function hasSecrets(opaque: string): boolean {
  return withoutSecrets(opaque) !== opaque;
}

/** Returns a text of a server without secrets that it may repeat from a request. */
export function withoutEchoes(text: string, opaque: string, ...secrets: string[]): string {
  const told = pairsOf(opaque)
    .filter(isSecret)
    .flatMap((pair) => {
      const value = pair.slice(pair.indexOf('=') + 1);
      return [value, decoded(value)].flatMap((one) => [one, one.replace(/^Bearer\s+/i, '')]);
    });
  return [...secrets, ...told]
    .filter((secret) => secret.length > 3)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

function isSameHost(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Joins two lists of parameters. Values of the second replace those of the first. */
function merged(first: string, second: string): string {
  const names = new Set(pairsOf(second).map(nameOf));
  return [...pairsOf(first).filter((pair) => !names.has(nameOf(pair))), ...pairsOf(second)].join('&');
}

function withoutSecrets(opaque: string): string {
  return pairsOf(opaque)
    .filter((pair) => !isSecret(pair))
    .join('&');
}

const pairsOf = (opaque: string): string[] => opaque.split('&').filter((pair) => pair !== '');
const nameOf = (pair: string): string => pair.split('=')[0] ?? '';

/** Some servers treat a second "?" as part of a value, others as the start of a name. */
function isSecret(pair: string): boolean {
  const names = [...pair.matchAll(/(?:^|[?;,])([^=?;,]*)=/g)].map(([, name = '']) => name);
  return names.some((name) => isSecretName(name) || isSecretName(name.split('.').at(-1) ?? ''));
}
