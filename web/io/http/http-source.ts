import { delay, SharedWork, throwIfAborted } from '../../base/abort';
import { checkBlockBytes } from '../blocks';
import { checkRead, common, pastTheEnd } from '../ranges';
import type { ByteSource, Range, ServerTrouble, SourceInfo } from '../source';
import { discard, readBody } from './http-body';
import {
  type Answer,
  type Exchange,
  type Failure,
  HttpClient,
  type HttpOptions,
  isFailure,
} from './http-client';
import { HttpContent } from './http-content';
import {
  changedError,
  encodedRangeError,
  lengthError,
  noRangesError,
  statusError,
  triedError,
  webPageError,
} from './http-errors';
import {
  type ContentRange,
  contentLength,
  contentRange,
  encodingOf,
  headersReadable,
  isWebPage,
  retryAfterMs,
} from './http-headers';
import type { BodyPart } from './multipart';
import { samplesOf } from './part-samples';
import { HTTP_REQUESTS } from './server-limits';
import { SeveralRanges } from './several-ranges';

/** Maximum size in bytes of a file that is fetched whole from a server without ranges. */
const WHOLE_LIMIT = 64 * 1000 * 1000;
/** Maximum wait in ms that a server may ask for. */
const MAX_WAIT = 30_000;

/** Maximum number of reads of the start for comparing the servers that a redirector chooses. */
const MAX_COMPARED = 16;

type Attempt = Uint8Array | Failure;

/** The start of the file. `complete`: it is the whole file. */
interface Kept {
  bytes: Uint8Array;
  complete: boolean;
  /** ms since 1970. */
  came: number;
}

/** A whole file that arrived within this many ms is not fetched again. */
const KEPT_MS = 5000;

/**
 * Reads a file over HTTP(S) with single bounded ranges. The URL is not changed, so a presigned URL stays valid; only
 * user and password are sent as a header, because fetch requires that. Throws ARGUMENT if it is not an http(s) URL.
 * Besides the errors of ByteSource, reads throw HTTP_STATUS, HTTP_NO_RANGES, HTTP_LENGTH, FILE_CHANGED, NETWORK,
 * TIMEOUT and ABORTED.
 */
export function createHttpSource(url: string, options: HttpOptions = {}): ByteSource {
  return new HttpSource(new HttpClient(url, options), options);
}

class HttpSource implements ByteSource {
  readonly name: string;
  readonly concurrency: number;
  readonly origin = 'network';
  readonly blockBytes: number | undefined;
  readonly #client: HttpClient;
  readonly #content: HttpContent;
  readonly #retries: number;
  readonly #backoffMs: number;
  /** Kept if the server does not support ranges. */
  #kept: Kept | undefined;
  #keeping: SharedWork<Kept> | undefined;
  /** Known bytes, which are requested again to check answers of several ranges. */
  #samples: BodyPart[] = [];
  readonly #several: SeveralRanges;
  /** Whether the sizes given by the server are wrong: see `#checkSize`. */
  #sizesWrong = false;
  unverified = 0;

