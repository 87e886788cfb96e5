import { unsupported } from '../../../base/data-errors';
import { type ErrorRecord, fromRecord, XylemError } from '../../../base/errors';
import { GATEWAY_PATH, KEY_HEADER, pathOnGateway } from '../../../io/http/gateway-path';
import { createHttpSource } from '../../../io/http/http-source';
import { parseXrootdUrl, shownAddress, type XrootdAddress } from '../../../io/schemes';
import type { ByteSource } from '../../../io/source';

/** Time limit in ms for a gateway and for https servers. */
const PATIENCE_MS = 4000;

/**
 * Opens a file of an XRootD server in a page, through the page's server (`xylem serve --gateway`), which reads it for
 * clients with its key. Throws ARGUMENT. Throws UNSUPPORTED if no gateway serves the page; the message says how to
 * start one, and gives the https address of the file if its server offers one.
 */
export async function openThroughGateway(
  url: string,
  origin: string | undefined,
  key: string | undefined,
  send: typeof fetch = (input, init) => fetch(input, init),
): Promise<ByteSource> {
  const address = parseXrootdUrl(url);
  const withKey: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set(KEY_HEADER, key ?? '');
    return send(input, { ...init, headers });
  };
  if (origin === undefined || !(await hasGateway(origin, withKey))) throw await noGateway(address, send);
  const typed = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const response = await withKey(input, init);
    if (response.ok || response.status === 416) return response;
    throw (await errorOf(response)) ?? brokenGateway(address, response.status);
  };
  return createHttpSource(origin + pathOnGateway(url), { fetch: typed, shown: shownAddress(address) });
}

/** Whether the server of the page is a gateway. Throws its error if it does not read for this browser. */
async function hasGateway(origin: string, send: typeof fetch): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await send(origin + GATEWAY_PATH, { signal, cache: 'no-store' }).catch(() => undefined);
  if (!answer) return false;
  if (answer.status === 401) {
    const refused = await errorOf(answer);
    if (refused) throw refused;
  }
  const found: unknown = answer.ok ? await answer.json().catch(() => undefined) : undefined;
  return typeof found === 'object' && found !== null && 'gateway' in found && found.gateway === 'xylem';
}

/** The typed error of an answer of a gateway. */
async function errorOf(answer: Response): Promise<XylemError | undefined> {
  const record = (await answer.json().catch(() => undefined)) as Partial<ErrorRecord> | undefined;
  const isOne = typeof record?.code === 'string' && typeof record.message === 'string';
  return isOne ? fromRecord(record as ErrorRecord) : undefined;
}

function brokenGateway(address: XrootdAddress, status: number): XylemError {
  const url = shownAddress(address);
  return new XylemError({
    code: 'HTTP_STATUS',
    message: `${url}: the gateway answered ${status}.`,
    where: { url },
    fix: 'Start "xylem serve --gateway" again.',
  });
}

async function noGateway(address: XrootdAddress, send: typeof fetch): Promise<XylemError> {
  const url = shownAddress(address);
  const door = await httpsDoor(address, send);
  const { host, port } = address;
  const name = `${host.includes(':') ? `[${host}]` : host}${port === 1094 ? '' : `:${port}`}`;
  const tried =
    address.opaque === ''
      ? `The same path was tried by https on ${host}, which does not give it to this page. `
      : '';
  const start = `To read root:// in a page, start "xylem serve --gateway ${name}" on your machine and open the link that it prints.`;
  return unsupported(
    `${url}: browsers cannot use the XRootD protocol.`,
    door === undefined ? tried + start : `Its server gives the same file at ${door}. ${start}`,
    { url, ...(door !== undefined && { instead: [door] }) },
  );
}

/**
 * Returns the https address of a file of an XRootD server: on the same port, or on the default port of https.
 * Undefined if neither allows reading. Sends no token.
 */
export async function httpsDoor(
  { host, port, path, opaque }: XrootdAddress,
  send: typeof fetch = (input, init) => fetch(input, init),
): Promise<string | undefined> {
  // The part after "?" may be secret, and is meant for the protocol of the address.
  if (opaque !== '') return undefined;
  const name = host.includes(':') ? `[${host}]` : host;
  const names = path.split('/').map(encodeURIComponent).join('/');
  const doors = [`https://${name}:${port}${names}`, `https://${name}${names}`];
  const found = await Promise.all(
    doors.map(async (door) => ((await isRootFile(door, send)) ? door : undefined)),
  );
  return found.find((door) => door !== undefined);
}

async function isRootFile(url: string, send: typeof fetch): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await send(url, {
      ...{ signal, headers: { Range: 'bytes=0-3' }, cache: 'no-store', credentials: 'omit' },
    });
    const whole = answer.status !== 206;
    if (whole) {
      await answer.body?.cancel();
      return false;
    }
    return (await answer.text()) === 'root';
  } catch {
    // It cannot be reached, or this page may not read it, so it is not an alternative.
    return false;
  }
}
