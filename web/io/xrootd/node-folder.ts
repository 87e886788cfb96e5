import { delay } from '../../base/abort';
import { parseXrootdUrl, shownAddress, type XrootdAddress } from './address';
import { ConnectionLost, protocolError, unreachable } from './errors';
import { dirlistRequest, IS_MANAGER, locateRequest, textOf } from './frames';
import type { XrootdConnection } from './node-connection';
import { type Reaching, reach, requestPath, type XrootdOptions } from './node-reach';

/** Most bytes of the listing of one folder. */
const MAX_LIST = 64 * 1024 * 1024;
/** Most servers that are asked for one folder, and the depth of redirectors below redirectors. */
const MAX_SERVERS = 256;
const MAX_DEPTH = 4;
const RETRIES = 2;
const IS_FOLDER = 2;

export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder';
  /** In bytes; undefined where the server does not tell. */
  size: number | undefined;
  /** Time of the last change, in seconds since 1970. */
  modified: number | undefined;
}

/**
 * Lists a folder of an XRootD server by name. Behind a redirector, the folders of all data servers that have it are
 * joined. Throws ARGUMENT, NOT_FOUND, NETWORK, TIMEOUT, IO and UNSUPPORTED.
 */
export async function listXrootdFolder(url: string, options: XrootdOptions = {}): Promise<FolderEntry[]> {
  const address = parseXrootdUrl(url, true);
  const entries = new Map<string, FolderEntry>();
  for (const server of await serversOf(address, options, MAX_DEPTH)) {
    const found = await ask(
      server,
      { ...options, token: tokenOf(server, address, options) },
      async (connection, at) => {
        const answer = await connection.send((stream) => dirlistRequest(stream, requestPath(at)), MAX_LIST);
        return entriesOf(textOf(answer), shownAddress(at));
      },
    );
    for (const entry of found) entries.set(entry.name, entry);
  }
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The data servers that have a path: the server itself unless it is a redirector. */
async function serversOf(
  address: XrootdAddress,
  options: XrootdOptions,
  depth: number,
): Promise<XrootdAddress[]> {
  const own = { ...options, token: options.token };
  const answer = await ask(address, own, async (connection, at) => {
    await connection.ready;
    if ((connection.flags & IS_MANAGER) === 0) return undefined;
    return textOf(await connection.send((stream) => locateRequest(stream, requestPath(at))));
  });
  if (answer === undefined) return [address];
  const servers: XrootdAddress[] = [];
  for (const [, kind = '', place = ''] of answer.matchAll(/([SsMm])[rw](\S+)/g)) {
    const [, inBrackets, name, port] = /^(?:\[(?:::)?([^\]]+)\]|([\w.-]+)):(\d+)$/.exec(place) ?? [];
    const host = inBrackets ?? name;
    if (host === undefined || servers.length >= MAX_SERVERS) continue;
    const there = { ...address, host, port: Number(port) };
    if (/s/i.test(kind)) servers.push(there);
    else if (depth > 0) servers.push(...(await serversOf(there, { ...options, token: 'none' }, depth - 1)));
  }
  return servers;
}

/** A server that only a redirector named gets no token. */
function tokenOf(server: XrootdAddress, named: XrootdAddress, { token }: XrootdOptions): 'none' | undefined {
  return server.host === named.host ? token : 'none';
}

/** Runs a request on a connection of its own, again when it is lost. */
async function ask<T>(
  address: XrootdAddress,
  options: Reaching,
  run: (connection: XrootdConnection, address: XrootdAddress) => Promise<T>,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await reach(address, options, async (connection, at) => {
        const result = await run(connection, at);
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

/** Names, each with a line of its own about it where the server tells it. */
function entriesOf(text: string, url: string): FolderEntry[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const withStat = lines[0] === '.' && lines[1] === '0 0 0 0';
  if (!withStat) return lines.map((name) => ({ name, kind: 'file', size: undefined, modified: undefined }));
  const entries: FolderEntry[] = [];
  for (let i = 2; i < lines.length; i += 2) {
    const [name = '', stat = ''] = lines.slice(i, i + 2);
    const [, size, flags, modified] = stat.split(' ').map(Number);
    if (name.includes('/') || !Number.isSafeInteger(size) || !Number.isSafeInteger(modified)) {
      throw protocolError(url, 'the listing of the folder cannot be understood');
    }
    entries.push({ name, kind: (flags ?? 0) & IS_FOLDER ? 'folder' : 'file', size, modified });
  }
  return entries.filter(({ name }) => name !== '.' && name !== '..');
}
