import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { XylemError } from '../../../base/errors';
import { shownAddress, type XrootdAddress } from '../../../io/schemes';
import { credentialsFor } from './credentials';
import {
  ConnectionLost,
  LongWay,
  lateFailure,
  OVERLOADED,
  protocolError,
  type Redirected,
  serverError,
  signingWanted,
} from './errors';
import {
  authRequest,
  type Frame,
  FrameParser,
  GO_TO_TLS,
  hello,
  lateAnswer,
  loginRequest,
  protocolRequest,
  STATUS,
  textOf,
  WANTS_TLS,
  wantsSigning,
} from './frames';
import { withoutEchoes } from './node-hops';
import { statusPart } from './pages';
import { redirected } from './redirect';

/** Time limit in ms for a silent server while an answer is due. */
const SILENCE = 30_000;
/** A server makes progress if it completes an answer, or sends this many bytes, within twice the time limit. */
const PROGRESS = 64 * 1024;
/** An announced answer is awaited for this multiple of the time limit, whatever time the server announces. */
const LATE = 2;
/** Longest wait in seconds that a server may ask for. */
const MAX_WAIT = 60;
/** Maximum number of waits that a server may ask for with one request. */
const MAX_WAITS = 20;
/** Maximum bytes of an answer that is not file data. */
const MAX_TALK = 64 * 1024;
/** Maximum number of running requests of a connection. */
const MAX_STREAMS = 0xffff;
/** Length of the head of an answer, which counts like its data. */
const HEAD = 8;
const TOO_MUCH = 'the server sends more than was asked for';
/** Fix for a server that does not encrypt as required. */
const SOMEBODY = 'Somebody on the way may answer in its place: ask the operators of the server.';

type Make = (stream: number) => Uint8Array;

interface Pending {
  make: Make;
  /** The data of partial answers so far. */
  data: Gathered;
  /** Number of bytes received for this request, including heads, and maximum length of its data. */
  bytes: number;
  limit: number;
  waits: number;
  /** Delay in ms that the server announced for this request; 0 if it announced none. */
  patience: number;
  onAnswer: (() => void) | undefined;
  resolve(data: Uint8Array): void;
  reject(thrown: unknown): void;
}

export interface ConnectionOptions {
  /** Time limit in ms for a silent server. Default: 30 s. */
  silenceMs?: number | undefined;
  /** Certificates of authorities that replace those known to Node, in PEM. */
  ca?: string | undefined;
  /** Finds a bearer token; undefined if none may be sent to this server. */
  token?: (() => Promise<string | undefined>) | undefined;
  /**
   * `must`: nothing is sent or accepted without encryption. `ask`: the server encrypts if it can. Default: the server
   * decides.
   */
  encryption?: 'must' | 'ask' | undefined;
}

/** One connection to one server. Requests are identified by stream numbers. */
export class XrootdConnection {
  /**
   * Resolves when the server has accepted this client. Throws ConnectionLost if the server cannot be reached,
   * LongWay, and UNSUPPORTED if it requires an unsupported login.
   */
  readonly ready: Promise<void>;
  /** Flags of the server, its protocol version, and its logins, after it has answered. */
  flags = 0;
  version = 0;
  offered = '';
  readonly #url: string;
  #socket: Socket;
  #parser = new FrameParser();
  readonly #pending = new Map<number, Pending>();
  /** Requests that the server asked to repeat later, with their timers. */
  readonly #waiting = new Map<Pending, NodeJS.Timeout>();
  #next = 1;
  #lost: unknown;
  #timer: NodeJS.Timeout | undefined;
  #heard = false;
  /** Time of the last progress in ms, and the number of bytes received for requests at that time. */
  #moved = performance.now();
  #movedAt = 0;
  /**
   * Bytes of complete answers to requests, bytes that nobody requested, and the number of these at the last progress.
   */
  #useful = 0;
  #strays = 0;
  #straysAt = 0;
  readonly #silence: number;
  /** Time in ms at which the last bytes arrived, or the first request after a pause was sent. */
  #heardAt = performance.now();
  #encrypted = false;
  /** Bearer tokens that were sent. */
  readonly #tokens: string[] = [];

