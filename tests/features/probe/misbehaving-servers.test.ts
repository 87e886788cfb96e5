import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { XylemError } from '../../../web/base/errors';
import { probeServer } from '../../../web/features/probe/work/probe';
import { createHttpSource } from '../../../web/io/http/http-source';
import { SENDERS } from '../../io/senders';

// Everything that waits has a deadline: servers that do wrong in ways that HTTP libraries leave to the caller.

const TIMEOUT = 100;
/** All tries of one request, with longer patience each time. */
const LIMIT = 6000;

const HEAD = 'HTTP/1.1 206 Partial Content\r\nETag: "a"\r\n';
const halfBody = (length: number) =>
  `${HEAD}Content-Range: bytes 0-${length - 1}/9000000\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length / 2)}`;
/** Writes until the connection ends. */
function again(socket: Socket, ms: number, text: (i: number) => string): void {
  let i = 0;
  const timer = setInterval(() => socket.write(text(i++)), ms);
  socket.on('close', () => clearInterval(timer));
}

const WRONGS: Record<string, { answer: (socket: Socket) => void; codes: string[] }> = {
  'no answer': { answer: () => {}, codes: ['TIMEOUT'] },
  'half of a head': { answer: (socket) => socket.write(HEAD), codes: ['TIMEOUT'] },
  'a head byte by byte': {
    answer: (socket) => again(socket, 20, (i) => `${HEAD}X: ${'y'.repeat(9999)}`[i] ?? 'y'),
    codes: ['TIMEOUT'],
  },
  'half of a body': { answer: (socket) => socket.write(halfBody(100)), codes: ['TIMEOUT', 'HTTP_LENGTH'] },
  'half of a long body': {
    answer: (socket) => socket.write(halfBody(65_536)),
    codes: ['TIMEOUT', 'HTTP_LENGTH'],
  },
  'another protocol': {
    answer: (socket) => socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    codes: ['HTTP_STATUS', 'NETWORK'],
  },
  'status 101 without a protocol': {
    answer: (socket) => socket.write('HTTP/1.1 101 Switching\r\n\r\n'),
    codes: ['HTTP_STATUS', 'NETWORK', 'TIMEOUT'],
  },
  'hints without end': {
    answer: (socket) => again(socket, 1, () => 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(20)),
    codes: ['NETWORK', 'TIMEOUT'],
  },
  'a hint now and then': {
    answer: (socket) => again(socket, 40, () => 'HTTP/1.1 102 Processing\r\n\r\n'),
    codes: ['NETWORK', 'TIMEOUT'],
  },
  'a connection that breaks': { answer: (socket) => socket.resetAndDestroy(), codes: ['NETWORK'] },
  'a connection that ends': { answer: (socket) => socket.end(), codes: ['NETWORK'] },
  'no HTTP': { answer: (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), codes: ['NETWORK'] },
};

let server: Server | undefined;
let open: Set<Socket>;
afterEach(() => {
  for (const socket of open) socket.destroy();
  server?.close();
});

