import { argumentError, XylemError } from '../web/base/errors';
import { type Endpoint, webEndpoint } from './endpoint';
import { isMessage } from './protocol';

/**
 * A channel between two programs. A message is JSON with buffers beside it, which the sender does not use afterwards.
 * Messages arrive in order. `onMessage` returns a function that stops it; its buffers may be views.
 */
export interface ReaderChannel {
  post(message: unknown, buffers: ArrayBuffer[]): void;
  onMessage(listener: (message: unknown, buffers: readonly (ArrayBuffer | Uint8Array)[]) => void): () => void;
  /**
   * Calls `listener` with the reason when no more messages can come; immediately if that is already so. Returns a
   * function that stops it. Waiting calls then fail with IO. Without `onEnd` they would wait for an answer that never
   * comes.
   */
  onEnd?(listener: (why: string) => void): () => void;
}

/** One end of a channel. Closing it also closes all ports sent over it. */
export interface ChannelEnd extends Endpoint {
  close(): void;
}

/** A message on the channel. `port` is empty for the endpoint itself. */
interface Carried {
  xylemPort: string;
  value: unknown;
  /** The other end of this port was closed. */
  closed?: true;
}

/** A value that JSON does not have: its kind, and its content as JSON. */
interface Marked {
  $: string;
  v?: unknown;
}

const VIEWS = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
} as const;

/** Maximum number of open ports. Each takes some kB, and the other side could name any number. */
const MAX_PORTS = 1024;
/**
 * Maximum number of digits of an integer, more than 64 bits need. The time for parsing grows with the square of the
 * length.
 */
const MAX_DIGITS = 40;

/**
 * Returns an endpoint whose messages may contain everything that threads can send: NaN and infinities, BigInt,
 * undefined, Map, Set, typed arrays, and ports. Each port becomes a separate line on the channel. `side` differs at
 * the two ends.
 */
