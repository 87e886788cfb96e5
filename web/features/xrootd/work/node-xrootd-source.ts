import { delay, raceAbort } from '../../../base/abort';
import { XylemError } from '../../../base/errors';
import {
  MAX_XROOTD_READ,
  type VectorLimits,
  vectorsOf,
  XROOTD_REQUESTS,
  XROOTD_VECTORS,
} from '../../../io/http/server-limits';
import { checkRead, endOf, pastTheEnd } from '../../../io/ranges';
import { parseXrootdUrl, shownAddress, type XrootdAddress } from '../../../io/schemes';
import {
  type Range,
  type ServedFile,
  type ServerTrouble,
  type SourceInfo,
  TOLD_MS,
} from '../../../io/source';
import { ConnectionLost, protocolError, Redirected, unreachable } from './errors';
import {
  checkedReadRequest,
  closeRequest,
  HAS_CHECKED_READS,
  openRequest,
  openStatRequest,
  readRequest,
  readvPieces,
  readvRequest,
  settingsRequest,
  statRequest,
  textOf,
} from './frames';
import type { XrootdConnection } from './node-connection';
import { Lanes } from './node-lanes';
import { reach, requestPath, type XrootdOptions } from './node-reach';
import { checkedPages, pageOverhead } from './pages';

/** Number of times that a file is opened again after a lost connection. */
const RETRIES = 3;
const BACKOFF_MS = 300;
/** Number of attempts to read a page whose checksum is wrong. */
const PAGE_TRIES = 3;

interface OpenFile {
  connection: XrootdConnection;
  /** Its path on this server, with the opaque part. */
  path: string;
  handle: Uint8Array;
  size: number;
  /** Time of the last change, in seconds since 1970, according to the server. */
  changed: string;
  limits: VectorLimits;
  /** Time in ms for connecting and opening. */
  connectMs: number;
  /** The first bytes of the file, if they were received with the opening. */
  head: Uint8Array | undefined;
  /**
   * How to ask the server for the state of the file. Some servers cannot give it for an open file, and a few not at
   * all.
   */
  stateBy: 'handle' | 'path' | 'nothing';
  /** Bytes that were received with the opening. They are used once. */
  ahead: { range: Range; bytes: Uint8Array } | undefined;
}

/** A read that is sent together with the opening of a file. */
interface FirstRead {
  range: Range;
  onAnswer: (() => void) | undefined;
}

/** Number of bytes at the start that identify copies of a file. A ROOT file has its identity and its end there. */
const HEAD_BYTES = 100;
/** Maximum length of the first read: the head of a file. */
const MAX_FIRST = 128 * 1024;
/** Handle that a server gives to the first file of a connection. */
const FIRST_HANDLE = new Uint8Array(4);

/**
 * Returns a source for a file of an XRootD server (root://, roots://), which is opened with its first read. Lost
 * connections are opened again, starting at the server in the address; if the file has changed, that gives
 * FILE_CHANGED. Throws ARGUMENT; its reads throw NOT_FOUND, NETWORK, TIMEOUT, IO and UNSUPPORTED.
 */
export function createXrootdSource(url: string, options: XrootdOptions = {}): ServedFile {
  return new XrootdSource(parseXrootdUrl(url), options);
}

class XrootdSource implements ServedFile {
  readonly name: string;
  readonly concurrency = XROOTD_REQUESTS;
  readonly origin = 'network';
  #file: Promise<OpenFile> | undefined;
  #first: OpenFile | undefined;
  /** The currently open file, and connections on which it is being opened. */
  #current: OpenFile | undefined;
  readonly #opening = new Set<XrootdConnection>();
  readonly #lanes = new Lanes(() => this.#openSame());
  /** Data servers that could not be reached. A connection that was closed because it was idle does not count. */
  readonly #tried = new Set<string>();
  /** Whether bytes could not be decoded since the start of the file was last compared. */
  #doubted = false;
  /** Number of lost connections since anything was received. */
  #failed = 0;
  #closed = false;

