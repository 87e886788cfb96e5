import type { Range } from '../../../io/source';

// The frames of the XRootD protocol, version 5: specification XRdv520 of xrootd.org. All numbers are big-endian.

/** Codes of requests. */
export const REQUEST = {
  auth: 3000,
  query: 3001,
  close: 3003,
  dirlist: 3004,
  protocol: 3006,
  login: 3007,
  open: 3010,
  ping: 3011,
  read: 3013,
  stat: 3017,
  readv: 3025,
  locate: 3027,
  pgread: 3030,
} as const;

/** Status codes of answers. */
export const STATUS = {
  ok: 0,
  okSoFar: 4000,
  attention: 4001,
  authMore: 4002,
  error: 4003,
  redirect: 4004,
  wait: 4005,
  waitForAnswer: 4006,
  status: 4007,
} as const;

/** Flag of the answer to `protocol`: the connection is encrypted from here on. */
export const GO_TO_TLS = 0x4000_0000;

/** Flags of the same answer: the server wants logins, sessions or data to be encrypted. */
export const WANTS_TLS = 0x0d00_0000;

/** Flag of the same answer: it is a redirector. */
export const IS_MANAGER = 0x2;
/** Flag of the same answer: reads come with checksums if the client wants them. */
export const HAS_CHECKED_READS = 0x0020_0000;

/** Action of an attention frame with a late answer: a whole frame after eight bytes. */
const LATE_ANSWER = 5008;
const LATE_HEAD = 8;

/** Length of the head of a request and of an answer. */
const REQUEST_HEAD = 24;
const ANSWER_HEAD = 8;
/** Number of bytes at the start of every answer with status `status`. */
const STATUS_HEAD = 16;
/** Maximum length of an answer, in bytes. Servers divide longer ones. */
const MAX_ANSWER = 64 * 1024 * 1024;
/** Protocol version that this client speaks. */
const VERSION = 0x520;

const text = new TextEncoder();

/** One answer of a server. */
export interface Frame {
  stream: number;
  status: number;
  data: Uint8Array;
}

/** Makes a request: `body` fills its 16 bytes of parameters. */
export function request(
  stream: number,
  code: number,
  body: (view: DataView) => void,
  data: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const bytes = new Uint8Array(REQUEST_HEAD + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, stream);
  view.setUint16(2, code);
  body(new DataView(bytes.buffer, 4, 16));
  view.setInt32(20, data.length);
  bytes.set(data, REQUEST_HEAD);
  return bytes;
}

/** Returns the twenty bytes that begin a connection. */
export function hello(): Uint8Array {
  const bytes = new Uint8Array(20);
  const view = new DataView(bytes.buffer);
  view.setInt32(12, 4);
  view.setInt32(16, 2012);
  return bytes;
}

/** Returns a request for the server's protocol. `tls`: this client insists on encryption. */
export function protocolRequest(stream: number, tls: boolean): Uint8Array {
  return request(stream, REQUEST.protocol, (view) => {
    view.setInt32(0, VERSION);
    // Asks which security the server requires, says that this client can encrypt, and whether it insists.
    view.setUint8(4, 0x01 | 0x02 | (tls ? 0x04 : 0));
    // A login follows.
    view.setUint8(5, 0x03);
  });
}

/** Returns a login request. A name has at most eight characters in this protocol. */
export function loginRequest(stream: number, user: string, pid: number): Uint8Array {
  return request(stream, REQUEST.login, (view) => {
    view.setInt32(0, pid);
    for (const [i, byte] of text.encode(user).slice(0, 8).entries()) view.setUint8(4 + i, byte);
    // Redirects may be whole addresses (1) and name IPv6 hosts (8).
    view.setUint8(13, 1 | 8);
    // Version 5, and late answers are understood.
    view.setUint8(14, 5 | 0x80);
  });
}

/** Opens a file for reading; the answer has its size. */
export function openRequest(stream: number, path: string): Uint8Array {
  const [READ, RETURN_STAT] = [0x0010, 0x0400];
  return request(stream, REQUEST.open, (view) => view.setUint16(2, READ | RETURN_STAT), text.encode(path));
}

/** Closes a file. */
export function closeRequest(stream: number, handle: Uint8Array): Uint8Array {
  return request(stream, REQUEST.close, (view) => putHandle(view, 0, handle));
}

/** Reads one range of an open file. */
export function readRequest(stream: number, handle: Uint8Array, range: Range): Uint8Array {
  return request(stream, REQUEST.read, (view) => {
    putHandle(view, 0, handle);
    view.setBigInt64(4, BigInt(range.offset));
    view.setInt32(12, range.length);
  });
}