export function channelEndpoint(channel: ReaderChannel, side: 'a' | 'b'): ChannelEnd {
  const listeners = new Set<(message: unknown) => void>();
  const watchers = new Set<(error: XylemError) => void>();
  let ended: XylemError | undefined;
  /** Local ports that represent ports of the other side, and ports of this side that were sent. */
  const ports = new Map<string, MessagePort>();
  let sent = 0;

  const post = (xylemPort: string, message: unknown, isOurs: (buffer: ArrayBuffer) => boolean): void => {
    const buffers: ArrayBuffer[] = [];
    const name = (port: MessagePort): string => {
      const made = `${side}${++sent}`;
      bridge(made, port);
      return made;
    };
    send({ xylemPort, value: encode(message, { buffers, isOurs, name }) }, buffers);
  };
  const send = (carried: Carried, buffers: ArrayBuffer[]): void => {
    if (ended !== undefined) return;
    try {
      channel.post(carried, buffers);
    } catch (thrown) {
      lose(reasonOf(thrown), thrown);
    }
  };
  const bridge = (name: string, port: MessagePort): void => {
    ports.set(name, port);
    // All parts of a received message belong to this side.
    webEndpoint(port).onMessage((message) => post(name, message, () => true));
    // Some browsers do not send this event; then the other side reports it.
    port.addEventListener('close', () => {
      if (ports.delete(name)) send({ xylemPort: name, value: null, closed: true }, []);
    });
  };
  const take = (
    { xylemPort, value: carried, closed }: Carried,
    buffers: Parameters<typeof decode>[1],
  ): void => {
    if (closed) {
      const port = ports.get(xylemPort);
      ports.delete(xylemPort);
      port?.close();
      return;
    }
    const value = decode(carried, buffers, (name) => {
      if (ports.size >= MAX_PORTS || ports.has(name)) throw unreadable('it opens too many ports');
      const { port1, port2 } = new MessageChannel();
      bridge(name, port1);
      return port2;
    });
    deliver(xylemPort, value);
  };
  const deliver = (xylemPort: string, value: unknown): void => {
    if (xylemPort === '') for (const listener of listeners) listener(value);
    else {
      const moved: MessagePort[] = [];
      collectPorts(value, moved);
      ports.get(xylemPort)?.postMessage(value, moved);
    }
  };
  /**
   * Fails the call of an unreadable message. A message without a call is ignored, because nobody waits for an answer.
   */
  const failCall = ({ xylemPort, value }: Carried, thrown: unknown): void => {
    if (!isMessage(value) || typeof value.id !== 'number') return;
    const error = { xylem: 'error', id: value.id, error: unreadable(thrown).toRecord() } as const;
    if (value.xylem === 'result' || value.xylem === 'error') deliver(xylemPort, error);
    else if (value.xylem === 'call') post(xylemPort, error, () => true);
  };
  const stop = channel.onMessage((message, buffers) => {
    if (!isCarried(message)) return;
    try {
      take(message, buffers);
    } catch (thrown) {
      failCall(message, thrown);
    }
  });
  const release = (): void => {
    stop();
    stopEnd?.();
    listeners.clear();
    const open = [...ports.values()];
    // The other side closes its own ports.
    ports.clear();
    for (const port of open) port.close();
  };
  const lose = (why: string, cause?: unknown): void => {
    if (ended !== undefined) return;
    ended = channelEnded(why, cause);
    // A channel may call it before `onEnd` has returned.
    queueMicrotask(release);
    for (const tell of watchers) tell(ended);
    watchers.clear();
  };
  const stopEnd = channel.onEnd?.((why: unknown) => lose(reasonOf(why)));
  return {
    post: (message, transfer) => post('', message, (buffer) => transfer.includes(buffer)),
    onMessage(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onFailure(listener) {
      watchers.add(listener);
      const error = ended;
      if (error !== undefined) queueMicrotask(() => watchers.delete(listener) && listener(error));
      return () => watchers.delete(listener);
    },
    close() {
      release();
      watchers.clear();
    },
  };
}

/** Returns a reason as text. Programs without type checks call `onEnd` with nothing, an error, or an event. */
function reasonOf(why: unknown): string {
  if (why instanceof Error) return why.message;
  return typeof why === 'string' ? why : '';
}

function channelEnded(why: string, cause?: unknown): XylemError {
  const reason = why === '' ? 'it was closed' : why.replace(/\.$/, '');
  return new XylemError({
    code: 'IO',
    message: `The channel to the program that reads the files has ended: ${reason}.`,
    where: { breadcrumbs: ['reader channel'] },
    fix: 'Start that program again if it is gone, and open the file anew: a viewer needs a new channel.',
    cause,
  });
}

function isCarried(message: unknown): message is Carried {
  return typeof message === 'object' && message !== null && 'xylemPort' in message;
}

function collectPorts(value: unknown, ports: MessagePort[]): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  if (value instanceof MessagePort) ports.push(value);
  else for (const member of Object.values(value)) collectPorts(member, ports);
}

/** Receives the buffers and ports of a message. */
export interface Beside {
  buffers: ArrayBuffer[];
  /** Whether a buffer need not be copied. */
  isOurs(buffer: ArrayBuffer): boolean;
  name(port: MessagePort): string;
}