  constructor(
    readonly address: XrootdAddress,
    readonly options: XrootdOptions,
  ) {
    this.name = shownAddress(address);
  }

  get maxParts(): number {
    return this.#first?.limits.parts ?? 0;
  }

  /** The server on which the file is open, for tests and reports. */
  get connectedTo(): string | undefined {
    const { address } = this.#current?.connection ?? {};
    return address && `${address.host}:${address.port}`;
  }

  info(): SourceInfo {
    if (!this.#first) return {};
    return { size: this.#first.size, validator: `mtime ${this.#first.changed}` };
  }

  trouble(): ServerTrouble | undefined {
    const { connection } = this.#current ?? {};
    const all = [...this.#opening, ...this.#lanes.connections, ...(connection ? [connection] : [])];
    const silent = all.flatMap(({ lost, silentMs }) => (lost || silentMs === undefined ? [] : [silentMs]));
    // All running requests are silent.
    const silentMs = silent.length > 0 ? Math.min(...silent) : 0;
    const [tried, tries] = this.#failed > 0 ? [this.#failed + 1, RETRIES + 1] : [1, 1];
    return silentMs < TOLD_MS && tried === 1 ? undefined : { silentMs, tried, tries, nextMs: 0 };
  }

  async open(signal?: AbortSignal): Promise<void> {
    await this.#persist(async () => {}, signal);
  }

  async isReplaced(signal?: AbortSignal): Promise<boolean> {
    const run = async ({ connection, path, size, changed }: OpenFile): Promise<boolean> => {
      const now = this.#stat(await connection.send((stream) => statRequest(stream, path)));
      return now.size !== size || now.changed !== changed;
    };
    return await this.#persist(run, signal);
  }

  async read(
    offset: number,
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<Uint8Array> {
    checkRead({ offset, length }, signal);
    if (length === 0) return new Uint8Array(0);
    const range = { offset, length };
    if (length > MAX_XROOTD_READ) return await this.#readLong(range, signal, onAnswer);
    const run = (file: OpenFile) => {
      const { size } = file;
      if (offset >= size) throw pastTheEnd(this.name, offset, length, size);
      return this.#readRange(file, { offset, length: Math.min(length, size - offset) }, onAnswer);
    };
    return await this.#onLane(length, run, signal, length <= MAX_FIRST ? { range, onAnswer } : undefined);
  }

  /** Makes several reads at once. The last may be shorter, at the end of the file. */
  async #readLong({ offset, length }: Range, signal?: AbortSignal, onAnswer?: () => void) {
    await this.open(signal);
    const end = Math.min(offset + length, this.#first?.size ?? 0);
    if (offset >= end) throw pastTheEnd(this.name, offset, length, end);
    const bytes = new Uint8Array(end - offset);
    const starts = Array.from(
      { length: Math.ceil(bytes.length / MAX_XROOTD_READ) },
      (_, i) => i * MAX_XROOTD_READ,
    );
    await Promise.all(
      starts.map(async (at) => {
        const part = Math.min(MAX_XROOTD_READ, bytes.length - at);
        bytes.set(await this.read(offset + at, part, signal, onAnswer), at);
      }),
    );
    return bytes;
  }

  /**
   * Reads vectors with as many ranges and bytes as the server accepts. A range that is too long for a vector is read
   * separately.
   */
  async readParts(
    ranges: readonly Range[],
    onPart: (index: number, bytes: Uint8Array) => void,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<boolean> {
    for (const range of ranges) checkRead(range, signal);
    const { size = 0, limits } = this.#first ?? {};
    // One range past the end fails the whole vector.
    if (!limits || ranges.some((range) => endOf(range) > size)) return false;
    const vectors = vectorsOf(ranges, limits);
    await Promise.all(
      vectors.map(async (vector) => {
        const parts = vector.map((index) => ranges[index] as Range);
        const length = parts.reduce((sum, part) => sum + part.length, 0);
        const pieces = await this.#onLane(length, (file) => this.#readVector(file, parts, onAnswer), signal);
        for (const [i, index] of vector.entries()) onPart(index, pieces[i] as Uint8Array);
      }),
    );
    return true;
  }

  /** Makes the next read compare the start of the file, because servers give its time only in seconds. */
  forget(ranges: readonly Range[]): void {
    this.#doubted ||= ranges.every(({ offset }) => offset >= HEAD_BYTES);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const end = ({ connection, handle }: OpenFile) =>
      connection.end((stream) => closeRequest(stream, handle));
    this.#lanes.close(end);
    if (this.#current) end(this.#current);
    for (const connection of this.#opening) connection.close();
  }

  async #readRange(file: OpenFile, { offset, length }: Range, onAnswer?: () => void): Promise<Uint8Array> {
    const { connection, handle, ahead } = file;
    if (ahead && ahead.range.offset === offset && ahead.bytes.length === length) {
      file.ahead = undefined;
      return ahead.bytes;
    }
    // Encryption already protects the bytes.
    if ((connection.flags & HAS_CHECKED_READS) !== 0 && !connection.encrypted) {
      return await this.#readChecked(file, { offset, length }, onAnswer);
    }
    const bytes = await connection.send(
      (stream) => readRequest(stream, handle, { offset, length }),
      length,
      onAnswer,
    );
    if (bytes.length !== length) throw pastTheEnd(this.name, offset, length, offset + bytes.length);
    return bytes;
  }

  /** Reads with a checksum for each page. Damaged pages are read again. */
  async #readChecked(
    file: OpenFile,
    range: Range,
    onAnswer?: () => void,
    tries = PAGE_TRIES,
  ): Promise<Uint8Array> {
    const { connection, handle } = file;
    const { offset, length } = range;
    const most = length + pageOverhead(length);
    const make = (stream: number) => checkedReadRequest(stream, handle, range);
    const found = checkedPages(await connection.send(make, most, onAnswer), range);
    if (!found) throw pastTheEnd(this.name, offset, length, offset);
    const { bytes, bad } = found;
    if (bad.length > 0 && tries <= 1) {
      throw this.#failure('CHECKSUM', `bytes ${bad[0]?.offset} and more came damaged again and again`);
    }
    for (const page of bad) {
      const again = await this.#readChecked(file, page, undefined, tries - 1);
      bytes.set(again, page.offset - offset);
    }
    return bytes;
  }

  async #readVector(file: OpenFile, ranges: readonly Range[], onAnswer?: () => void): Promise<Uint8Array[]> {
    const [only] = ranges;
    if (ranges.length === 1 && only) return [await this.#readRange(file, only, onAnswer)];
    const { connection, handle } = file;
    const limit = ranges.reduce((sum, { length }) => sum + length + 16, 0);
    const answer = await connection.send((stream) => readvRequest(stream, handle, ranges), limit, onAnswer);
    const pieces = readvPieces(answer, ranges);
    if (!pieces) throw protocolError(this.name, 'the server gave other ranges than were asked for');
    return pieces.map((piece) => piece.slice());
  }

  /** As `#persist`, on the connection of the file with the least work. */
  async #onLane<T>(
    bytes: number,
    run: (file: OpenFile) => Promise<T>,
    signal?: AbortSignal,
    first?: FirstRead,
  ): Promise<T> {
    return await this.#persist(
      (file) => this.#lanes.use(file, bytes, file.connectMs, (own) => this.#unchanged(own, run), signal),
      signal,
      first,
    );
  }

  /**
   * Reads, and asks in the same packet whether the file is still the one that was opened, because the bytes do not
   * show it. Throws FILE_CHANGED.
   */
  async #unchanged<T>(file: OpenFile, run: (file: OpenFile) => Promise<T>): Promise<T> {
    const { ahead } = file;
    const reading = run(file);
    const isDoubted = this.#doubted;
    // Bytes received with the opening belong to the opened file.
    if (!isDoubted && (file.stateBy === 'nothing' || ahead !== file.ahead)) return await reading;
    const [result, state, start] = await Promise.allSettled([
      reading,
      file.stateBy === 'nothing' ? undefined : this.#stateOf(file),
      isDoubted ? this.#hasSameStart(file) : true,
    ]);
    if (state.status === 'fulfilled' && state.value) {
      const { size, changed } = state.value;
      if (size !== file.size || changed !== file.changed) throw this.#replaced();
    }
    if (start.status === 'fulfilled' && !start.value) throw this.#replaced();
    for (const one of [result, state, start]) if (one.status === 'rejected') throw one.reason;
    if (isDoubted) this.#doubted = false;
    return (result as PromiseFulfilledResult<T>).value;
  }

  /** Whether the start of the file is that of the file opened first; true if the start was not kept. */
  async #hasSameStart({ connection, handle, size }: OpenFile): Promise<boolean> {
    const head = this.#first?.head;
    if (!head) return true;
    const range = { offset: 0, length: Math.min(HEAD_BYTES, size) };
    const now = await connection.send((stream) => readRequest(stream, handle, range), range.length);
    return Buffer.compare(now, head) === 0;
  }

  /** Returns the present state of the file; undefined if the server says that it cannot give it. */
  async #stateOf(file: OpenFile): Promise<{ size: number; changed: string } | undefined> {
    const { connection, handle, path } = file;
    if (file.stateBy === 'handle') {
      try {
        return this.#stat(await connection.send((stream) => openStatRequest(stream, handle)));
      } catch (thrown) {
        if (!(thrown instanceof XylemError)) throw thrown;
        if (thrown.code === 'UNSUPPORTED') file.stateBy = 'path';
      }
    }
    try {
      return this.#stat(await connection.send((stream) => statRequest(stream, path)));
    } catch (thrown) {
      if (!(thrown instanceof XylemError) || thrown.code !== 'UNSUPPORTED') throw thrown;
      file.stateBy = 'nothing';
      return undefined;
    }
  }

