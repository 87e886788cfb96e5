import { delay, raceAbort } from '../../base/abort';
import { XylemError } from '../../base/errors';
import { checkRead, endOf, pastTheEnd } from '../ranges';
import type { ByteSource, Range, SourceInfo } from '../source';
import { parseXrootdUrl, shownAddress, type XrootdAddress } from './address';
import { ConnectionLost, protocolError, Redirected, unreachable } from './errors';
import {
  closeRequest,
  openRequest,
  readRequest,
  readvPieces,
  readvRequest,
  settingsRequest,
  textOf,
} from './frames';
import { XrootdConnection } from './node-connection';

/** Redirects that are followed for one file. */
const MAX_REDIRECTS = 16;
/** Times that a file is opened again after its connection was lost. */
const RETRIES = 3;
const BACKOFF_MS = 300;
/** Most bytes of one read; longer ones are several. */
const MAX_READ = 8 * 1024 * 1024;

/** Limits of a server for one vector of reads. */
interface VectorLimits {
  parts: number;
  bytes: number;
}

/** A file that is open on a server. */
interface OpenFile {
  connection: XrootdConnection;
  handle: Uint8Array;
  size: number;
  /** Time of the last change, in seconds since 1970, as the server tells it. */
  changed: string;
  limits: VectorLimits;
}

/**
 * Opens a file of an XRootD server (root://, roots://). Connections that are lost are made again, beginning with the
 * server that the address names; a file that has changed then gives FILE_CHANGED. Throws ARGUMENT, NOT_FOUND,
 * NETWORK, TIMEOUT, IO and UNSUPPORTED.
 */
export async function openXrootdFile(url: string): Promise<ByteSource> {
  const source = new XrootdSource(parseXrootdUrl(url));
  await source.open();
  return source;
}

class XrootdSource implements ByteSource {
  readonly name: string;
  readonly concurrency = 6;
  readonly origin = 'network';
  #file: Promise<OpenFile> | undefined;
  #first: OpenFile | undefined;
  #closed = false;

  constructor(readonly address: XrootdAddress) {
    this.name = shownAddress(address);
  }

  async open(): Promise<void> {
    this.#first = await this.#persist(async (file) => file);
  }

  get maxParts(): number {
    return this.#first?.limits.parts ?? 0;
  }

