import { delay, SharedWork, throwIfAborted } from '../base/abort';
import { discard, readBody } from './http-body';
import { type Answer, type Exchange, type Failure, HttpClient, type HttpOptions } from './http-client';
import { changedError, encodedRangeError, lengthError, noRangesError, statusError } from './http-errors';
import {
  contentLength,
  contentRange,
  encodingOf,
  headersReadable,
  retryAfterMs,
  validatorOf,
} from './http-headers';
import { type BodyPart, boundaryOf, partReader } from './multipart';
import { checkRange, endOf, pastTheEnd } from './ranges';
import type { ByteSource, Range, SourceInfo } from './source';

/** A server without ranges is put up with for files up to this size in bytes: they are taken whole. */
const WHOLE_LIMIT = 64 * 1000 * 1000;
/** A server that asks for a longer wait than so many ms is not waited for. */
const LONGEST_WAIT = 30_000;

/** So much of the start is compared; it has the UUID, the dates and the end that ROOT writes. */
const HEAD_BYTES = 4096;
/** Apache takes no more than 200 ranges by default, and says that it is Apache. */
const FEW_PARTS = 160;
/** A header of 8 kB is the longest that many servers take. */
const LONGEST_HEADER = 7800;
/** Most that a part of an answer has besides its bytes. */
const PART_HEAD = 512;
/** Servers that gave something else for several ranges. */
const noParts = new Set<string>();
/** Servers that did so for more than a few, or are known to. */
const fewParts = new Set<string>();

type Attempt = Uint8Array | Failure;

/** The file from its start; not `complete` when it is longer than what is kept. */
interface Kept {
  bytes: Uint8Array;
  complete: boolean;
}

/**
 * Reads a file over HTTP(S) with single bounded ranges. The URL is used as it is given (a presigned
 * one stays valid); user and password in it are sent as a header, as fetch demands.
 * Throws ARGUMENT for what is no http(s) URL. Reads throw, besides what ByteSource says, HTTP_STATUS,
 * HTTP_NO_RANGES, HTTP_LENGTH, FILE_CHANGED, NETWORK, TIMEOUT and ABORTED.
 */
export function createHttpSource(url: string, options: HttpOptions = {}): ByteSource {
  return new HttpSource(new HttpClient(url, options), options);
}

class HttpSource implements ByteSource {
  readonly name: string;
  readonly concurrency: number;
  readonly origin = 'network';
  readonly #client: HttpClient;
  readonly #retries: number;
  readonly #backoffMs: number;
  /** Only what the server said for certain. */
  #size: number | undefined;
  /** By kind and host: a redirector may send us to copies that were made at different times. */
  readonly #validators = new Map<string, string>();
  /** Of a server without ranges. */
  #kept: Kept | undefined;
  #keeping: SharedWork<Kept> | undefined;
  /** Bytes that are known, to see whether answers of several ranges are right. */
  #samples: BodyPart[] = [];
  #partsProven = false;
  /** The start of the file as it was read first. */
  #head: Uint8Array | undefined;
  doubtful = 0;

  constructor(client: HttpClient, options: HttpOptions) {
    this.#client = client;
    this.name = client.shown;
    this.concurrency = options.concurrency ?? 6;
    this.#retries = options.retries ?? 3;
    this.#backoffMs = options.backoffMs ?? 400;
  }