  constructor(client: HttpClient, options: HttpOptions) {
    this.#client = client;
    this.name = client.shown;
    this.#content = new HttpContent(client.shown);
    this.blockBytes = options.align === undefined ? undefined : checkBlockBytes(options.align);
    this.concurrency = options.concurrency ?? HTTP_REQUESTS;
    this.#retries = options.retries ?? 3;
    this.#backoffMs = options.backoffMs ?? 400;
    this.#several = new SeveralRanges({
      client,
      content: this.#content,
      samples: () => this.#samples,
      attempt: ({ offset, length }, signal, onAnswer) => this.#attempt(offset, length, signal, onAnswer),
      persist: (attempt, signal, isOwn) => this.#persist(attempt, signal, isOwn),
      refused: (response) => this.#refused(response),
      wrongLength: (offset, length, found, cause) => this.#wrongLength(offset, length, found, cause),
      told: (response) => this.#told(response),
      doubt: (response) => this.#doubt(response),
    });
  }

  info(): SourceInfo {
    const { size, validator } = this.#content;
    return { size, validator };
  }

  begin(): void {
    this.#client.begin();
  }

  trouble(): ServerTrouble | undefined {
    return this.#client.trouble();
  }

  async read(
    offset: number,
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<Uint8Array> {
    checkRead({ offset, length }, signal);
    if (length === 0) return new Uint8Array(0);
    const sizeWasKnown = this.#content.size !== undefined;
    const bytes = await this.#persist(() => this.#attempt(offset, length, signal, onAnswer), signal);
    if (!sizeWasKnown && this.#content.size === offset + length) await this.#checkSize(signal);
    if (this.#samples.length === 0) this.#samples = samplesOf(offset, bytes);
    if (offset === 0) this.#content.setHead(bytes);
    return bytes;
  }

  /**
   * Detects servers that give the length of the part as the size of the file: "bytes 0-99/100" for a file of any
   * size. If the first range ends at the supposed end of the file, one more byte is requested. If it exists, sizes
   * are ignored from then on.
   */
  async #checkSize(signal: AbortSignal | undefined): Promise<void> {
    const end = this.#content.size ?? 0;
    const isThere = await this.#client.get([{ offset: end, length: 1 }], signal, async (exchange) => {
      const { response } = exchange;
      const isByte =
        response.status === 206 && !encodingOf(response) && contentRange(response)?.first === end;
      const body = isByte && (await readBody(response, 1, 'exact', exchange.touch));
      if (!body) discard(response);
      return body && body.how === 'end' && body.bytes.length === 1;
    });
    if (isFailure(isThere)) isThere.held?.brake.leave(isThere.held.pass);
    else if (isThere) {
      this.#sizesWrong = true;
      this.#content.setSize(undefined);
    }
  }

  /** Returns the Content-Range of an answer, without its size if sizes are wrong. */
  #told(response: Answer): ContentRange | undefined {
    const told = contentRange(response);
    return told && this.#sizesWrong ? { ...told, size: undefined } : told;
  }

  async readAgain(signal?: AbortSignal, onAnswer?: () => void): Promise<number> {
    const length = this.#content.headLength;
    if (length === 0) return 0;
    const { doubts } = this.#content;
    for (let tried = 0; tried < MAX_COMPARED; tried++) {
      await this.read(0, length, signal, onAnswer);
      // A redirector may use another server for this request.
      if (!doubts()) return length;
    }
    throw changedError(this.name, 'its servers could not be compared');
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
      const { first, last = -1, size } = this.#told(response) ?? {};
      const whole = first !== undefined && size !== undefined && last === size - 1;
      const known = whole && first === Math.max(0, size - length);
      if (response.status !== 206 || !known || encodingOf(response)) {
        discard(response);
        return undefined;
      }
      // Without a validator, nothing shows that this answer has the same content as the head, which is read at the
      // same time.
      if (!this.#content.checkIdentity(response)) {
        discard(response);
        return undefined;
      }
      this.#content.noteSize(size, response);
      const body = await readBody(response, size - first, 'exact', exchange.touch);
      if (body.how === 'broken') {
        return exchange.broken(body, (found, cause) => this.#wrongLength(first, size - first, found, cause));
      }
      return body.bytes.length === size - first ? { offset: first, bytes: body.bytes } : undefined;
    });
    if (!result || !isFailure(result)) return result;
    result.held?.brake.leave(result.held.pass);
    return undefined;
  }

  #doubt(response: Answer): void {
    this.#content.doubt(response);
    this.unverified++;
  }

  forget(ranges: readonly Range[]): void {
    this.#content.forgetHead(ranges);
    if (ranges.some((range) => this.#samples.some((sample) => common(range, sample).length > 0)))
      this.#samples = [];
    if (this.#kept && Date.now() - this.#kept.came > KEPT_MS) {
      this.#kept = undefined;
      this.#keeping = undefined;
    }
  }

  /**
   * Whether ranges of any form may be requested without a browser asking the server for permission, which most
   * servers do not give. Blocks of caches need no other ranges.
   */
  get #plain(): boolean {
    if (this.blockBytes !== undefined) return false;
    return typeof location !== 'object' || location.origin === this.#client.url.origin;
  }

  get maxParts(): number {
    const usable = this.#plain && !this.#kept && this.#samples.length > 0;
    return usable ? this.#several.most : 0;
  }

  readParts(
    ranges: readonly Range[],
    onPart: (index: number, bytes: Uint8Array) => void,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<boolean> {
    for (const range of ranges) checkRead(range, signal);
    return this.#several.read(ranges, onPart, signal, onAnswer);
  }

  /**
   * Retries after temporary failures, with growing, random waits. Failures with `isOwn` concern only this request, so
   * others do not wait for them.
   */
  async #persist<T>(
    attempt: () => Promise<T | Failure>,
    signal?: AbortSignal,
    isOwn: (failure: Failure) => boolean = () => false,
  ): Promise<T> {
    for (let tried = 1; ; tried++) {
      const result = await attempt();
      if (!isFailure(result)) return result;
      const { retries } = result;
      const held = isOwn(result) ? undefined : result.held;
      if (!held) result.held?.brake.leave(result.held.pass);
      const tries = 1 + Math.min(retries, this.#retries);
      const asksToWait = (result.waitMs ?? 0) > 0;
      const waitMs = result.waitMs ?? this.#backoffMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
      const verdict =
        waitMs > MAX_WAIT
          ? 'over'
          : (held?.brake.failed(held.pass, { tried, tries, waitMs, asksToWait }) ?? 'alone');
      if (verdict === 'over' || (verdict === 'alone' && tried >= tries)) {
        try {
          const why = (await result.explain?.(signal)) ?? result.error;
          throwIfAborted(signal);
          const error = triedError(why, verdict === 'alone' ? tried : (held?.brake.failures ?? tried));
          held?.brake.giveUp(held.pass, error);
          throw error;
        } finally {
          held?.brake.leave(held.pass);
        }
      }
      if (verdict === 'alone') await delay(waitMs, signal);
    }
  }

  async #attempt(
    offset: number,
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<Attempt> {
    if (this.#kept) return this.#slice(this.#kept, offset, length);
    const size = this.#content.size ?? Number.POSITIVE_INFINITY;
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

  /** Handles status 206. It is used only if it is exactly the range, of the same file. */
  async #partial(exchange: Exchange, offset: number, length: number, signal?: AbortSignal): Promise<Attempt> {
    const { response } = exchange;
    const encoding = encodingOf(response);
    if (encoding) {
      discard(response);
      throw encodedRangeError(this.name, encoding);
    }
    const identified = this.#content.checkIdentity(response);
    this.#several.note(response);
    const told = this.#told(response);
    if (told?.size !== undefined && told.first !== undefined && told.first >= told.size) {
      discard(response);
      return this.#wrongLength(
        offset,
        length,
        `the server sent ${told.first} to ${told.last} of ${told.size}`,
      );
    }
    if (told?.size !== undefined) this.#content.noteSize(told.size, response);
    const [last = -1, size = Number.POSITIVE_INFINITY] = [told?.last, told?.size];
    if (offset + length > size && last >= size) {
      // XRootD does not shorten a range that extends past the end: it announces more than it sends.
      discard(response);
      exchange.end();
      return this.#attempt(offset, length, signal);
    }
    const expected = Math.min(length, (this.#content.size ?? Number.POSITIVE_INFINITY) - offset);
    const wrong = (found: string, cause?: unknown) => this.#wrongLength(offset, length, found, cause);
    if (told?.first !== undefined && (told.first !== offset || told.last !== offset + expected - 1)) {
      discard(response);
      return wrong(`the server sent ${told.first} to ${told.last}`);
    }
    const unclear = told ? null : response.headers.get('content-range');
    if (unclear !== null) {
      discard(response);
      return wrong(`its Content-Range is ${JSON.stringify(unclear.slice(0, 60))}`);
    }
    const body = await readBody(response, expected, 'exact', exchange.touch);
    if (body.how === 'broken') return exchange.broken(body, wrong);
    if (body.how === 'enough') return wrong('more came');
    // Under CORS the server need not expose Content-Range. A complete, shorter answer is then the end of the file.
    const mayBeEnd = this.#content.size === undefined && !headersReadable(response) && body.bytes.length > 0;
    if (body.bytes.length !== expected && !mayBeEnd) return wrong(`${body.bytes.length} came`);
    const isHead = this.#content.checkHead(offset, body.bytes, response);
    if (!identified && !isHead) this.#doubt(response);
    // Bytes that arrived before the start may be from another server.
    else if (isHead && this.#content.doubts()) this.unverified++;
    return body.bytes;
  }

  /**
   * Handles status 200: the server does not support ranges. A small file is read whole, of a large one only the
   * start.
   */
  async #entire(exchange: Exchange, offset: number, length: number, signal?: AbortSignal): Promise<Attempt> {
    const { response } = exchange;
    const size = contentLength(response);
    const known = this.#content.size;
    if (known !== undefined && size !== known && isWebPage(response)) {
      discard(response);
      throw webPageError(this.name, offset);
    }
    this.#content.checkIdentity(response);
    if (size !== undefined) this.#content.noteSize(size, response);
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
    this.#content.checkHead(0, body.bytes, response);
    if (body.bytes.length === end) return body.bytes.subarray(offset);
    return wrong(`the file ended after ${body.bytes.length}`);
  }

  /** Handles status 416: the range is past the end, or extends past it, which some servers do not shorten. */
  async #unsatisfiable(
    exchange: Exchange,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const { response } = exchange;
    discard(response);
    const size = this.#told(response)?.size;
    if (size !== undefined) this.#content.noteSize(size, response);
    if (size !== undefined && offset < size && offset + length > size) {
      exchange.end();
      return this.#attempt(offset, length, signal);
    }
    if (offset < (size ?? this.#content.size ?? 0)) throw statusError(this.name, 416);
    if (size !== undefined || offset > 0) throw pastTheEnd(this.name, offset, length, size);
    exchange.end();
    return this.#slice(await this.#keepWhole(signal), 0, length);
  }

  /** Handles any other status. */
  #refused(response: Answer): Failure {
    const { status } = response;
    discard(response);
    const waitMs = retryAfterMs(response);
    const error = statusError(this.name, status, waitMs);
    const passing = status === 429 || (status >= 500 && status !== 501 && status !== 505);
    if (!passing) throw error;
    return { error, retries: Number.POSITIVE_INFINITY, waitMs };
  }

  /** Fetches the file without a range, once for all callers, and keeps it. */
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
      this.#content.checkIdentity(response);
      const size = contentLength(response);
      if (size !== undefined) this.#content.noteSize(size, response);
      const wrong = (found: string, cause?: unknown) =>
        this.#wrongLength(0, size ?? WHOLE_LIMIT, found, cause);
      const body = await readBody(response, WHOLE_LIMIT, 'whole', exchange.touch);
      if (body.how === 'broken') return exchange.broken(body, wrong);
      const complete = body.how === 'end';
      if (complete && size !== undefined && body.bytes.length !== size) {
        return wrong(`${body.bytes.length} came`);
      }
      this.#content.checkHead(0, body.bytes, response);
      if (complete) this.#content.setSize(body.bytes.length);
      this.#kept = { bytes: body.bytes, complete, came: Date.now() };
      return this.#kept;
    });
  }

  #slice(kept: Kept, offset: number, length: number): Uint8Array {
    const { bytes, complete } = kept;
    if (complete && offset >= bytes.length) throw pastTheEnd(this.name, offset, length, bytes.length);
    if (!complete && offset + length > bytes.length)
      throw noRangesError(this.name, offset, this.#content.size);
    return bytes.subarray(offset, offset + length);
  }

  #wrongLength(offset: number, length: number, found: string, cause?: unknown): Failure {
    const error = lengthError(this.name, offset, length, found, cause);
    return { error, retries: Number.POSITIVE_INFINITY };
  }
}
