import type { XrootdFacts } from '../../../cli/part';
import { parseXrootdUrl, shownAddress } from '../../../io/schemes';
import { ConnectionLost, unreachable } from '../work/errors';
import {
  checksumRequest,
  HAS_CHECKED_READS,
  IS_MANAGER,
  openRequest,
  pingRequest,
  readRequest,
  settingsRequest,
  textOf,
} from '../work/frames';
import type { XrootdConnection } from '../work/node-connection';
import { reach, requestPath } from '../work/node-reach';

const PINGS = 5;
/** Maximum bytes read for each measurement of the throughput. */
const MAX_MEASURED = 8 * 1024 * 1024;
const PIECE = 1024 * 1024;

/** Measures how a file can be read from a server. Reads at most 16 MB. Throws the errors of opening the file. */
export async function probeXrootd(
  url: string,
  onStep: (label: string) => void = () => {},
): Promise<XrootdFacts> {
  const address = parseXrootdUrl(url);
  const connections: XrootdConnection[] = [];
  const open = () =>
    reach(address, {}, async (connection, at) => {
      const opened = await connection.send((stream) => openRequest(stream, requestPath(at)));
      await connection.ready;
      connections.push(connection);
      return {
        connection,
        at,
        handle: opened.slice(0, 4),
        size: Number(textOf(opened.subarray(12)).split(' ')[1]),
      };
    });
  type Opened = Awaited<ReturnType<typeof open>>;

  /** Returns the bytes per second of connections that each read a part of the file. */
  const measure = async (files: readonly Opened[], size: number): Promise<number> => {
    const most = Math.min(size, MAX_MEASURED);
    const share = Math.ceil(most / files.length);
    const started = performance.now();
    await Promise.all(
      files.map(async ({ connection, handle }, i) => {
        const pieces: Promise<unknown>[] = [];
        const end = Math.min(most, (i + 1) * share);
        for (let offset = i * share; offset < end; offset += PIECE) {
          const range = { offset, length: Math.min(PIECE, end - offset) };
          pieces.push(connection.send((stream) => readRequest(stream, handle, range), range.length));
        }
        await Promise.all(pieces);
      }),
    );
    return (1000 * most) / (performance.now() - started);
  };

  try {
    onStep('opening');
    let redirects = false;
    await reach(address, {}, async (connection) => {
      await connection.ready;
      redirects = (connection.flags & IS_MANAGER) !== 0;
      connection.close();
    });
    const first = await open();
    const { connection, at, size } = first;
    const ask = async (names: string): Promise<string[]> =>
      textOf(await connection.send((stream) => settingsRequest(stream, names)).catch(() => new Uint8Array(0)))
        .trim()
        .split(/\s+/);
    const [bytes, parts, version] = await ask('readv_ior_max readv_iov_max version');
    let roundTrip = Number.POSITIVE_INFINITY;
    for (let i = 0; i < PINGS; i++) {
      const started = performance.now();
      await connection.send(pingRequest);
      roundTrip = Math.min(roundTrip, performance.now() - started);
    }
    onStep('reading on one connection');
    const throughput = await measure([first], size);
    onStep('reading on four connections');
    const others = await Promise.all([open(), open(), open()]);
    const throughputOfFour = await measure([first, ...others], size);
    onStep('asking for the checksum');
    const checksum = await connection
      .send((stream) => checksumRequest(stream, requestPath(at)))
      .then((answer) => textOf(answer).trim() || undefined)
      .catch(() => undefined);
    const [shown, there] = [shownAddress(address), shownAddress(at)];
    return {
      ...{ url: shown, redirectedTo: shown === there ? undefined : there, redirects },
      version: version && /\d/.test(version) && !/^version$/.test(version) ? version : undefined,
      protocol: [connection.version >> 8, (connection.version >> 4) & 15, connection.version & 15].join('.'),
      encrypted: connection.encrypted,
      logins: [...connection.offered.matchAll(/P=([a-z0-9]+)/gi)].map(([, name = '']) => name),
      size,
      ...{ vectorParts: whole(parts), vectorBytes: whole(bytes) },
      checkedReads: (connection.flags & HAS_CHECKED_READS) !== 0,
      ...{ roundTrip, throughput, throughputOfFour, checksum },
    };
  } catch (thrown) {
    throw thrown instanceof ConnectionLost ? unreachable(shownAddress(address), thrown) : thrown;
  } finally {
    for (const connection of connections) connection.close();
  }
}

function whole(text: string | undefined): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
