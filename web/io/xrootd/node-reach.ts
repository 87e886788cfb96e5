import { XylemError } from '../../base/errors';
import { findToken, mayHaveToken } from '../node-token';
import { shownAddress, type XrootdAddress } from './address';
import { ConnectionLost, LongWay, Redirected, unreachable } from './errors';
import { XrootdConnection } from './node-connection';

/** Redirects that are followed for one request. */
const MAX_REDIRECTS = 16;

export interface XrootdOptions {
  /** Time in ms after which a silent server is given up; default 30 s. */
  silenceMs?: number | undefined;
  /** Certificates of authorities in place of those that Node knows, in PEM. */
  ca?: string | undefined;
  /** `none`: the user did not name the host, which gets no bearer token. */
  token?: 'none' | undefined;
}

/** How a server is reached for one request. */
export interface Reaching extends XrootdOptions {
  /** Told of each connection that is made. */
  onConnection?: ((connection: XrootdConnection) => void) | undefined;
  /** Servers that redirectors are asked not to name again; those that are lost now are added. */
  tried?: Set<string> | undefined;
}

/** Servers, as "host:port", that do not let a client in with one packet, and whether they want encryption. */
const longWays = new Map<string, 'plain' | 'secure'>();

/** Forgets them, for tests whose servers may get the port of an earlier one. */
export function forgetServers(): void {
  longWays.clear();
}

/**
 * Connects to the server of an address and runs requests there; where it redirects them, at the server that it names,
 * and so on. `run` may be called before the server has let this client in: its result counts only if it does. The
 * connection is closed when anything fails, and otherwise left open. Throws ConnectionLost and the errors of `run`.
 */
export async function reach<T>(
  named: XrootdAddress,
  options: Reaching,
  run: (connection: XrootdConnection, address: XrootdAddress) => Promise<T>,
): Promise<T> {
  const { tried = new Set() } = options;
  let address = withTried(named, tried);
  for (let followed = 0; followed <= MAX_REDIRECTS; ) {
    const place = `${address.host}:${address.port}`;
    const way = longWays.get(place);
    // A token in the address must not leave before the server can ask for encryption.
    const quick = !address.secure && way === undefined && !/\bauthz=/i.test(address.opaque);
    try {
      return await runAt(
        way === 'secure' ? { ...address, secure: true } : address,
        quick,
        named,
        options,
        run,
      );
    } catch (thrown) {
      if (thrown instanceof LongWay) {
        const tls = thrown.wanted === 'encryption';
        if (way === 'secure' || (way && !tls)) throw unreachable(shownAddress(address), thrown);
        longWays.set(place, tls && !quick ? 'secure' : 'plain');
        continue;
      }
      if (thrown instanceof ConnectionLost && followed > 0) tried.add(address.host);
      if (!(thrown instanceof Redirected)) throw thrown;
      followed += 1;
      const { host, port, secure, path = address.path } = thrown;
      const opaque = [named.opaque, thrown.opaque].filter((one) => one !== '').join('&');
      address = { ...address, host, port, secure, path, opaque };
    }
  }
  const url = shownAddress(named);
  throw new XylemError({
    code: 'NETWORK',
    message: `${url}: the servers redirected more than ${MAX_REDIRECTS} times.`,
    where: { url },
  });
}

/** The path of an address as requests name it. */
export function requestPath({ path, opaque }: XrootdAddress): string {
  return opaque === '' ? path : `${path}?${opaque}`;
}

function withTried(address: XrootdAddress, tried: ReadonlySet<string>): XrootdAddress {
  if (tried.size === 0) return address;
  const text = `tried=${[...tried].join(',')}`;
  return { ...address, opaque: address.opaque === '' ? text : `${address.opaque}&${text}` };
}

async function runAt<T>(
  address: XrootdAddress,
  quick: boolean,
  named: XrootdAddress,
  { silenceMs, ca, token, onConnection }: Reaching,
  run: (connection: XrootdConnection, address: XrootdAddress) => Promise<T>,
): Promise<T> {
  const mayHave = mayHaveToken(address.host, token === 'none' ? undefined : named.host);
  const connection = new XrootdConnection(address, quick, {
    silenceMs,
    ca,
    token: mayHave ? () => findToken() : undefined,
  });
  onConnection?.(connection);
  try {
    if (!quick) await connection.ready;
    const [ready, result] = await Promise.allSettled([connection.ready, run(connection, address)]);
    if (ready.status === 'rejected') throw ready.reason;
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
}
