import type { Range } from './source';

/** One part of an answer of several ranges; `size` is that of the file, where it is told. */
export interface BodyPart extends Range {
  bytes: Uint8Array;
  size: number | undefined;
}

/** The boundary that a Content-Type names; undefined when it is not multipart/byteranges. */
export function boundaryOf(contentType: string | null): string | undefined {
  const match = /^multipart\/byteranges\s*;.*?boundary\s*=\s*(?:"([^"\r\n]{1,70})"|([^\s;]{1,70}))/i.exec(
    contentType ?? '',
  );
  return match?.[1] ?? match?.[2];
}

/** Headers of a part are not longer than this. */
const LONGEST_HEAD = 2048;
const CR = 13;
const LF = 10;

/**
 * Reads a multipart/byteranges body (RFC 9110, 14.6) while it comes: each call gets the body as far
 * as it is there, and gives the parts that became whole, as views. Each part's length is that of its
 * Content-Range, so its bytes may hold anything.
 */
export function partReader(boundary: string): (body: Uint8Array) => BodyPart[] {
  const mark = `--${boundary}`;
  let at = 0;
  /** The part that begins at `at`, once its headers are here; `from` is where its bytes begin. */
  let next: (Omit<BodyPart, 'bytes'> & { from: number }) | undefined;

  function readHead(body: Uint8Array): typeof next {
    const end = endOfHead(body, at);
    if (end === undefined) return undefined;
    // Latin-1; TextDecoder takes longer for a few bytes than all the rest of this.
    const head = String.fromCharCode(...body.subarray(at, end));
    const start = head.indexOf(mark);
    if (start < 0) return undefined;
    const range = /^content-range:\s*bytes\s+(\d{1,15})-(\d{1,15})\/(?:(\d{1,15})|\*)\s*$/im.exec(
      head.slice(start),
    );
    if (!range) return undefined;
    const offset = Number(range[1]);
    const length = Number(range[2]) - offset + 1;
    const size = range[3] === undefined ? undefined : Number(range[3]);
    return length > 0 ? { offset, length, size, from: end + 4 } : undefined;
  }

  return (body) => {
    const parts: BodyPart[] = [];
    for (;;) {
      next ??= readHead(body);
      if (!next || next.from + next.length > body.length) return parts;
      const { from, ...part } = next;
      at = from + part.length;
      next = undefined;
      parts.push({ ...part, bytes: body.subarray(from, at) });
    }
  };
}

/** Where the empty line behind the headers that begin at `from` starts; undefined where there is none yet. */
function endOfHead(body: Uint8Array, from: number): number | undefined {
  const last = Math.min(body.length, from + LONGEST_HEAD) - 4;
  for (let i = from; i <= last; i++) {
    if (body[i] === CR && body[i + 1] === LF && body[i + 2] === CR && body[i + 3] === LF) return i;
  }
  return undefined;
}
