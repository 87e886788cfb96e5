import type { Range } from '../source';

/** One part of an answer with several ranges. `size` is the size of the file, if given. */
export interface BodyPart extends Range {
  bytes: Uint8Array;
  size: number | undefined;
}

/** Returns the boundary in a Content-Type; undefined if it is not multipart/byteranges. */
export function boundaryOf(contentType: string | null): string | undefined {
  const match = /^multipart\/byteranges\s*;.*?boundary\s*=\s*(?:"([^"\r\n]{1,70})"|([^\s;]{1,70}))/i.exec(
    contentType ?? '',
  );
  return match?.[1] ?? match?.[2];
}

/** Maximum length of the headers of a part. */
const MAX_HEAD = 2048;
const LF = 10;
const CR = 13;
const NAME = bytesOf('content-range:');
const UNIT = bytesOf('bytes');

/**
 * Reads a multipart/byteranges body (RFC 9110, 14.6) while it arrives. Each call gets the body so far and returns the
 * newly completed parts, as views. The length of a part comes from its Content-Range, so its bytes may contain
 * anything. Heads are parsed as bytes, because there may be thousands.
 */
export function partReader(boundary: string): (body: Uint8Array) => BodyPart[] {
  const mark = bytesOf(`--${boundary}`);
  let at = 0;
  /** The part that begins at `at`, after its headers have arrived. Its bytes begin at `from`. */
  let next: (Omit<BodyPart, 'bytes'> & { from: number }) | undefined;

  function readHead(body: Uint8Array): typeof next {
    const end = endOfHead(body, at);
    if (end === undefined) return undefined;
    let line = placeOf(body, at, end, mark);
    if (line < 0) return undefined;
    for (; line >= 0; line = nextLine(body, line, end)) {
      const told = matches(body, line, NAME) ? readRange(body, line + NAME.length) : undefined;
      if (!told) continue;
      const length = told.last - told.first + 1;
      return length > 0 ? { offset: told.first, length, size: told.size, from: end + 4 } : undefined;
    }
    return undefined;
  }

  return (body) => {
    const parts: BodyPart[] = [];
    for (;;) {
      next ??= readHead(body);
      if (!next || next.from + next.length > body.length) return parts;
      const { offset, length, size, from } = next;
      at = from + length;
      next = undefined;
      parts.push({ offset, length, size, bytes: body.subarray(from, at) });
    }
  };
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Returns the start of the empty line after the headers that begin at `from`; undefined if it has not arrived. */
function endOfHead(body: Uint8Array, from: number): number | undefined {
  const last = Math.min(body.length, from + MAX_HEAD) - 4;
  for (let i = from; i <= last; i++) {
    if (body[i] === CR && body[i + 1] === LF && body[i + 2] === CR && body[i + 3] === LF) return i;
  }
  return undefined;
}

/** Returns the position of the mark's bytes; -1 if not found. */
function placeOf(body: Uint8Array, from: number, end: number, mark: Uint8Array): number {
  for (let i = from; i + mark.length <= end; i++) {
    let same = 0;
    while (same < mark.length && body[i + same] === mark[same]) same++;
    if (same === mark.length) return i;
  }
  return -1;
}

/** Returns the start of the line after the one at `from`; -1 if there is none. */
function nextLine(body: Uint8Array, from: number, end: number): number {
  for (let i = from; i < end; i++) if (body[i] === LF) return i + 1;
  return -1;
}

/** Whether the letters are at a position, in any case. The given letters are lower case. */
function matches(body: Uint8Array, at: number, letters: Uint8Array): boolean {
  for (let i = 0; i < letters.length; i++) {
    const byte = body[at + i] ?? 0;
    const small = byte >= 65 && byte <= 90 ? byte + 32 : byte;
    if (small !== letters[i]) return false;
  }
  return true;
}

/** Parses "bytes 0-99/1234" or "bytes 0-99/" and a star, up to the end of the line; undefined for anything else. */
function readRange(
  body: Uint8Array,
  from: number,
): { first: number; last: number; size: number | undefined } | undefined {
  let at = from;
  const blanks = () => {
    while (body[at] === 32 || body[at] === 9) at++;
  };
  /** Parses a number of at most 15 digits; -1 if there is none. */
  const number = (): number => {
    const start = at;
    let value = 0;
    for (let byte = body[at] ?? 0; byte >= 48 && byte <= 57; byte = body[++at] ?? 0)
      value = value * 10 + byte - 48;
    return at > start && at - start <= 15 ? value : -1;
  };
  const take = (letter: string): boolean => body[at] === letter.charCodeAt(0) && at++ >= 0;
  blanks();
  if (!matches(body, at, UNIT)) return undefined;
  at += UNIT.length;
  blanks();
  const first = number();
  if (!take('-')) return undefined;
  const last = number();
  if (!take('/')) return undefined;
  const size = take('*') ? undefined : number();
  blanks();
  if (first < 0 || last < 0 || (size ?? 0) < 0 || body[at] !== CR) return undefined;
  return { first, last, size };
}