async function start(answer: (socket: Socket) => void): Promise<string> {
  open = new Set();
  server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    let text = '';
    socket.on('data', (data) => {
      text += data;
      if (!text.endsWith('\r\n\r\n')) return;
      text = '';
      answer(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/d/file.root`;
}

/** The error of a call, which has to come within the limit. */
async function errorOf(call: Promise<unknown>): Promise<XylemError> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((done) => {
    timer = setTimeout(() => done(`not settled after ${LIMIT} ms`), LIMIT);
  });
  const result = await Promise.race([
    call.then(
      () => 'no error',
      (thrown: unknown) => thrown,
    ),
    late,
  ]);
  clearTimeout(timer);
  expect(result).toBeInstanceOf(XylemError);
  return result as XylemError;
}

/** Connections without an answer are not kept open. */
async function connectionsEnd(): Promise<void> {
  await expect.poll(() => open.size, { timeout: 2000 }).toBe(0);
}

describe.each(SENDERS)('by %s', (_name, send) => {
  test.each(Object.entries(WRONGS))(
    '%s ends in an error, at a read and when the server is probed',
    {
      timeout: 4 * LIMIT,
    },
    async (_what, { answer, codes }) => {
      const url = await start(answer);
      const options = { send, timeoutMs: TIMEOUT, retries: 1, backoffMs: 1 };
      const source = createHttpSource(url, options);
      const failed = await errorOf(source.read(0, 65_536));
      expect(codes).toContain(failed.code);
      expect(failed.where).toMatchObject({ url });
      expect(failed.fix).toBeTruthy();
      // fetch keeps connections of its own.
      if (send) await connectionsEnd();
      const unprobed = await errorOf(
        probeServer(url, { send, timeoutMs: TIMEOUT, origin: 'https://a.example' }),
      );
      expect(codes).toContain(unprobed.code);
      // It runs in no page.
      expect(`${unprobed.message} ${unprobed.fix}`).not.toMatch(/page may read|CORS/);
      if (send) await connectionsEnd();
    },
  );
});

test('a server that falls silent after the first answers does not hold the probe', {
  timeout: LIMIT,
}, async () => {
  const content = Buffer.alloc(200_000, 'x');
  let text = '';
  const url = await start((socket) => {
    const from = Number(/bytes=(\d+)-/.exec(text)?.[1] ?? 0);
    const to = Number(/bytes=\d+-(\d+)/.exec(text)?.[1] ?? 0) + 1;
    const head = `${HEAD}Content-Range: bytes ${from}-${to - 1}/9000000\r\nContent-Length: ${to - from}\r\n\r\n`;
    socket.write(head);
    // The throughput is measured behind the first 64 kB.
    socket.write(content.subarray(0, from < 65_536 ? to - from : 1000));
  });
  server?.on('connection', (socket) =>
    socket.prependListener('data', (data) => {
      text = String(data);
    }),
  );
  const error = await errorOf(probeServer(url, { send: SENDERS[1]?.[1], timeoutMs: TIMEOUT }));
  expect(error.code).toBe('TIMEOUT');
  await connectionsEnd();
});

test('a head that does not end is said to be one, and tried twice at most', async () => {
  const { answer } = WRONGS['a head byte by byte'] as { answer: (socket: Socket) => void };
  let requests = 0;
  const url = await start((socket) => {
    requests++;
    answer(socket);
  });
  const source = createHttpSource(url, { send: SENDERS[1]?.[1], timeoutMs: TIMEOUT, backoffMs: 1 });
  const error = await errorOf(source.read(0, 100));
  expect(error.message).toMatch(/its headers were not complete after 0\.\d s/);
  expect(error.fix).not.toMatch(/tape/);
  expect(requests).toBe(2);
});

test('an address with a user is probed as it is read', async () => {
  let seen = '';
  const url = await start((socket) => socket.end('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n'));
  server?.on('connection', (socket) =>
    socket.prependListener('data', (data) => {
      seen += data;
    }),
  );
  const error = await errorOf(probeServer(url.replace('//', '//me:hidden@'), { send: SENDERS[1]?.[1] }));
  expect(error.code).toBe('HTTP_STATUS');
  expect(JSON.stringify(error.toRecord())).not.toContain('hidden');
  expect(seen).toContain(`Authorization: Basic ${btoa('me:hidden')}`);
});

test('a sender that does not end with its signal is left', async () => {
  const url = await start(() => {});
  const never = () => new Promise<never>(() => {});
  const silent = async () => ({
    status: 206,
    headers: new Headers({ 'Content-Range': 'bytes 0-99/9000' }),
    type: 'basic' as const,
    url,
    body: { getReader: () => ({ read: never, cancel: async () => {} }), cancel: async () => {} },
  });
  for (const send of [never, silent]) {
    const source = createHttpSource(url, { send, timeoutMs: TIMEOUT, retries: 0 });
    expect((await errorOf(source.read(0, 100))).code).toBe('TIMEOUT');
  }
});
