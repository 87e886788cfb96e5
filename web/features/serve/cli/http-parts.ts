import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { endOf, totalLength } from '../../../io/ranges';
import type { Range } from '../../../io/source';

/** Bytes of an answer that are read from a file before they are sent. */
const PIECE = 256 * 1024;

/** The texts between the ranges of an answer that has several. */
export interface PartTexts {
  /** Before each range. */
  heads: string[];
  /** After the last one. */
  tail: string;
}

/** Writes the status and the headers of an answer with several ranges. `size` is that of the file. */
export function startParts(response: ServerResponse, ranges: readonly Range[], size: number): PartTexts {
  const boundary = randomBytes(12).toString('hex');
  const heads = ranges.map(
    (range) =>
      `\r\n--${boundary}\r\nContent-Type: application/octet-stream\r\n` +
      `Content-Range: bytes ${range.offset}-${endOf(range) - 1}/${size}\r\n\r\n`,
  );
  const tail = `\r\n--${boundary}--\r\n`;
  const texts = [...heads, tail].reduce((sum, text) => sum + text.length, 0);
  response.writeHead(206, {
    'Content-Type': `multipart/byteranges; boundary=${boundary}`,
    'Content-Length': totalLength(ranges) + texts,
  });
  return { heads, tail };
}

/** A file that may be sent. */
export interface ServedFile {
  /** Its path after all links were followed. */
  path: string;
  /** Its state when the path was found. */
  info: Stats;
  /** Whether a file may be sent that lies at a path without links. */
  isAllowed(real: string): boolean;
}

/** Opening follows no link, and waits for no pipe. */
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The body of an answer of one range, or with texts of several, in pieces that are read from a file, which is closed when
 * the last piece was taken or no more is wanted. Throws the errors of reading, and an error when the file was replaced or
 * changed meanwhile, when a link in its path leads elsewhere by now, and when it became shorter.
 */
export async function* partsOf(
  { path, info, isAllowed }: ServedFile,
  ranges: readonly Range[],
  { heads, tail }: PartTexts = { heads: [], tail: '' },
): AsyncGenerator<Buffer> {
  const file = await open(path, PLAIN);
  try {
    // Linux says where an open file lies; other systems say only where its path leads now.
    const real = await readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(path));
    if (!isAllowed(real) || !isSame(await file.stat(), info)) throw new Error('the file was replaced');
    let items: (Range | string)[] = [];
    let length = 0;
    const add = (item: Range | string): void => {
      items.push(item);
      length += item.length;
    };
    for (const [i, range] of ranges.entries()) {
      add(heads[i] ?? '');
      for (let offset = range.offset; offset < endOf(range); ) {
        const part = { offset, length: Math.min(endOf(range) - offset, Math.max(1, PIECE - length)) };
        add(part);
        offset = endOf(part);
        if (length < PIECE) continue;
        yield await readPiece(file, items, length);
        items = [];
        length = 0;
      }
    }
    add(tail);
    if (length > 0) yield await readPiece(file, items, length);
  } finally {
    await file.close();
  }
}

function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

async function readPiece(
  file: FileHandle,
  items: readonly (Range | string)[],
  length: number,
): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(length);
  let at = 0;
  const reads = items.map((item) => {
    const start = at;
    at += item.length;
    if (typeof item !== 'string') return readAt(file, item, piece.subarray(start, at));
    piece.write(item, start, 'latin1');
    return undefined;
  });
  await Promise.all(reads);
  return piece;
}

async function readAt(file: FileHandle, { offset }: Range, into: Buffer): Promise<void> {
  for (let got = 0; got < into.length; ) {
    const { bytesRead } = await file.read(into, got, into.length - got, offset + got);
    if (bytesRead === 0) throw new Error('the file became shorter');
    got += bytesRead;
  }
}