/** Returns a request for one range of an open file, with a checksum for each page. */
export function checkedReadRequest(stream: number, handle: Uint8Array, range: Range): Uint8Array {
  const read = readRequest(stream, handle, range);
  new DataView(read.buffer).setUint16(2, REQUEST.pgread);
  return read;
}

/** Reads several ranges of an open file. */
export function readvRequest(stream: number, handle: Uint8Array, ranges: readonly Range[]): Uint8Array {
  const list = new Uint8Array(16 * ranges.length);
  const view = new DataView(list.buffer);
  for (const [i, { offset, length }] of ranges.entries()) {
    putHandle(view, 16 * i, handle);
    view.setInt32(16 * i + 4, length);
    view.setBigInt64(16 * i + 8, BigInt(offset));
  }
  return request(stream, REQUEST.readv, () => {}, list);
}

/** Returns a request for the list of a folder, with the stat of each entry. */
export function dirlistRequest(stream: number, path: string): Uint8Array {
  const WITH_STAT = 2;
  return request(stream, REQUEST.dirlist, (view) => view.setUint8(15, WITH_STAT), text.encode(path));
}

/** Asks for size and time of change of what lies at a path. */
export function statRequest(stream: number, path: string): Uint8Array {
  return request(stream, REQUEST.stat, () => {}, text.encode(path));
}

/** Asks for size and time of change of an open file. */
export function openStatRequest(stream: number, handle: Uint8Array): Uint8Array {
  return request(stream, REQUEST.stat, (view) => putHandle(view, 12, handle));
}

/** Asks a redirector for the servers that have a path. */
export function locateRequest(stream: number, path: string): Uint8Array {
  return request(stream, REQUEST.locate, () => {}, text.encode(path));
}

/** Returns a request without effect, to measure the time of an answer. */
export function pingRequest(stream: number): Uint8Array {
  return request(stream, REQUEST.ping, () => {});
}

/** Asks for the checksum of a file that the server has or computes. */
export function checksumRequest(stream: number, path: string): Uint8Array {
  const CHECKSUM = 3;
  return request(stream, REQUEST.query, (view) => view.setUint16(0, CHECKSUM), text.encode(path));
}

/** Asks for settings of the server by their names. */
export function settingsRequest(stream: number, names: string): Uint8Array {
  const SETTINGS = 7;
  return request(stream, REQUEST.query, (view) => view.setUint16(0, SETTINGS), text.encode(names));
}

/** Sends the credentials of one security protocol. */
export function authRequest(stream: number, protocol: string, credentials: Uint8Array): Uint8Array {
  return request(
    stream,
    REQUEST.auth,
    (view) => {
      for (const [i, byte] of text.encode(protocol).slice(0, 4).entries()) view.setUint8(12 + i, byte);
    },
    credentials,
  );
}

/**
 * Whether the answer to `protocol` requires signing of open or read requests. Its first eight bytes are followed by
 * the security part: the letter S, three bytes, the level, the number of pairs, and pairs of a request and its
 * requirement.
 */
export function wantsSigning(answer: Uint8Array): boolean {
  const [STANDARD, PEDANTIC, NEEDED] = [2, 4, 2];
  const [letter, , , , level = 0, pairs = 0, ...needs] = answer.subarray(8);
  if (letter !== 'S'.charCodeAt(0)) return false;
  if (pairs === 0) return level >= STANDARD && level <= PEDANTIC;
  const reads = [REQUEST.open, REQUEST.read, REQUEST.readv, REQUEST.pgread, REQUEST.close];
  return reads.some((code) => {
    for (let i = 0; i < 2 * pairs; i += 2) if (needs[i] === code - 3000) return needs[i + 1] === NEEDED;
    return false;
  });
}

function putHandle(view: DataView, at: number, handle: Uint8Array): void {
  for (let i = 0; i < 4; i++) view.setUint8(at + i, handle[i] ?? 0);
}

/** Returns the text of an answer, up to its first zero byte. */
export function textOf(data: Uint8Array): string {
  const end = data.indexOf(0);
  return new TextDecoder().decode(end < 0 ? data : data.subarray(0, end));
}

/** Returns the answer in an attention frame; undefined if there is none, or its length is wrong. */
export function lateAnswer(data: Uint8Array): Frame | undefined {
  const at = LATE_HEAD + ANSWER_HEAD;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  if (data.length < at || view.getInt32(0) !== LATE_ANSWER) return undefined;
  const [stream, status, length] = [view.getUint16(8), view.getUint16(10), view.getInt32(12)];
  // An answer with status "status" is followed by data with a separate length.
  const isWhole = status === STATUS.status ? length <= data.length - at : length === data.length - at;
  return isWhole ? { stream, status, data: data.subarray(at) } : undefined;
}

function isData(status: number): boolean {
  return status === STATUS.ok || status === STATUS.okSoFar || status === STATUS.status;
}