  /**
   * Runs `run` with the open file, and again after a lost connection. `first` is read while the file is being opened.
   */
  async #persist<T>(
    run: (file: OpenFile) => Promise<T>,
    signal?: AbortSignal,
    first?: FirstRead,
  ): Promise<T> {
    for (let tried = 0; ; tried++) {
      if (this.#closed) throw this.#failure('IO', 'the file has been closed');
      try {
        const result = await raceAbort(this.#ready(first).then(run), signal);
        this.#failed = 0;
        return result;
      } catch (thrown) {
        // A server that redirects a request no longer has the file, so the way starts again.
        if (thrown instanceof Redirected) (await this.#file?.catch(() => undefined))?.connection.close();
        else if (!(thrown instanceof ConnectionLost)) throw thrown;
        if (tried >= RETRIES) throw unreachable(this.name, thrown);
        this.#failed = Math.max(this.#failed, tried + 1);
        await delay(BACKOFF_MS * 2 ** tried, signal);
      }
    }
  }

  /** Returns the open file. While it is being reconnected, all callers share one new connection. */
  async #ready(first?: FirstRead): Promise<OpenFile> {
    const known = this.#file;
    const there = await known?.catch(() => undefined);
    if (there && !there.connection.lost) return there;
    // Another caller may have begun to open it.
    if (this.#file === known) this.#file = this.#openAgain(first);
    return (await this.#file) as OpenFile;
  }

  /** Opens the file for all reads. */
  async #openAgain(read?: FirstRead): Promise<OpenFile> {
    const file = await this.#openSame(read);
    this.#first ??= file;
    this.#current = file;
    return file;
  }

  /** Opens the file on a new connection, and compares it with the file opened first. */
  async #openSame(read?: FirstRead): Promise<OpenFile> {
    const file = await this.#openFile(read);
    const first = this.#first;
    let isSame: boolean;
    try {
      isSame = !first || (file.size === first.size && (await this.#isSameContent(file, first)));
    } catch (thrown) {
      file.connection.close();
      throw thrown;
    }
    if (isSame && !this.#closed) return file;
    file.connection.close();
    if (isSame) throw this.#failure('IO', 'the file has been closed');
    throw this.#replaced();
  }

  /**
   * Whether two files have the same content. Two servers may have copies of one file, each with the time of its copy.
   */
  async #isSameContent(file: OpenFile, first: OpenFile): Promise<boolean> {
    if (file.changed === first.changed) return true;
    const { host, port } = file.connection.address;
    const isElsewhere = host !== first.connection.address.host || port !== first.connection.address.port;
    return isElsewhere && first.head !== undefined && (await this.#hasSameStart(file));
  }

  /** Opens the file, and gets its size, the limits of the server and the first bytes in one packet. */
  async #openFile(first?: FirstRead): Promise<OpenFile> {
    const { range } = first ?? {};
    const own: XrootdConnection[] = [];
    const onConnection = (connection: XrootdConnection) => {
      own.push(connection);
      this.#opening.add(connection);
    };
    const started = performance.now();
    try {
      return await reach(
        this.address,
        { ...this.options, onConnection, tried: this.#tried },
        async (connection, address) => {
          const [opened, limits, ahead] = await Promise.allSettled([
            connection.send((stream) => openRequest(stream, requestPath(address))),
            vectorLimits(connection),
            range
              ? connection.send(
                  (stream) => readRequest(stream, FIRST_HANDLE, range),
                  range.length,
                  first?.onAnswer,
                )
              : undefined,
          ]);
          if (opened.status === 'rejected') throw opened.reason;
          if (limits.status === 'rejected') throw limits.reason;
          const handle = opened.value.slice(0, 4);
          const { size, changed } = this.#stat(opened.value.subarray(12));
          // The handle was a guess. Bytes of another file are impossible, because this is the only open one.
          const bytes =
            ahead.status === 'fulfilled' && handle.every((byte) => byte === 0) ? ahead.value : undefined;
          return {
            ...{ connection, path: requestPath(address), handle, limits: limits.value, size, changed },
            connectMs: performance.now() - started,
            head: range?.offset === 0 ? bytes?.slice(0, HEAD_BYTES) : undefined,
            stateBy: 'handle',
            ahead: range && bytes && { range, bytes },
          };
        },
      );
    } catch (thrown) {
      throw this.#closed ? this.#failure('IO', 'the file has been closed') : thrown;
    } finally {
      for (const connection of own) this.#opening.delete(connection);
    }
  }

  /** Returns size and time of change: the second and fourth word of the server's answer. */
  #stat(answer: Uint8Array): { size: number; changed: string } {
    const words = textOf(answer).trim().split(' ');
    const size = Number(words[1]);
    if (words.length < 4 || !Number.isSafeInteger(size) || size < 0) {
      throw protocolError(this.name, 'the server does not tell the size of the file');
    }
    return { size, changed: words[3] ?? '' };
  }

  #replaced(): XylemError {
    return this.#failure('FILE_CHANGED', 'the file was replaced while it was read', 'Open it again.');
  }

  #failure(code: 'IO' | 'FILE_CHANGED' | 'CHECKSUM', what: string, fix?: string): XylemError {
    return new XylemError({
      code,
      message: `${this.name}: ${what}.`,
      where: { url: this.name },
      ...(fix && { fix }),
    });
  }
}

/** Asks for the limits of a vector read; undefined if the server does not give them. */
async function vectorLimits(connection: XrootdConnection): Promise<VectorLimits> {
  const names = 'readv_ior_max readv_iov_max';
  const none = { parts: 0, bytes: 0 };
  try {
    const answer = await connection.send((stream) => settingsRequest(stream, names));
    const [bytes = Number.NaN, parts = Number.NaN] = textOf(answer).trim().split(/\s+/).map(Number);
    if (!Number.isSafeInteger(bytes) || !Number.isSafeInteger(parts)) return none;
    return { bytes: Math.max(0, bytes), parts: Math.max(0, Math.min(parts, XROOTD_VECTORS.parts)) };
  } catch (thrown) {
    if (thrown instanceof XylemError) return none;
    throw thrown;
  }
}