  info(): SourceInfo {
    if (!this.#first) return {};
    return { size: this.#first.size, validator: `mtime ${this.#first.changed}` };
  }

  async read(
    offset: number,
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<Uint8Array> {
    checkRead({ offset, length }, signal);
    if (length === 0) return new Uint8Array(0);
    const size = this.#first?.size ?? 0;
    if (offset >= size) throw pastTheEnd(this.name, offset, length, size);
    const wanted = { offset, length: Math.min(length, size - offset) };
    return await this.#persist((file) => this.#readRange(file, wanted, onAnswer), signal);
  }

  /** Vectors have as many ranges and bytes as the server takes; a range that is too long for one is read alone. */
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
        const pieces = await this.#persist((file) => this.#readVector(file, parts, onAnswer), signal);
        for (const [i, index] of vector.entries()) onPart(index, pieces[i] as Uint8Array);
      }),
    );
    return true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const file = await this.#file?.catch(() => undefined);
    if (!file) return;
    await file.connection.send((stream) => closeRequest(stream, file.handle)).catch(() => undefined);
    file.connection.close();
  }

  async #readRange(file: OpenFile, { offset, length }: Range, onAnswer?: () => void): Promise<Uint8Array> {
    if (length > MAX_READ) {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; at += MAX_READ) {
        const part = { offset: offset + at, length: Math.min(MAX_READ, length - at) };
        bytes.set(await this.#readRange(file, part, onAnswer), at);
      }
      return bytes;
    }
    const { connection, handle } = file;
    const bytes = await connection.send(
      (stream) => readRequest(stream, handle, { offset, length }),
      length,
      onAnswer,
    );
    if (bytes.length !== length) throw pastTheEnd(this.name, offset, length, offset + bytes.length);
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

  /** Runs something with the open file, again after its connection was lost. */
  async #persist<T>(run: (file: OpenFile) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tried = 0; ; tried++) {
      if (this.#closed) throw this.#failure('IO', 'the file has been closed');
      try {
        return await raceAbort(this.#current().then(run), signal);
      } catch (thrown) {
        if (!(thrown instanceof ConnectionLost)) throw thrown;
        if (tried >= RETRIES) throw unreachable(this.name, thrown);
        await delay(BACKOFF_MS * 2 ** tried, signal);
      }
    }
  }

  /** Returns the open file. All who wait while its connection is made again share one new connection. */
  async #current(): Promise<OpenFile> {
    const known = this.#file;
    const there = await known?.catch(() => undefined);
    if (there && !there.connection.lost) return there;
    // Another caller may have begun to open it while this one waited.
    if (this.#file === known) this.#file = this.#openAgain();
    return (await this.#file) as OpenFile;
  }

  /** Opens the file and compares it with what was opened first, before anybody reads from it. */
  async #openAgain(): Promise<OpenFile> {
    const file = await this.#openFile();
    const first = this.#first;
    if (!first || (file.size === first.size && file.changed === first.changed)) return file;
    file.connection.close();
    throw this.#failure('FILE_CHANGED', 'the file was replaced while it was read', 'Open it again.');
  }

  async #openFile(): Promise<OpenFile> {
    let address = this.address;
    for (let followed = 0; followed <= MAX_REDIRECTS; followed++) {
      const connection = await XrootdConnection.open(address);
      const path = address.opaque === '' ? address.path : `${address.path}?${address.opaque}`;
      try {
        const [answer, limits] = await Promise.all([
          connection.send((stream) => openRequest(stream, path)),
          vectorLimits(connection),
        ]);
        return { connection, handle: answer.slice(0, 4), limits, ...this.#stat(answer) };
      } catch (thrown) {
        connection.close();
        if (!(thrown instanceof Redirected)) throw thrown;
        const own = this.address.opaque;
        const opaque = [own, thrown.opaque].filter((one) => one !== '').join('&');
        address = { ...address, host: thrown.host, port: thrown.port, opaque };
      }
    }
    throw this.#failure('NETWORK', `the servers redirected more than ${MAX_REDIRECTS} times`);
  }

  /** Size and time of change: the second and fourth word after the handle and the kind of compression. */
  #stat(answer: Uint8Array): { size: number; changed: string } {
    const words = textOf(answer.subarray(12)).trim().split(' ');
    const size = Number(words[1]);
    if (words.length < 4 || !Number.isSafeInteger(size) || size < 0) {
      throw protocolError(this.name, 'the server does not tell the size of the file');
    }
    return { size, changed: words[3] ?? '' };
  }

  #failure(code: 'IO' | 'FILE_CHANGED' | 'NETWORK', what: string, fix?: string): XylemError {
    return new XylemError({
      code,
      message: `${this.name}: ${what}.`,
      where: { url: this.name },
      ...(fix && { fix }),
    });
  }
}

/** Asks what the server takes in one vector of reads; none where it does not tell. */
async function vectorLimits(connection: XrootdConnection): Promise<VectorLimits> {
  const names = 'readv_ior_max readv_iov_max';
  const none = { parts: 0, bytes: 0 };
  try {
    const answer = await connection.send((stream) => settingsRequest(stream, names));
    const [bytes = Number.NaN, parts = Number.NaN] = textOf(answer).trim().split(/\s+/).map(Number);
    if (!Number.isSafeInteger(bytes) || !Number.isSafeInteger(parts)) return none;
    return { bytes: Math.max(0, bytes), parts: Math.max(0, Math.min(parts, 1024)) };
  } catch (thrown) {
    if (thrown instanceof XylemError) return none;
    throw thrown;
  }
}

/** Indices of ranges, in vectors that the server takes. */
function vectorsOf(ranges: readonly Range[], limits: VectorLimits): number[][] {
  const vectors: number[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const [index, { length }] of ranges.entries()) {
    const last = vectors.at(-1);
    if (last && last.length < limits.parts && bytes + length <= limits.bytes) {
      last.push(index);
      bytes += length;
    } else {
      vectors.push([index]);
      bytes = length;
    }
  }
  return vectors;
}