/** Splits the bytes from a server into answers. */
export class FrameParser {
  #parts: Uint8Array[] = [];
  #length = 0;

  /** Number of bytes of an incomplete answer. */
  get held(): number {
    return this.#length;
  }

  /**
   * The answer that has begun to arrive and is not complete; undefined if there is none, or too little of it. A late
   * answer counts for its own stream. `length` is the number of bytes that its head announces.
   */
  get begun(): { stream: number; isData: boolean; length: number } | undefined {
    if (this.#length < ANSWER_HEAD) return undefined;
    const head = this.#peek(ANSWER_HEAD);
    const [stream, status] = [head.getUint16(0), head.getUint16(2)];
    const length = this.#next();
    if (length === undefined) return undefined;
    const at = ANSWER_HEAD + LATE_HEAD;
    if (status !== STATUS.attention || length < at) return { stream, isData: isData(status), length };
    if (this.#length < at + ANSWER_HEAD) return undefined;
    const late = this.#peek(at + ANSWER_HEAD);
    if (late.getInt32(ANSWER_HEAD) !== LATE_ANSWER) return { stream, isData: false, length };
    return { stream: late.getUint16(at), isData: isData(late.getUint16(at + 2)), length };
  }

  /** Adds bytes, and returns the answers that are complete now; undefined if the bytes violate the protocol. */
  push(bytes: Uint8Array): Frame[] | undefined {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    const frames: Frame[] = [];
    while (this.#length >= ANSWER_HEAD) {
      const length = this.#next();
      if (length === undefined) return undefined;
      if (this.#length < ANSWER_HEAD + length) break;
      const head = this.#peek(ANSWER_HEAD);
      const [stream, status] = [head.getUint16(0), head.getUint16(2)];
      this.#take(ANSWER_HEAD);
      frames.push({ stream, status, data: this.#take(length) });
    }
    return frames;
  }

  /**
   * Returns the length in bytes that the head of the next answer announces; undefined if it is invalid. The head must
   * have arrived.
   */
  #next(): number | undefined {
    const head = this.#peek(ANSWER_HEAD);
    const length = head.getInt32(4);
    if (length < 0 || length > MAX_ANSWER) return undefined;
    if (head.getUint16(2) !== STATUS.status || length < STATUS_HEAD) return length;
    // Data of a length of its own follows, which the first bytes tell.
    if (this.#length < ANSWER_HEAD + STATUS_HEAD) return length;
    const more = this.#peek(ANSWER_HEAD + STATUS_HEAD).getInt32(ANSWER_HEAD + 12);
    return more < 0 || length + more > MAX_ANSWER ? undefined : length + more;
  }

  /** Returns the first bytes without consuming them. They are in one piece afterwards. */
  #peek(length: number): DataView {
    while ((this.#parts[0]?.length ?? 0) < length && this.#parts.length > 1) {
      const [first, second, ...rest] = this.#parts as [Uint8Array, Uint8Array, ...Uint8Array[]];
      const joined = new Uint8Array(first.length + second.length);
      joined.set(first);
      joined.set(second, first.length);
      this.#parts = [joined, ...rest];
    }
    const first = this.#parts[0] as Uint8Array;
    return new DataView(first.buffer, first.byteOffset, length);
  }

  #take(length: number): Uint8Array {
    this.#length -= length;
    const first = this.#parts[0];
    if (first && first.length >= length) {
      if (first.length === length) this.#parts.shift();
      else this.#parts[0] = first.subarray(length);
      return first.subarray(0, length);
    }
    const taken = new Uint8Array(length);
    let filled = 0;
    let used = 0;
    while (filled < length) {
      const part = this.#parts[used] as Uint8Array;
      const some = part.subarray(0, length - filled);
      taken.set(some, filled);
      filled += some.length;
      if (some.length < part.length) this.#parts[used] = part.subarray(some.length);
      else used += 1;
    }
    this.#parts.splice(0, used);
    return taken;
  }
}

/** Returns the pieces of an answer to `readvRequest`, in the order of the ranges; undefined if it has other ones. */
export function readvPieces(answer: Uint8Array, ranges: readonly Range[]): Uint8Array[] | undefined {
  const pieces: Uint8Array[] = [];
  const view = new DataView(answer.buffer, answer.byteOffset, answer.length);
  let at = 0;
  for (const { offset, length } of ranges) {
    if (at + 16 > answer.length) return undefined;
    if (view.getInt32(at + 4) !== length || Number(view.getBigInt64(at + 8)) !== offset) return undefined;
    at += 16;
    if (at + length > answer.length) return undefined;
    pieces.push(answer.subarray(at, at + length));
    at += length;
  }
  return at === answer.length ? pieces : undefined;
}
