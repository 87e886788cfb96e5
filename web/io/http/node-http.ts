import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Answer, AnswerBody, Send } from './http-client';
import { requestFailure, SLOW_HEAD } from './network-errors';

// Sends requests by node:http. Node's fetch takes 40 ms of CPU time for its first request, and four times as much as
// this for each later one, because of its streams.

const MAX_REDIRECTS = 20;
/** Maximum number of interim answers (1xx). Servers send one or two. */
const MAX_INTERIM = 100;
/** Maximum bytes and ms for reading the body of a redirect, so that its connection can be reused. */
const MAX_REST = 65_536;
const REST_MS = 1000;
/** Status codes of redirects. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/**
 * Headers that are sent to another host after a redirect. All others were meant for the named host and may be secret.
 */
const FOR_ALL_HOSTS = /^(accept|accept-encoding|cache-control|origin|pragma|range|user-agent)$/i;
/** As in fetch: no copy from a proxy, and no compression. */
const ALWAYS = {
  Accept: '*/*',
  'Accept-Encoding': 'identity',
  'Cache-Control': 'no-cache',
  Pragma: 'no-cache',
  'User-Agent': 'node',
};

/** Sends requests as fetch would; connections are kept for the requests that follow, of all files. */
export function createNodeSend(): Send {
  const protocols = new Map<string, Promise<Protocol>>();

  async function request(
    url: URL,
    method: 'GET' | 'OPTIONS',
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<IncomingMessage> {
    const { protocol } = url;
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw requestFailure(
        'ERR_REDIRECT_TARGET',
        `The server names a place that is none for http: ${protocol}`,
      );
    }
    let found = protocols.get(protocol);
    if (!found) {
      found = loadProtocol(protocol);
      protocols.set(protocol, found);
    }
    const { request: open, agent } = await found;
    return new Promise((resolve, reject) => {
      const sent = open(url, { agent, method, headers, ...(signal && { signal }) }, resolve);
      let interim = 0;
      let before = 0;
      sent.on('socket', ({ bytesRead }) => {
        before = bytesRead;
      });
      sent.on('information', () => {
        interim++;
        if (interim <= MAX_INTERIM) return;
        sent.destroy(
          requestFailure('ERR_INTERIM_ANSWERS', `It was ended after ${MAX_INTERIM} interim answers.`),
        );
      });
      // Status 101: the connection no longer uses HTTP.
      sent.on('upgrade', (message: IncomingMessage, socket: Socket) => {
        socket.destroy();
        resolve(message);
      });
      sent.on('error', (error) => {
        const isAborted = signal?.aborted === true;
        // The server had closed a kept connection, which is not an answer to this request.
        if (sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET' && !isAborted) {
          request(url, method, headers, signal).then(resolve, reject);
        } else if (isAborted && (sent.socket?.bytesRead ?? 0) > before) {
          reject(requestFailure(SLOW_HEAD, 'The head of the answer began, and did not end.'));
        } else reject(error);
      });
      sent.end();
    });
  }

  return async (target, { method, headers, signal }) => {
    let url = new URL(target);
    let sent: Record<string, string> = { ...ALWAYS, ...headers };
    for (let hops = 0; ; hops++) {
      const message = await request(url, method ?? 'GET', sent, signal);
      const { statusCode = 0, headers: told } = message;
      if (!REDIRECTS.has(statusCode) || told.location === undefined) {
        return answerOf(message, url, await decoderOf(message));
      }
      takeRest(message);
      if (hops >= MAX_REDIRECTS) {
        throw requestFailure('ERR_REDIRECT_LOOP', `It was followed ${MAX_REDIRECTS} times.`);
      }
      const next = parsed(told.location, url);
      if (next.origin !== url.origin) {
        sent = Object.fromEntries(Object.entries(sent).filter(([name]) => FOR_ALL_HOSTS.test(name)));
      }
      url = next;
    }
  };
}

/**
 * Frees the connection of an answer whose body is not used. If the body is long or slow, the connection is closed.
 */
function takeRest(message: IncomingMessage): void {
  let rest = MAX_REST;
  const timer = setTimeout(() => message.destroy(), REST_MS);
  timer.unref();
  message.on('close', () => clearTimeout(timer));
  // Closing the connection before the end is reported as an error, which is ignored.
  message.on('error', () => {});
  message.on('data', ({ length }: Buffer) => {
    rest -= length;
    if (rest < 0) message.destroy();
  });
}

function parsed(location: string, base: URL): URL {
  try {
    return new URL(location, base);
  } catch {
    throw requestFailure('ERR_REDIRECT_TARGET', 'The server names a place that is no address.');
  }
}

interface Protocol {
  request(url: URL, options: RequestOptions, onAnswer: (message: IncomingMessage) => void): ClientRequest;
  agent: Agent;
}

/** Loaded when it is needed, so that a process that reads no address starts sooner. */
async function loadProtocol(protocol: 'http:' | 'https:'): Promise<Protocol> {
  const { Agent, request } = await (protocol === 'http:' ? import('node:http') : import('node:https'));
  return { request, agent: new Agent({ keepAlive: true }) };
}

function answerOf(message: IncomingMessage, url: URL, decoder: Decoder | undefined): Answer {
  // The connection no longer uses HTTP, so it must not be reused.
  if (message.statusCode === 101) message.destroy();
  return {
    status: message.statusCode ?? 0,
    headers: {
      get: (name) => {
        const value = message.headers[name.toLowerCase()];
        return value === undefined ? null : String(value);
      },
    },
    type: 'basic',
    url: url.href,
    body: message.statusCode === 101 ? null : new MessageBody(message, decoder),
  };
}

type Decoder = Readable & NodeJS.WritableStream;

/** Decompresses a body that was compressed although that was not requested. */
async function decoderOf(message: IncomingMessage): Promise<Decoder | undefined> {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase();
  if (!encoding || !/^(x-)?gzip$|^deflate$|^br$/.test(encoding)) return undefined;
  const { createBrotliDecompress, createUnzip } = await import('node:zlib');
  return encoding === 'br' ? createBrotliDecompress() : createUnzip();
}

/** The body of a message, read as it arrives. */
class MessageBody implements AnswerBody {
  readonly #message: IncomingMessage;
  /** The message, or its decoded body. */
  readonly #content: Readable;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(message: IncomingMessage, decoder: Decoder | undefined) {
    this.#message = message;
    this.#content = decoder ? message.pipe(decoder) : message;
    const wake = () => this.#wake?.();
    const fail = (error: Error) => {
      this.#failure = error;
      wake();
    };
    message.on('error', fail);
    message.on('close', wake);
    this.#content.on('readable', wake);
    this.#content.on('end', wake);
    if (decoder) decoder.on('error', fail);
  }

  getReader() {
    return this;
  }

  async read(): Promise<{ done: boolean; value?: Uint8Array }> {
    for (;;) {
      const { complete, closed } = this.#message;
      const content = this.#content;
      const chunk: Buffer | null = content.read();
      if (chunk) return { done: false, value: chunk };
      if (content.readableEnded && complete) return { done: true };
      if (this.#failure) throw this.#failure;
      if (closed && (!complete || content === this.#message))
        throw new Error('The connection was closed within the body.');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  async cancel(): Promise<void> {
    this.#message.destroy();
  }
}