/** Converts a value to JSON. Throws ARGUMENT for functions and instances of classes. */
export function encode(value: unknown, beside: Beside): unknown {
  const of = (one: unknown): unknown => encode(one, beside);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : mark('number', Object.is(value, -0) ? '-0' : String(value));
    case 'bigint':
      return mark('bigint', String(value));
    case 'undefined':
      return { $: 'undefined' };
    case 'object':
      break;
    default:
      throw notSendable(typeof value);
  }
  if (value === null) return null;
  if (Array.isArray(value)) return Array.from(value, of);
  if (value instanceof Map)
    return mark(
      'Map',
      Array.from(value, ([key, one]) => [of(key), of(one)]),
    );
  if (value instanceof Set) return mark('Set', Array.from(value, of));
  if (value instanceof ArrayBuffer) return mark('ArrayBuffer', addBuffer(new Uint8Array(value), beside));
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    // A Buffer of Node is also a Uint8Array.
    const kind = Object.keys(VIEWS).find((name) => value instanceof VIEWS[name as keyof typeof VIEWS]);
    if (kind === undefined) throw notSendable('DataView');
    return mark(kind, addBuffer(bytes, beside));
  }
  if (value instanceof MessagePort) return mark('port', beside.name(value));
  // The content of a Blob, a promise or a module is not in its members.
  if (Symbol.toStringTag in value) throw notSendable(String(value[Symbol.toStringTag]));
  const plain = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, of(one)]));
  return '$' in plain ? mark('object', plain) : plain;
}

/** Adds the bytes, and returns the index of their buffer. */
function addBuffer(bytes: Uint8Array, { buffers, isOurs }: Beside): number {
  const { buffer, byteLength } = bytes;
  const whole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && isOurs(buffer);
  return buffers.push((whole ? buffer : bytes.slice().buffer) as ArrayBuffer) - 1;
}

const mark = ($: string, v: unknown): Marked => ({ $, v });

function notSendable(kind: string): XylemError {
  return argumentError(
    `A ${kind} cannot be sent over the channel to the reader.`,
    'Give plain data, buffers and sources of files alone.',
  );
}

/** Returns the value that `encode` converted to JSON. */
export function decode(
  value: unknown,
  buffers: readonly (ArrayBuffer | Uint8Array)[],
  portOf: (name: string) => MessagePort,
): unknown {
  const of = (one: unknown): unknown => decode(one, buffers, portOf);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(of);
  if (!('$' in value)) return members(value, of);
  const { $: kind, v: content } = value as Marked;
  switch (kind) {
    case 'undefined':
      return undefined;
    case 'number':
      return Number(content);
    case 'bigint':
      if (typeof content !== 'string' || content.length > MAX_DIGITS) {
        throw unreadable('a whole number has no digits, or too many');
      }
      return BigInt(content);
    case 'Map':
      return new Map((content as [unknown, unknown][]).map(([key, one]) => [of(key), of(one)]));
    case 'Set':
      return new Set((content as unknown[]).map(of));
    case 'object':
      return members(content as object, of);
    case 'port':
      return portOf(content as string);
    default: {
      if (!Object.hasOwn(VIEWS, kind) && kind !== 'ArrayBuffer')
        throw unreadable(`"${kind}" is no kind of value`);
      const bytes = wholeBuffer(typeof content === 'number' ? buffers[content] : undefined);
      if (kind === 'ArrayBuffer') return bytes;
      return new VIEWS[kind as keyof typeof VIEWS](bytes);
    }
  }
}

function members(value: object, of: (one: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, of(one)]));
}

function unreadable(thrown: unknown): XylemError {
  if (thrown instanceof XylemError) return thrown;
  return new XylemError({
    code: 'CORRUPT',
    message: `A message over the channel to the reader cannot be read: ${reasonOf(thrown)}.`,
    where: { breadcrumbs: ['reader channel'] },
    fix: 'The channel has to hand on messages and buffers as they are, in order, between two programs with one version of xylem.',
    cause: thrown,
  });
}

/** Returns a separate buffer, because programs may also pass views of larger ones. */
function wholeBuffer(given: ArrayBuffer | Uint8Array | undefined): ArrayBuffer {
  if (given === undefined) throw unreadable('a buffer that it names did not come with it');
  if (!ArrayBuffer.isView(given)) return given;
  const { buffer, byteOffset, byteLength } = given;
  return buffer.byteLength === byteLength && buffer instanceof ArrayBuffer
    ? buffer
    : (new Uint8Array(buffer, byteOffset, byteLength).slice().buffer as ArrayBuffer);
}