  /**
   * Connects. With `quick`, requests may be sent at once in one packet with the login; they are valid only if `ready`
   * resolves. LongWay means that the server requires more: connect again without `quick`.
   */
  constructor(
    readonly address: XrootdAddress,
    quick: boolean,
    readonly options: ConnectionOptions = {},
  ) {
    this.#url = shownAddress(address);
    this.#silence = options.silenceMs ?? SILENCE;
    this.#socket = connectPlain({ host: address.host, port: address.port });
    this.#socket.setNoDelay(true);
    this.#listen(this.#socket);
    this.ready = quick ? this.#beginQuickly() : this.#begin();
    this.ready.catch(() => this.close());
  }

  get encrypted(): boolean {
    return this.#encrypted;
  }

  get lost(): boolean {
    return this.#lost !== undefined;
  }

  /** Time in ms for which running requests have received nothing; undefined if there are none. */
  get silentMs(): number | undefined {
    const isWaited = this.#pending.size + this.#waiting.size > 0;
    return isWaited ? performance.now() - this.#heardAt : undefined;
  }

  /**
   * Sends a request and returns the data of its answer, in a separate buffer. Throws ConnectionLost, Redirected, and
   * XylemError if the server refuses or the answer has more than `limit` bytes.
   */
  send(make: Make, limit = MAX_TALK, onAnswer?: () => void): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const data = new Gathered();
      this.#write({ make, data, bytes: 0, limit, waits: 0, patience: 0, onAnswer, resolve, reject });
    });
  }

  /** Sends a last request without waiting for its answer, and ends the connection. */
  end(make: Make): void {
    if (this.lost) return;
    const socket = this.#socket;
    socket.end(make(0), () => socket.destroy());
    this.#fail(new ConnectionLost('the connection was closed'));
  }

  close(): void {
    this.#fail(new ConnectionLost('the connection was closed'));
    this.#socket.destroy();
  }

  /** Sends hello and protocol. Returns the flags of the answer. */
  async #greet(insists: boolean): Promise<number> {
    this.#put(hello());
    // The answer to the hello has the stream number 0.
    const greeting = this.#expect(0);
    const protocol = this.send((stream) => protocolRequest(stream, insists));
    const [, answer] = await Promise.all([greeting, protocol]);
    if (answer.length < 8) throw protocolError(this.#url, 'this is no XRootD server');
    const view = new DataView(answer.buffer, answer.byteOffset);
    this.version = view.getInt32(0);
    this.flags = view.getInt32(4);
    if (wantsSigning(answer)) throw signingWanted(this.#url);
    return this.flags;
  }

  /** Sends everything in one packet, for servers that require neither encryption nor credentials. */
  async #beginQuickly(): Promise<void> {
    const greeted = this.#greet(false);
    const login = this.#askToLogIn();
    // If the greeting fails, the login fails too.
    login.catch(() => {});
    try {
      if (((await greeted) & (GO_TO_TLS | WANTS_TLS)) !== 0) throw new LongWay('encryption');
      if ((await login) !== '') throw new LongWay('credentials');
    } catch (thrown) {
      // A server that expects only one request at the start may end the connection.
      throw thrown instanceof ConnectionLost && this.#heard ? new LongWay('patience') : thrown;
    }
  }

  /** Logs in step by step, with encryption and credentials if the server requires them. */
  async #begin(): Promise<void> {
    const { encryption } = this.options;
    const flags = await this.#greet(encryption !== undefined);
    const encrypts = (flags & GO_TO_TLS) !== 0;
    if (encryption === 'must' && !encrypts) {
      const why = this.address.secure ? 'which roots:// insists on' : 'which it did before, or asked for';
      throw protocolError(this.#url, `the server does not encrypt, ${why}`, SOMEBODY);
    }
    // Servers that encrypt after the login do so from the start for clients that insist.
    if (!encrypts && (flags & WANTS_TLS) !== 0) throw new LongWay('encryption');
    if (encrypts) await this.#encrypt();
    await this.#login();
  }

  /** Logs in. Returns the credentials that the server requires ("&P=unix,…"); "" if it requires none. */
  async #askToLogIn(): Promise<string> {
    const login = await this.send((stream) => loginRequest(stream, this.#user, process.pid));
    this.offered = textOf(login.subarray(16));
    return this.offered;
  }

  get #user(): string {
    return this.address.user ?? process.env.USER ?? 'xylem';
  }

  async #login(): Promise<void> {
    const wanted = await this.#askToLogIn();
    if (wanted === '') return;
    const find = this.options.token;
    const token = async () => {
      const found = await find?.();
      if (found !== undefined) this.#tokens.push(found);
      return found;
    };
    const client = { user: this.#user, encrypted: this.#encrypted, token: find && token };
    const [name, credentials] = await credentialsFor(wanted, client, this.#url);
    await this.send((stream) => authRequest(stream, name, credentials));
  }

  /**
   * Encrypts the connection. Unencrypted bytes beyond the two answers may come from an attacker who wants them to
   * count as encrypted.
   */
  async #encrypt(): Promise<void> {
    if (this.#lost !== undefined) throw this.#lost;
    if (this.#strays > 0 || this.#parser.held > 0) {
      throw protocolError(
        this.#url,
        'more came in clear text than the answers before the encryption',
        SOMEBODY,
      );
    }
    this.#parser = new FrameParser();
    const { host } = this.address;
    const { ca } = this.options;
    const plain = this.#socket;
    plain.removeAllListeners();
    // Nothing else keeps the process alive until encryption is established.
    plain.ref();
    await new Promise<void>((resolve, reject) => {
      const failed = (thrown?: Error) =>
        reject(
          new ConnectionLost(`encryption failed (${thrown?.message ?? 'the server closed the connection'})`),
        );
      const silent = setTimeout(
        () => plain.destroy(new Error(`silent for ${this.#silence / 1000} s`)),
        this.#silence,
      );
      const isName = !/^[\d.]+$|:/.test(host);
      const options = { socket: plain, host, ...(ca && { ca }), ...(isName && { servername: host }) };
      const socket = connectSecure(options, () => {
        clearTimeout(silent);
        this.#encrypted = true;
        resolve();
      });
      socket.once('error', failed);
      socket.once('close', () => {
        clearTimeout(silent);
        failed();
      });
      this.#socket = socket;
      this.#listen(socket);
    });
  }

  #listen(socket: Socket): void {
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('error', (thrown: Error) => this.#fail(new ConnectionLost(thrown.message, { cause: thrown })));
    socket.on('close', () => this.#fail(new ConnectionLost('the server closed the connection')));
  }

  /** Waits for an answer to a request that was already sent. */
  #expect(stream: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#pending.set(stream, {
        make: () => hello(),
        data: new Gathered(),
        bytes: 0,
        limit: MAX_TALK,
        waits: 0,
        patience: 0,
        onAnswer: undefined,
        resolve,
        reject,
      });
    });
  }

  #write(pending: Pending): void {
    if (this.#lost !== undefined) {
      pending.reject(this.#lost);
      return;
    }
    if (this.#pending.size >= MAX_STREAMS) {
      pending.reject(new ConnectionLost('too many requests are under way'));
      return;
    }
    while (this.#next === 0 || this.#pending.has(this.#next)) this.#next = (this.#next + 1) & MAX_STREAMS;
    const stream = this.#next;
    this.#next = (this.#next + 1) & MAX_STREAMS;
    pending.data = new Gathered();
    pending.bytes = 0;
    pending.patience = 0;
    if (this.#pending.size === 0) this.#progress();
    if (this.silentMs === undefined && pending.waits === 0) this.#heardAt = performance.now();
    this.#pending.set(stream, pending);
    this.#socket.ref();
    this.#watch();
    this.#put(pending.make(stream));
  }

  /** Sends bytes. Requests made in the same turn leave in one packet. */
  #put(bytes: Uint8Array): void {
    const socket = this.#socket;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(bytes);
  }

  /** Stops timing a connection without requests, and lets the process end. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#pending.size === 0) {
      this.#socket.unref();
      return;
    }
    const silence = this.#patience();
    this.#timer = setTimeout(() => this.#giveUp('silent', silence), silence);
  }

  #giveUp(how: 'silent' | 'nearly silent', ms: number): void {
    // A server that announced an answer and did not send it would do so again.
    const isLate = [...this.#pending.values()].some(({ patience }) => patience > 0);
    const seconds = ms / 1000;
    this.#fail(
      isLate
        ? lateFailure(this.#url, how, seconds)
        : new ConnectionLost(`the server was ${how} for ${seconds} s`),
    );
    this.#socket.destroy();
  }

  /** Returns the present time limit in ms: the usual one, or the delay that the server announced for a request. */
  #patience(): number {
    let most = this.#silence;
    for (const { patience } of this.#pending.values()) if (patience > most) most = patience;
    return most;
  }

  #progress(): void {
    [this.#moved, this.#movedAt, this.#straysAt] = [performance.now(), this.#arrived, this.#strays];
  }

  /** Number of bytes received for running or completed requests, including those of an incomplete answer. */
  get #arrived(): number {
    const { begun } = this.#parser;
    return this.#useful + (begun && this.#pending.has(begun.stream) ? this.#parser.held : 0);
  }

  /** Whether encryption is required and not established. Then only success of hello and protocol is accepted. */
  get #guarded(): boolean {
    return this.options.encryption === 'must' && !this.#encrypted;
  }

  #receive(bytes: Uint8Array): void {
    this.#heardAt = performance.now();
    const frames = this.#parser.push(bytes);
    if (frames === undefined) {
      this.#refuse('what the server sends is not of the XRootD protocol');
      return;
    }
    if (frames.length > 0) this.#heard = true;
    const before = this.#pending.size;
    for (const frame of frames) this.#take(frame, HEAD + frame.data.length);
    if (this.lost) return;
    const { begun } = this.#parser;
    // Latency and bandwidth are measured by the first byte of an answer, which may arrive long before its last.
    if (begun?.isData) noteAnswer(this.#pending.get(begun.stream));
    // An answer that will be too long is not collected until it is complete.
    if (begun && begun.length > this.#most(begun.stream)) this.#refuse(TOO_MUCH);
    if (this.#pending.size < before || this.#arrived - this.#movedAt >= PROGRESS) this.#progress();
    if (this.#strays - this.#straysAt > MAX_TALK) this.#refuse('the server sends what nobody asked for');
    // Single bytes from time to time, or bytes that nobody requested, must not keep a read alive indefinitely.
    const most = 2 * this.#patience();
    if (this.#pending.size > 0 && performance.now() - this.#moved > most) {
      this.#giveUp('nearly silent', most);
      return;
    }
    this.#watch();
  }

  /** Returns the maximum length of an answer that may come now. */
  #most(stream: number): number {
    const pending = this.#pending.get(stream);
    return pending ? pending.limit + MAX_TALK - pending.bytes : MAX_TALK;
  }

  /** Ends the connection with an error of the server. */
  #refuse(what: string, fix?: string): void {
    this.#fail(protocolError(this.#url, what, fix));
    this.#socket.destroy();
  }

  /** `length` is the number of bytes received. For a late answer it is larger than the frame. */
  #take(frame: Frame, length: number): void {
    const pending = this.#pending.get(frame.stream);
    if (this.#guarded && (frame.status !== STATUS.ok || !pending)) {
      this.#refuse('the server gave something else than success before it encrypted', SOMEBODY);
      return;
    }
    if (frame.status === STATUS.attention) {
      const late = lateAnswer(frame.data);
      if (late && late.status !== STATUS.attention) this.#take(late, length);
      else this.#strays += length;
      return;
    }
    // An answer that nobody waits for.
    if (!pending) {
      this.#strays += length;
      return;
    }
    noteAnswer(pending);
    const { data } = frame;
    pending.bytes += length;
    if (pending.bytes > pending.limit + MAX_TALK) {
      this.#refuse(TOO_MUCH);
      return;
    }
    this.#useful += length;
    switch (frame.status) {
      case STATUS.okSoFar:
        pending.data.add(data);
        return;
      case STATUS.status: {
        const part = statusPart(data);
        if (!part) {
          // It is unknown to which answer the next bytes belong.
          this.#fail(new ConnectionLost('an answer came damaged'));
          this.#socket.destroy();
          return;
        }
        pending.data.add(part.data);
        if (!part.last) return;
        this.#pending.delete(frame.stream);
        pending.resolve(pending.data.take());
        return;
      }
      case STATUS.waitForAnswer:
        // An answer can be announced only once, so it cannot be delayed again and again.
        if (pending.patience === 0) {
          pending.patience = Math.min(LATE * this.#silence, 1000 * Math.max(1, secondsOf(data)));
        }
        return;
      case STATUS.wait:
        this.#again(frame.stream, pending, data);
        return;
      default:
        this.#pending.delete(frame.stream);
        if (frame.status === STATUS.ok) pending.resolve(pending.data.take(data));
        else pending.reject(this.#failure(frame));
    }
  }

  /** Sends a request again after the time that the server asked for. */
  #again(stream: number, pending: Pending, data: Uint8Array): void {
    this.#pending.delete(stream);
    const seconds = secondsOf(data);
    if (seconds > MAX_WAIT || ++pending.waits > MAX_WAITS) {
      const text =
        pending.waits > MAX_WAITS ? 'it asks to wait again and again' : `it asks to wait for ${seconds} s`;
      pending.reject(serverError(OVERLOADED, text, this.#url));
      return;
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(pending);
      this.#write(pending);
    }, seconds * 1000);
    this.#waiting.set(pending, timer);
  }

  #failure({ status, data }: Frame): XylemError | Redirected {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const text = textOf(data.subarray(4));
    if (status === STATUS.error && data.length >= 4) {
      const plain = withoutEchoes(text, this.address.opaque, ...this.#tokens);
      return serverError(view.getInt32(0), plain, this.#url);
    }
    const elsewhere =
      status === STATUS.redirect && data.length >= 4
        ? redirected(view.getInt32(0), text, this.address, this.#encrypted)
        : undefined;
    if (elsewhere) return elsewhere;
    return protocolError(this.#url, `the server gave an answer of a kind that is not known (${status})`);
  }

  #fail(thrown: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = thrown;
    clearTimeout(this.#timer);
    for (const { reject } of this.#pending.values()) reject(thrown);
    for (const [{ reject }, timer] of this.#waiting) {
      clearTimeout(timer);
      reject(thrown);
    }
    this.#pending.clear();
    this.#waiting.clear();
  }
}

/** Reports once that the answer to a request has begun. */
function noteAnswer(pending: Pending | undefined): void {
  pending?.onAnswer?.();
  if (pending) pending.onAnswer = undefined;
}

/** Returns the number of seconds in an answer; 1 if it has none. */
function secondsOf(data: Uint8Array): number {
  return data.length < 4 ? 1 : Math.max(0, new DataView(data.buffer, data.byteOffset).getInt32(0));
}

/** Data of an answer that comes in parts. Few large parts and many small ones take the same memory. */
class Gathered {
  #bytes = new Uint8Array(0);
  #length = 0;

  add(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
  }

  /** Returns all parts with a last one, in a separate buffer. */
  take(last: Uint8Array = new Uint8Array(0)): Uint8Array {
    const all = new Uint8Array(this.#length + last.length);
    all.set(this.#bytes.subarray(0, this.#length));
    all.set(last, this.#length);
    return all;
  }
}
