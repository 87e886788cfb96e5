import { XylemError } from '../../base/errors';
import { endOf, totalLength } from '../ranges';
import type { Range } from '../source';
import { discard, readBody } from './http-body';
import { type Answer, type Exchange, type Failure, type HttpClient, isFailure } from './http-client';
import type { HttpContent } from './http-content';
import { statusError } from './http-errors';
import { type ContentRange, contentLength, encodingOf, retryAfterMs } from './http-headers';
import { type BodyPart, boundaryOf, partReader } from './multipart';
import { matchesSample } from './part-samples';
import { createPartVerdicts } from './part-verdicts';
import { FEW_PARTS, mostParts } from './server-limits';

/** Maximum number of extra bytes in an answer of one part, for gaps that the server included. */
const MAX_JOINED = 1024 * 1024;
/** Maximum number of bytes of a part besides its content. */
const PART_HEAD = 512;
/** Shared by all files of this thread. */
const verdicts = createPartVerdicts();
/**
 * Number of successive wrong answers that are tolerated from a server that answered several ranges correctly before.
 */
const PATIENCE = 2;

/** Functions and facts of a source that reads single ranges. */
export interface SingleRanges {
  readonly client: HttpClient;
  readonly content: HttpContent;
  /** Known bytes, which are requested again to check answers of several ranges. */
  samples(): readonly BodyPart[];
  attempt(
    range: Range,
    signal: AbortSignal | undefined,
    onAnswer: (() => void) | undefined,
  ): Promise<Uint8Array | Failure>;
  persist<T>(
    attempt: () => Promise<T | Failure>,
    signal: AbortSignal | undefined,
    isOwn: (failure: Failure) => boolean,
  ): Promise<T>;
  /** Returns the failure for an answer of another status. Throws if it is permanent. */
  refused(response: Answer): Failure;
  wrongLength(offset: number, length: number, found: string, cause?: unknown): Failure;
  /** Returns the Content-Range of an answer, without unreliable parts. */
  told(response: Answer): ContentRange | undefined;
  /** Notes that an answer is used although it may belong to other content. */
  doubt(response: Answer): void;
}

/**
 * Reads several ranges by one request. Servers answer such requests in many ways, and some fail although they serve
 * single ranges well. After any failure one of the ranges is requested alone.
 */
export class SeveralRanges {
  readonly #single: SingleRanges;
  #verified = false;
  /** Number of successive answers without the requested ranges. */
  #oddAnswers = 0;
  /** Whether the server accepts only a few ranges. */
  #few = false;

  constructor(single: SingleRanges) {
    this.#single = single;
  }

  /** Notes from any answer what the server supports. */
  note(response: Answer): void {
    this.#few ||= /apache/i.test(response.headers.get('server') ?? '');
  }

  /** Returns the number of ranges that one request may have; 0 if the server does not answer several. */
  get most(): number {
    const { client, content } = this.#single;
    const most = verdicts.most(client.url);
    if (most <= FEW_PARTS) return most;
    if (this.#few) return FEW_PARTS;
    return mostParts(content.size);
  }

  /** See ByteSource.readParts. */
  async read(
    ranges: readonly Range[],
    onPart: (index: number, bytes: Uint8Array) => void,
    signal: AbortSignal | undefined,
    onAnswer: (() => void) | undefined,
  ): Promise<boolean> {
    const open = new Set(ranges.keys());
    const deliver = (part: BodyPart): void => {
      // Most servers give one part for each range, in order, so the first open range is the right one.
      for (const index of open) {
        const range = ranges[index] as Range;
        const from = range.offset - part.offset;
        if (part.offset + part.length <= range.offset) break;
        if (from < 0 || endOf(range) > endOf(part)) continue;
        open.delete(index);
        onPart(index, part.bytes.subarray(from, from + range.length));
      }
    };
    const one = (range: Range) => this.#attemptOne(range, deliver, signal, onAnswer);
    /** Set after a request of several ranges failed; then single ones are requested. */
    let failed = false;
    const attempt = async (): Promise<Failure | boolean> => {
      const todo = [...open].map((index) => ranges[index] as Range);
      const [first] = todo;
      if (!first) return true;
      // One range is answered as a plain body, not as a part.
      if (todo.length === 1 || failed) return (await one(first)) ?? open.size === 0;
      const failure = await this.#attemptParts(todo, deliver, signal, onAnswer);
      if (failure && mayBeOfParts(failure)) {
        failed = true;
        failure.held?.brake.leave(failure.held.pass);
        const [next] = open;
        const alone = next === undefined ? undefined : await one(ranges[next] as Range);
        // The server or the network is the cause.
        if (alone) return alone;
        this.#noteOddAnswer(ranges.length);
        return open.size === 0;
      }
      if (failure) return failure;
      if (open.size === 0) this.#noteParts(ranges.length);
      else this.#noteOddAnswer(ranges.length);
      return open.size === 0;
    };
    try {
      return await this.#single.persist(attempt, signal, isWrongLength);
    } catch (thrown) {
      // Answers that are cut off repeatedly exceed some limit on the way.
      if (!(thrown instanceof XylemError) || thrown.code !== 'HTTP_LENGTH') throw thrown;
      this.#noteOddAnswer(ranges.length);
      return false;
    }
  }

  #noteParts(ranges: number): void {
    this.#oddAnswers = 0;
    verdicts.accept(this.#single.client.url, ranges);
  }

  #noteOddAnswer(ranges: number): void {
    this.#oddAnswers++;
    const patience = this.#verified && ranges <= FEW_PARTS ? PATIENCE : 1;
    if (this.#oddAnswers >= patience) verdicts.refuse(this.#single.client.url, ranges);
  }

  async #attemptOne(
    range: Range,
    deliver: (part: BodyPart) => void,
    signal: AbortSignal | undefined,
    onAnswer: (() => void) | undefined,
  ): Promise<Failure | undefined> {
    const result = await this.#single.attempt(range, signal, onAnswer);
    if (isFailure(result)) return result;
    deliver({ offset: range.offset, length: result.length, size: undefined, bytes: result });
    return undefined;
  }

