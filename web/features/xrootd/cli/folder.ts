import { delay } from '../../../base/abort';
import { overBudget, unsupported } from '../../../base/data-errors';
import { XylemError } from '../../../base/errors';
import type { FolderEntry } from '../../../cli/part';
import { parseXrootdUrl, shownAddress, type XrootdAddress } from '../../../io/schemes';
import { ConnectionLost, type Place, protocolError, unreachable } from '../work/errors';
import { dirlistRequest, IS_MANAGER, locateRequest, textOf } from '../work/frames';
import { firstHop, type Hop, nextHop } from '../work/node-hops';
import { type Reaching, type Run, reach, requestPath, type XrootdOptions } from '../work/node-reach';

/** Maximum bytes of the list of one folder, of all servers together. */
const MAX_LIST = 64 * 1024 * 1024;
/**
 * Maximum number of names in one folder, of all servers together. Each takes a hundred times the memory of its bytes.
 */
const MAX_NAMES = 500_000;
/**
 * Maximum number of servers that are asked for one folder, including redirectors, and maximum depth of redirectors.
 */
const MAX_SERVERS = 256;
const MAX_DEPTH = 4;
/**
 * Maximum number of connections for one folder. A server may need a second one, for encryption or after a redirect.
 */
const MAX_CONNECTIONS = 4 * MAX_SERVERS;
const RETRIES = 2;
const IS_FOLDER = 2;
const LINE_END = 10;

/** A server that is asked for a folder. */
interface Server {
  hop: Hop;
  /** Number of redirectors before it. */
  depth: number;
  /** Whether it may be a redirector. */
  mayBeManager: boolean;
}

/**
 * Lists a folder of an XRootD server by name. Behind a redirector, the folders of all data servers that have it are
 * joined. Each server is asked once. Throws ARGUMENT, NOT_FOUND, NETWORK, TIMEOUT, IO and UNSUPPORTED.
 */
export async function listXrootdFolder(url: string, options: XrootdOptions = {}): Promise<FolderEntry[]> {
  const named = parseXrootdUrl(url, true);
  const entries = new Map<string, FolderEntry>();
  const servers: Server[] = [{ hop: firstHop(named), depth: 0, mayBeManager: true }];
  const known = new Set(servers.map(({ hop }) => nameOf(hop)));
  let [left, names, connections, lists] = [MAX_LIST, MAX_NAMES, MAX_CONNECTIONS, 0];
  const onConnection = () => {
    if (connections-- <= 0) throw tooMany(named);
  };
  for (const { hop: from, depth, mayBeManager } of servers) {
    const told = await ask(named, { ...options, from, onConnection }, async (connection, at, hop) => {
      if (mayBeManager) await connection.ready;
      const path = requestPath(at);
      if (mayBeManager && (connection.flags & IS_MANAGER) !== 0) {
        const places = placesIn(textOf(await connection.send((stream) => locateRequest(stream, path))));
        const next = (place: Place) => nextHop(hop, named, place, connection.encrypted);
        return places.map(({ place, isManager }) => ({ hop: next(place), mayBeManager: isManager }));
      }
      const answer = await connection.send((stream) => dirlistRequest(stream, path), left);
      return { bytes: answer.length, entries: entriesOf(answer, names, shownAddress(at)) };
    });
    if ('bytes' in told) {
      lists += 1;
      left = Math.max(0, left - told.bytes);
      names -= told.entries.length;
      for (const entry of told.entries) entries.set(entry.name, entry);
      continue;
    }
    for (const there of told) {
      if (known.has(nameOf(there.hop))) continue;
      if (known.size >= MAX_SERVERS || depth >= MAX_DEPTH) throw tooMany(named);
      known.add(nameOf(there.hop));
      servers.push({ ...there, depth: depth + 1 });
    }
  }
  if (lists === 0) {
    const shown = shownAddress(named);
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `${shown}: the redirector names no server that has this folder.`,
      where: { url: shown },
      fix: 'Check the path of the address.',
    });
  }
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const nameOf = ({ address: { host, port } }: Hop): string => `${host}:${port}`.toLowerCase();

/** Returns the servers that a redirector names: "Sr[::1.2.3.4]:1094 Mw[2001:db8::1]:1094". */
function placesIn(answer: string): { place: Place; isManager: boolean }[] {
  return answer.split(/\s+/).flatMap((word) => {
    const [, kind = '', inBrackets, name, digits] =
      /^([SsMm])[rw](?:\[(?:::(?=\d+\.))?([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(word) ?? [];
    const [host, port] = [inBrackets ?? name, Number(digits)];
    if (host === undefined || port < 1 || port > 65_535) return [];
    return [{ place: { host, port, opaque: '', secure: false }, isManager: /m/i.test(kind) }];
  });
}

function tooManyNames(url: string): XylemError {
  return overBudget(
    `${url}: the folder has more than ${MAX_NAMES / 1000},000 names.`,
    'List a folder below it.',
    { url },
  );
}

function tooMany(named: XrootdAddress): XylemError {
  const url = shownAddress(named);
  return unsupported(
    `${url}: the folder is on more than ${MAX_SERVERS} servers, or behind more than ${MAX_DEPTH} redirectors.`,
    'Name one of the data servers in the address.',
    { url },
  );
}

/** Runs a request on a new connection, and again if that is lost. */
async function ask<T>(address: XrootdAddress, options: Reaching, run: Run<T>): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await reach(address, options, async (connection, at, hop) => {
        const result = await run(connection, at, hop);
        await connection.ready;
        connection.close();
        return result;
      });
    } catch (thrown) {
      if (!(thrown instanceof ConnectionLost)) throw thrown;
      if (tried >= RETRIES) throw unreachable(shownAddress(address), thrown);
      await delay(300 * 2 ** tried);
    }
  }
}

/** Returns names, each with a line of facts if the server gives one. */
function entriesOf(answer: Uint8Array, most: number, url: string): FolderEntry[] {
  const count = answer.reduce((sum, byte) => sum + (byte === LINE_END ? 1 : 0), 0);
  // A name may have an additional line with numbers.
  if (count > 2 * (most + 1)) throw tooManyNames(url);
  const lines = textOf(answer)
    .split('\n')
    .filter((line) => line !== '');
  const withStat = lines[0] === '.' && lines[1] === '0 0 0 0';
  const entries: FolderEntry[] = [];
  for (let i = withStat ? 2 : 0; i < lines.length; i += withStat ? 2 : 1) {
    const [name = '', stat = ''] = withStat ? lines.slice(i, i + 2) : [lines[i]];
    const [, size, flags = 0, modified] = stat.split(' ').map(Number);
    const isTold = Number.isSafeInteger(size) && Number.isSafeInteger(modified);
    if (name.includes('/') || (withStat && !isTold)) {
      throw protocolError(url, 'the listing of the folder cannot be understood');
    }
    if (name === '.' || name === '..') continue;
    entries.push({ name, kind: flags & IS_FOLDER ? 'folder' : 'file', size, modified });
  }
  return entries;
}