  info(): SourceInfo {
    return { size: this.#size, validator: [...this.#validators.values()][0] };
  }

  async read(
    offset: number,
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<Uint8Array> {
    checkRange({ offset, length });
    throwIfAborted(signal);
    if (length === 0) return new Uint8Array(0);
    const bytes = await this.#persist(() => this.#attempt(offset, length, signal, onAnswer), signal);
    if (this.#samples.length === 0) this.#samples = samplesOf(offset, bytes);
    if (offset === 0) this.#head ??= bytes.slice(0, HEAD_BYTES);
    return bytes;
  }

  async readAgain(signal?: AbortSignal, onAnswer?: () => void): Promise<number> {
    const length = this.#head?.length ?? 0;
    if (length > 0) await this.read(0, length, signal, onAnswer);
    return length;
  }

  async readEnd(
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<{ offset: number; bytes: Uint8Array } | undefined> {
    throwIfAborted(signal);
    if (!this.#plain) return undefined;
    const result = await this.#client.get([{ last: length }], signal, async (exchange) => {
      onAnswer?.();
      const { response } = exchange;
      const { first, last = -1, size } = contentRange(response) ?? {};
      const whole = first !== undefined && size !== undefined && last === size - 1;
      const known = whole && first === Math.max(0, size - length);
      if (response.status !== 206 || !known || encodingOf(response)) {
        discard(response);
        return undefined;
      }
      // Without a validator nothing says that this came of the same content as the head, which comes at the same time.
      if (!this.#checkIdentity(response)) {
        discard(response);
        return undefined;
      }
      this.#noteSize(size, response);
      const body = await readBody(response, size - first, 'exact', exchange.touch);
      if (body.how === 'broken') {
        return exchange.broken(body, (found, cause) => this.#wrongLength(first, size - first, found, cause));
      }
      return body.bytes.length === size - first ? { offset: first, bytes: body.bytes } : undefined;
    });
    return result && isFailure(result) ? undefined : result;
  }

  /**
   * Whether ranges of any form may be asked for: elsewhere a browser would ask the server's leave first,
   * which most servers do not give.
   */
  get #plain(): boolean {
    return typeof location !== 'object' || location.origin === this.#client.url.origin;
  }

  get maxParts(): number {
    const { origin } = this.#client.url;
    const usable = this.#plain && !this.#kept && this.#samples.length > 0 && !noParts.has(origin);
    if (!usable) return 0;
    if (fewParts.has(origin)) return FEW_PARTS;
    const digits = String(this.#size ?? Number.MAX_SAFE_INTEGER).length;
    // The known bytes that are asked for as well, to compare.
    return Math.max(FEW_PARTS, Math.floor(LONGEST_HEADER / (2 * digits + 2)) - 2);
  }

  async readParts(
    ranges: readonly Range[],
    onPart: (index: number, bytes: Uint8Array) => void,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<boolean> {
    for (const range of ranges) checkRange(range);
    throwIfAborted(signal);
    const open = new Set(ranges.keys());
    const deliver = (part: BodyPart): void => {
      // Servers mostly give one part for each range, in their order: the first that is open is the one.
      for (const index of open) {
        const range = ranges[index] as Range;
        const from = range.offset - part.offset;
        if (part.offset + part.length <= range.offset) break;
        if (from < 0 || endOf(range) > endOf(part)) continue;
        open.delete(index);
        onPart(index, part.bytes.subarray(from, from + range.length));
      }
    };
    return this.#persist(async () => {
      const todo = [...open].map((index) => ranges[index] as Range);
      const failure = todo.length > 0 ? await this.#attemptParts(todo, deliver, signal, onAnswer) : undefined;
      if (failure) return failure;
      if (open.size > 0) (ranges.length > FEW_PARTS ? fewParts : noParts).add(this.#client.url.origin);
      return open.size === 0;
    }, signal);
  }

  /**
   * Asks for several ranges at once and delivers the parts while they come, once the answer has been
   * seen to be right. An answer that is of no use delivers nothing; one that breaks off is a failure.
   */
  async #attemptParts(
    todo: readonly Range[],
    deliver: (part: BodyPart) => void,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<Failure | undefined> {
    const probes = this.#partsProven ? [] : this.#samples;
    const asked = [...probes, ...todo];
    return this.#client.get(asked, signal, async (exchange): Promise<Failure | undefined> => {
      onAnswer?.();
      const { response } = exchange;
      const { status } = response;
      if (status === 429 || status >= 500) return this.#refused(response);
      const boundary =
        status === 206 && !encodingOf(response) && boundaryOf(response.headers.get('content-type'));
      if (!boundary) {
        discard(response);
        return undefined;
      }
      if (!this.#checkIdentity(response)) this.doubtful++;
      const held: BodyPart[] = [];
      let changedTo: number | undefined;
      const take = partReader(boundary);
      const onChunk = (buffer: Uint8Array, got: number): void => {
        exchange.touch();
        for (const part of take(buffer.subarray(0, got))) {
          if (part.size !== undefined && part.size !== (this.#size ?? part.size)) changedTo ??= part.size;
          held.push(part);
        }
        this.#partsProven ||= probes.every((probe) => isProven(probe, held));
        if (this.#partsProven && changedTo === undefined) for (const part of held.splice(0)) deliver(part);
      };
      const limit = asked.reduce((sum, range) => sum + range.length + PART_HEAD, PART_HEAD);
      const body = await readBody(response, limit, 'whole', onChunk, contentLength(response));
      if (changedTo !== undefined) this.#noteSize(changedTo, response);
      if (body.how !== 'broken') return undefined;
      const { offset } = asked[0] as Range;
      return exchange.broken(body, (found, cause) => this.#wrongLength(offset, limit, found, cause));
    });
  }

  /** Tries again after failures that may pass, with growing, random waits. */
  async #persist<T>(attempt: () => Promise<T | Failure>, signal?: AbortSignal): Promise<T> {
    for (let tried = 0; ; tried++) {
      const result = await attempt();
      if (!isFailure(result)) return result;
      const wait = result.waitMs ?? this.#backoffMs * 2 ** tried * (0.5 + Math.random() / 2);
      if (tried >= Math.min(result.retries, this.#retries) || wait > LONGEST_WAIT) throw result.error;
      await delay(wait, signal);
    }
  }

  async #attempt(
    offset: number,
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<Attempt> {
    if (this.#kept) return this.#slice(this.#kept, offset, length);
    const size = this.#size ?? Number.POSITIVE_INFINITY;
    if (offset >= size) throw pastTheEnd(this.name, offset, length, size);
    const wanted = Math.min(length, size - offset);
    const range = { offset, length: wanted };
    return this.#client.get([range], signal, async (exchange): Promise<Attempt> => {
      onAnswer?.();
      const { status } = exchange.response;
      if (status === 206) return this.#partial(exchange, offset, wanted, signal);
      if (status === 200) return this.#entire(exchange, offset, wanted, signal);
      if (status === 416) return this.#unsatisfiable(exchange, offset, wanted, signal);
      return this.#refused(exchange.response);
    });
  }

  /** 206: exactly the range, of the same file, or it is not used. */
  async #partial(exchange: Exchange, offset: number, length: number, signal?: AbortSignal): Promise<Attempt> {
    const { response } = exchange;
    const encoding = encodingOf(response);
    if (encoding) {
      discard(response);
      throw encodedRangeError(this.name, encoding);
    }
    const identified = this.#checkIdentity(response);
    if (/apache/i.test(response.headers.get('server') ?? '')) fewParts.add(this.#client.url.origin);
    const told = contentRange(response);
    if (told?.size !== undefined) this.#noteSize(told.size, response);
    const [last = -1, size = Number.POSITIVE_INFINITY] = [told?.last, told?.size];
    if (offset + length > size && last >= size) {
      // XRootD does not shorten a range that reaches past the end: it announces more than it sends.
      discard(response);
      exchange.end();
      return this.#attempt(offset, length, signal);
    }
    const expected = Math.min(length, (this.#size ?? Number.POSITIVE_INFINITY) - offset);
    const wrong = (found: string, cause?: unknown) => this.#wrongLength(offset, length, found, cause);
    if (told?.first !== undefined && (told.first !== offset || told.last !== offset + expected - 1)) {
      discard(response);
      return wrong(`the server sent ${told.first} to ${told.last}`);
    }
    const body = await readBody(response, expected, 'exact', exchange.touch);
    if (body.how === 'broken') return exchange.broken(body, wrong);
    if (body.how === 'enough') return wrong('more came');
    // Under CORS the server need not show Content-Range; then a complete, shorter answer is the end.
    const mayBeEnd = this.#size === undefined && !headersReadable(response) && body.bytes.length > 0;
    if (body.bytes.length !== expected && !mayBeEnd) return wrong(`${body.bytes.length} came`);
    const isHead = this.#checkHead(offset, body.bytes);
    if (!identified && !isHead) this.doubtful++;
    return body.bytes;
  }

  /** 200: the server does not do ranges. A small file is taken whole, of a large one only the start. */
  async #entire(exchange: Exchange, offset: number, length: number, signal?: AbortSignal): Promise<Attempt> {
    const { response } = exchange;
    this.#checkIdentity(response);
    const size = contentLength(response);
    if (size !== undefined) this.#noteSize(size, response);
    if (size === undefined || size <= WHOLE_LIMIT) {
      discard(response);
      exchange.end();
      return this.#slice(await this.#keepWhole(signal), offset, length);
    }
    const end = offset + length;
    if (end > WHOLE_LIMIT) {
      discard(response);
      throw noRangesError(this.name, offset, size);
    }
    const body = await readBody(response, end, 'start', exchange.touch);
    const wrong = (found: string, cause?: unknown) => this.#wrongLength(offset, length, found, cause);
    if (body.how === 'broken') return exchange.broken(body, wrong);
    this.#checkHead(0, body.bytes);
    if (body.bytes.length === end) return body.bytes.subarray(offset);
    return wrong(`the file ended after ${body.bytes.length}`);
  }

  /** 416: past the end, or a range that reaches past it, which some servers do not shorten. */
  async #unsatisfiable(
    exchange: Exchange,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const { response } = exchange;
    discard(response);
    exchange.end();
    const size = contentRange(response)?.size;
    if (size !== undefined) this.#noteSize(size, response);
    if (size !== undefined && offset < size && offset + length > size) {
      return this.#attempt(offset, length, signal);
    }
    if (size !== undefined && offset < size) throw statusError(this.name, 416);
    if (size === undefined && offset === 0) return this.#slice(await this.#keepWhole(signal), 0, length);
    throw pastTheEnd(this.name, offset, length, size);
  }

  /** Any other status. */
  #refused(response: Answer): Failure {
    const { status } = response;
    discard(response);
    const waitMs = retryAfterMs(response);
    const error = statusError(this.name, status, waitMs);
    const passing = status === 429 || (status >= 500 && status !== 501 && status !== 505);
    if (!passing) throw error;
    return { error, retries: Number.POSITIVE_INFINITY, waitMs };
  }

  /** Fetches the file without a range, once for all who need it, and keeps it. */
  async #keepWhole(signal?: AbortSignal): Promise<Kept> {
    if (this.#kept) return this.#kept;
    if (!this.#keeping || this.#keeping.abandoned) {
      this.#keeping = new SharedWork((all) => this.#persist(() => this.#whole(all), all));
    }
    return this.#keeping.join(signal);
  }

  #whole(signal: AbortSignal): Promise<Kept | Failure> {
    return this.#client.get([], signal, async (exchange): Promise<Kept | Failure> => {
      const { response } = exchange;
      if (response.status !== 200) return this.#refused(response);
      this.#checkIdentity(response);
      const size = contentLength(response);
      if (size !== undefined) this.#noteSize(size, response);
      const wrong = (found: string, cause?: unknown) =>
        this.#wrongLength(0, size ?? WHOLE_LIMIT, found, cause);
      const body = await readBody(response, WHOLE_LIMIT, 'whole', exchange.touch);
      if (body.how === 'broken') return exchange.broken(body, wrong);
      const complete = body.how === 'end';
      if (complete && size !== undefined && body.bytes.length !== size) {
        return wrong(`${body.bytes.length} came`);
      }
      this.#checkHead(0, body.bytes);
      if (complete) this.#size = body.bytes.length;
      this.#kept = { bytes: body.bytes, complete };
      return this.#kept;
    });
  }

  #slice(kept: Kept, offset: number, length: number): Uint8Array {
    const { bytes, complete } = kept;
    if (complete && offset >= bytes.length) throw pastTheEnd(this.name, offset, length, bytes.length);
    if (!complete && offset + length > bytes.length) throw noRangesError(this.name, offset, this.#size);
    return bytes.subarray(offset, offset + length);
  }

  #wrongLength(offset: number, length: number, found: string, cause?: unknown): Failure {
    const error = lengthError(this.name, offset, length, found, cause);
    return { error, retries: Number.POSITIVE_INFINITY };
  }

  #noteSize(found: number, response: Answer): void {
    if (this.#size === undefined) this.#size = found;
    if (this.#size === found) return;
    discard(response);
    throw changedError(this.name, `its size was ${this.#size} bytes and is ${found} bytes`);
  }

  /** Compares the start of the file with what was read of it first; false for other bytes. */
  #checkHead(offset: number, bytes: Uint8Array): boolean {
    const head = this.#head;
    if (offset > 0) return false;
    const common = Math.min(head?.length ?? 0, bytes.length);
    for (let i = 0; i < common; i++) {
      if (bytes[i] !== head?.[i]) throw changedError(this.name, `its byte ${i} is another one`);
    }
    return true;
  }

  /** False when the server does not say which content this is. Throws FILE_CHANGED. */
  #checkIdentity(response: Answer): boolean {
    const found = validatorOf(response);
    if (!found) return false;
    const host = response.url ? new URL(response.url).host : '';
    const key = `${found.kind} ${host}`;
    const before = this.#validators.get(key) ?? found.value;
    this.#validators.set(key, before);
    if (before === found.value) return true;
    discard(response);
    throw changedError(this.name, `its ${found.kind} was ${before} and is ${found.value}`);
  }
}

const SAMPLE_BYTES = 48;

/** Bytes from the start and the end of a read. */
function samplesOf(offset: number, bytes: Uint8Array): BodyPart[] {
  if (bytes.length < 3 * SAMPLE_BYTES) return [];
  return [0, bytes.length - SAMPLE_BYTES].map((at) => ({
    offset: offset + at,
    length: SAMPLE_BYTES,
    size: undefined,
    bytes: bytes.slice(at, at + SAMPLE_BYTES),
  }));
}

/** Whether a sample came as it is known. */
function isProven(sample: BodyPart, parts: readonly BodyPart[]): boolean {
  const part = parts.find((one) => one.offset <= sample.offset && endOf(one) >= endOf(sample));
  return (
    part !== undefined &&
    sample.bytes.every((byte, i) => byte === part.bytes[sample.offset - part.offset + i])
  );
}

function isFailure<T>(result: T | Failure): result is Failure {
  return typeof result === 'object' && result !== null && 'retries' in result;
}