  /**
   * Requests several ranges at once and delivers the parts as they arrive, once the answer has been checked.
   * A wrong answer delivers nothing; one that breaks off is a failure.
   */
  #attemptParts(
    todo: readonly Range[],
    deliver: (part: BodyPart) => void,
    signal: AbortSignal | undefined,
    onAnswer: (() => void) | undefined,
  ): Promise<Failure | undefined> {
    const { client, content, wrongLength, refused, doubt } = this.#single;
    const probes = this.#verified ? [] : this.#single.samples();
    const asked = [...probes, ...todo];
    const handle = async (exchange: Exchange): Promise<Failure | undefined> => {
      onAnswer?.();
      const { response } = exchange;
      const { status } = response;
      if (status === 429 || (status >= 500 && retryAfterMs(response) !== undefined)) return refused(response);
      if (status >= 500) {
        discard(response);
        return { error: statusError(content.name, status), retries: Number.POSITIVE_INFINITY };
      }
      const boundary =
        status === 206 && !encodingOf(response) && boundaryOf(response.headers.get('content-type'));
      if (!boundary) return this.#lonePart(exchange, asked, probes, deliver);
      const identified = content.checkIdentity(response);
      if (!identified) doubt(response);
      const held: BodyPart[] = [];
      let changedTo: number | undefined;
      const take = partReader(boundary);
      const onChunk = (buffer: Uint8Array, got: number): void => {
        exchange.touch(buffer, got);
        for (const part of take(buffer.subarray(0, got))) {
          if (part.size !== undefined && part.size !== (content.size ?? part.size)) changedTo ??= part.size;
          held.push(part);
        }
        this.#verified ||= probes.every((probe) => matchesSample(probe, held));
        if (this.#verified && changedTo === undefined) for (const part of held.splice(0)) deliver(part);
      };
      const limit = asked.reduce((sum, range) => sum + range.length + PART_HEAD, PART_HEAD);
      const body = await readBody(response, limit, 'whole', onChunk, contentLength(response));
      if (changedTo !== undefined) {
        // The same content has the same size, so only these answers are wrong.
        if (identified) return undefined;
        content.noteSize(changedTo, response);
      }
      if (body.how !== 'broken') return undefined;
      const { offset } = asked[0] as Range;
      return exchange.broken(body, (found, cause) => wrongLength(offset, limit, found, cause));
    };
    return client.get(asked, signal, handle, !this.#verified);
  }

  /**
   * Reads a single-part answer to several ranges. A server may join ranges that are close to each other, or answer
   * only the first. Other answers are not usable.
   */
  async #lonePart(
    exchange: Exchange,
    asked: readonly Range[],
    probes: readonly BodyPart[],
    deliver: (part: BodyPart) => void,
  ): Promise<Failure | undefined> {
    const { content, wrongLength, told, doubt } = this.#single;
    const { response } = exchange;
    const { first = -1, last = -1, size } = told(response) ?? {};
    const length = last - first + 1;
    const span = endOf(asked.at(-1) as Range) - (asked[0] as Range).offset;
    const useful = response.status === 206 && !encodingOf(response) && first >= 0 && length > 0;
    if (!useful || length > Math.min(span, totalLength(asked) + MAX_JOINED)) {
      discard(response);
      return undefined;
    }
    if (!content.checkIdentity(response)) doubt(response);
    if (size !== undefined) content.noteSize(size, response);
    const body = await readBody(response, length, 'exact', exchange.touch);
    const wrong = (found: string, cause?: unknown) => wrongLength(first, length, found, cause);
    if (body.how === 'broken') return exchange.broken(body, wrong);
    const part: BodyPart = { offset: first, length, size, bytes: body.bytes };
    const differs = (probe: BodyPart): boolean =>
      probe.offset >= first && endOf(probe) <= endOf(part) && !matchesSample(probe, [part]);
    if (body.how === 'end' && body.bytes.length === length && !probes.some(differs)) deliver(part);
    return undefined;
  }
}

function isWrongLength({ error }: Failure): boolean {
  return error.code === 'HTTP_LENGTH';
}

/** Whether a failure may be caused by the number of ranges. A server that asks to wait is only busy. */
function mayBeOfParts({ error, waitMs = 0 }: Failure): boolean {
  const { code } = error;
  return code === 'TIMEOUT' || code === 'NETWORK' || (code === 'HTTP_STATUS' && waitMs === 0);
}
