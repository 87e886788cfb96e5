import { XylemError } from '../../../base/errors';
import { findToken, mayHaveToken } from '../../../io/node-token';
import { shownAddress, type XrootdAddress } from '../../../io/schemes';
import { ConnectionLost, isAboutAccess, LongWay, Redirected, unreachable } from './errors';
import { XrootdConnection } from './node-connection';
import { addressAt, firstHop, type Hop, hasSecrets, nextHop } from './node-hops';

/** Maximum number of redirects for one request. */
const MAX_REDIRECTS = 16;
/** Maximum number of servers that a redirector is asked to avoid: the most recently lost ones. */
const MAX_TRIED = 32;

export interface XrootdOptions {
  /** Time limit in ms for a silent server. Default: 30 s. */
  silenceMs?: number | undefined;
  /** Certificates of authorities that replace those known to Node, in PEM. */
  ca?: string | undefined;
  /** `none`: the user did not name the host, so it gets no bearer token. */
  token?: 'none' | undefined;
}

/** Options for reaching a server. */
export interface Reaching extends XrootdOptions {
  /** Called for each new connection. It can end the request by throwing. */
  onConnection?: ((connection: XrootdConnection) => void) | undefined;
  /** Servers that redirectors are asked to avoid. Those that are lost now are added. */
  tried?: Set<string> | undefined;
  /** First server on the way, if it is not the one that the user named. */
  from?: Hop | undefined;
}

/** Runs requests at a server. `address` is what may be sent to it; `hop` is its place on the way. */
export type Run<T> = (connection: XrootdConnection, address: XrootdAddress, hop: Hop) => Promise<T>;

/**
 * Servers ("host:port") that do not accept a login in one packet. `secure`: the server encrypted once or requires it,
 * so it has to encrypt from then on; otherwise an attacker could answer in its place.
 */
const longWays = new Map<string, 'plain' | 'secure'>();

/** Clears them, for tests whose servers may reuse a port. */
export function forgetServers(): void {
  longWays.clear();
}

/**
 * Connects to the server of an address and runs requests there. If it redirects them, continues at the named server,
 * and so on. `run` may be called before the server has accepted this client; its result is used only if it does. The
 * connection is closed after a failure, otherwise left open. Throws ConnectionLost and the errors of `run`.
 */
export async function reach<T>(named: XrootdAddress, options: Reaching, run: Run<T>): Promise<T> {
  const { tried = new Set() } = options;
  let hop = withTried(options.from ?? firstHop(named), tried);
  for (let followed = 0; followed <= MAX_REDIRECTS; ) {
    const { address } = hop;
    const place = `${address.host}:${address.port}`.toLowerCase();
    const way = longWays.get(place);
    // A token in the address must not be sent before the server can ask for encryption.
    const quick = !address.secure && way === undefined && !hasSecrets(address.opaque);
    try {
      return await runAt(hop, way === 'secure', quick, named, options, run);
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
      hop = nextHop(hop, named, thrown.place, thrown.encrypted);
    }
  }
  const url = shownAddress(named);
  throw new XylemError({
    code: 'NETWORK',
    message: `${url}: the servers redirected more than ${MAX_REDIRECTS} times.`,
    where: { url },
  });
}

/** Returns the path of an address in the form for requests. */
export function requestPath({ path, opaque }: XrootdAddress): string {
  return opaque === '' ? path : `${path}?${opaque}`;
}

function withTried(hop: Hop, tried: ReadonlySet<string>): Hop {
  if (tried.size === 0) return hop;
  const { address } = hop;
  const text = `tried=${[...tried].slice(-MAX_TRIED).join(',')}`;
  const opaque = address.opaque === '' ? text : `${address.opaque}&${text}`;
  return { ...hop, address: { ...address, opaque } };
}

async function runAt<T>(
  hop: Hop,
  hasEncrypted: boolean,
  quick: boolean,
  named: XrootdAddress,
  { silenceMs, ca, token, onConnection }: Reaching,
  run: Run<T>,
): Promise<T> {
  const { address, sealed } = hop;
  const mayHave = mayHaveToken(address.host, token === 'none' ? undefined : named.host);
  const asks = sealed && hasSecrets(address.opaque) ? 'ask' : undefined;
  const connection = new XrootdConnection(address, quick, {
    ...{ silenceMs, ca, token: mayHave ? () => findToken() : undefined },
    encryption: address.secure || hasEncrypted ? 'must' : asks,
  });
  let told = address;
  try {
    onConnection?.(connection);
    if (!quick) await connection.ready;
    if (connection.encrypted) longWays.set(`${address.host}:${address.port}`.toLowerCase(), 'secure');
    told = addressAt(hop, connection.encrypted);
    const [ready, result] = await Promise.allSettled([connection.ready, run(connection, told, hop)]);
    if (ready.status === 'rejected') throw ready.reason;
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  } catch (thrown) {
    connection.close();
    throw isAboutAccess(thrown) ? withReason(thrown, hop, named, told) : thrown;
  }
}

/** Adds the reason why a server that refused did not get the token of the address. */
function withReason(refused: XylemError, hop: Hop, named: XrootdAddress, told: XrootdAddress): XylemError {
  const { host } = told;
  const isLeftOut = !hop.trusted && hasSecrets(named.opaque);
  const isOpen = hasSecrets(hop.address.opaque) && !hasSecrets(told.opaque);
  if (!isLeftOut && !isOpen) return refused;
  const fix = isOpen
    ? `The token of the address was not sent, because the connection to ${host} is not encrypted.`
    : `The token of the address was not sent to ${host}, which another server named without encryption. Write roots:// in the address, or name the host in XYLEM_TOKEN_HOSTS if it may have the token.`;
  return new XylemError({ ...refused.toRecord(), fix, cause: refused.cause });
}
