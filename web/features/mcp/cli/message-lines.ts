import { Transform } from 'node:stream';
import { formatBytes } from '../../../base/format';

/** Bytes of the longest message. The package of the protocol ends the connection at one of 10 MiB. */
const MAX_BYTES = 8 * 2 ** 20;
const LINE_END = 10;

/** Codes of JSON-RPC. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** An answer to a line that is not a message. The id is null if it is not known. */
export interface Refusal {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

/**
 * Returns a stream that passes on the lines of its input that are messages, as `parse` tells, which throws for others. These
 * are refused and left out: the package of the protocol does not answer them, and a client would wait for an answer.
 */
export function messageLines(
  parse: (value: unknown) => unknown,
  refuse: (refusal: Refusal) => void,
): Transform {
  let pieces: Buffer[] = [];
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let from = 0; from < chunk.length; ) {
        const at = chunk.indexOf(LINE_END, from);
        const piece = chunk.subarray(from, at < 0 ? chunk.length : at + 1);
        from += piece.length;
        bytes += piece.length;
        pieces.push(piece);
        if (bytes > MAX_BYTES) pieces = endsOf(Buffer.concat(pieces));
        if (at < 0) continue;
        const line = Buffer.concat(pieces);
        const refused = bytes > MAX_BYTES ? tooLong(line.toString()) : refusalOf(line.toString(), parse);
        [pieces, bytes] = [[], 0];
        if (refused === undefined) this.push(line);
        else refuse(refused);
      }
      done();
    },
  });
}

const refusal = (code: number, message: string, id: Refusal['id'] = null): Refusal => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** Bytes at the start and at the end of a long message in which its id is looked for. */
const END_BYTES = 1024;
const endsOf = (line: Buffer): Buffer[] => [line.subarray(0, END_BYTES), line.subarray(-END_BYTES)];

/** An id before the first list or object of a message, or after the last one. */
const ID = /"id"\s*:\s*(\d{1,15}|"[^"\\]*")/;

function tooLong(ends: string): Refusal {
  const outside = ends.replace(/^\s*\{/, '').replace(/\}\s*$/, '');
  const [first = ''] = outside.split(/[{}[\]]/, 1);
  const last = outside.slice(Math.max(...['{', '}', '[', ']'].map((mark) => outside.lastIndexOf(mark))) + 1);
  const [, id = 'null'] = ID.exec(first) ?? ID.exec(last) ?? [];
  return refusal(INVALID_REQUEST, `A message has at most ${formatBytes(MAX_BYTES)}.`, JSON.parse(id));
}

function refusalOf(line: string, parse: (value: unknown) => unknown): Refusal | undefined {
  if (line.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refusal(PARSE_ERROR, 'A line is not JSON. Each message is one line.');
  }
  try {
    parse(value);
    return undefined;
  } catch {
    if (Array.isArray(value))
      return refusal(INVALID_REQUEST, 'Messages are taken one by one, not as a list.');
    const { id } = Object(value) as { id?: unknown };
    const known = typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;
    return refusal(INVALID_REQUEST, 'This is not a message of JSON-RPC 2.0 as MCP has it.', known);
  }
}
