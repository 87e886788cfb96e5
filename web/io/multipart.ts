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

/**
 * Reads a multipart/byteranges body (RFC 9110, 14.6) while it comes: each call gets the body as far
 * as it is there, and gives the parts that became whole, as views. Each part's length is that of its
 * Content-Range, so its bytes may hold anything.
 */
export function partReader(boundary: string): (body: Uint8Array) => BodyPart[] {
  const decoder = new TextDecoder('latin1');
  let at = 0;
  return (body) => {
    const parts: BodyPart[] = [];
    for (;;) {
      const head = decoder.decode(body.subarray(at, at + LONGEST_HEAD));
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return parts;
      const start = head.indexOf(`--${boundary}`);
      if (start < 0 || start > end) return parts;
      const range = /^content-range:\s*bytes\s+(\d{1,15})-(\d{1,15})\/(?:(\d{1,15})|\*)\s*$/im.exec(
        head.slice(start, end),
      );
      if (!range) return parts;
      const offset = Number(range[1]);
      const length = Number(range[2]) - offset + 1;
      const from = at + end + 4;
      if (length <= 0 || from + length > body.length) return parts;
      const size = range[3] === undefined ? undefined : Number(range[3]);
      parts.push({ offset, length, size, bytes: body.subarray(from, from + length) });
      at = from + length;
    }
  };
}
