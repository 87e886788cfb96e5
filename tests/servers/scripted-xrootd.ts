import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

// A server that speaks the XRootD protocol as a test likes.

export const CODE = {
  auth: 3000,
  query: 3001,
  close: 3003,
  dirlist: 3004,
  protocol: 3006,
  login: 3007,
  open: 3010,
  stat: 3017,
};
export const READ = 3013;
export const READV = 3025;
export const PGREAD = 3030;

/** A request as it came. */
export interface Asked {
  code: number;
  stream: number;
  body: Buffer;
  data: Buffer;
  socket: Socket;
  encrypted: boolean;
}

/** Status and data of an answer, and bytes that leave in the same packet behind it; undefined: none. */
export type Answer = readonly [status: number, data: Uint8Array, behind?: Uint8Array] | undefined;

export interface ScriptedServer {
  port: number;
  url: string;
  /** Requests that came, by their code. */
  asked: Asked[];
  /** Times that bytes came: requests that lie in one packet came once. */
  packets: number;
  sockets: Set<Socket>;
  close(): Promise<void>;
}

/** One answer of the protocol. */
export function frame(stream: number, status: number, data: Uint8Array = new Uint8Array(0)): Buffer {
  const all = Buffer.alloc(8 + data.length);
  all.writeUInt16BE(stream, 0);
  all.writeUInt16BE(status, 2);
  all.writeInt32BE(data.length, 4);
  all.set(data, 8);
  return all;
}

export function int(value: number, text = ''): Buffer {
  const data = Buffer.alloc(4 + Buffer.byteLength(text));
  data.writeInt32BE(value);
  data.write(text, 4);
  return data;
}

/** The answer to the opening of a file. */
export function opened(size = 100, changed = 5, handle = 0): Buffer {
  const head = Buffer.alloc(12);
  head.writeInt32BE(handle);
  return Buffer.concat([head, Buffer.from(`1 ${size} 0 ${changed}\0`)]);
}

/** The answers that any server gives, for a file of `content`. */
export function usual({ code, body, data }: Asked, content: Uint8Array): Answer {
  switch (code) {
    case CODE.protocol:
      return [0, Buffer.from([0, 0, 5, 17, 0, 0, 0, 1])];
    case CODE.login:
      return [0, Buffer.alloc(16)];
    case CODE.query:
      return [0, Buffer.from('2097136\n1024\n')];
    case CODE.open:
      return [0, opened(content.length)];
    case CODE.stat:
      return [0, Buffer.from(`1 ${content.length} 0 5\0`)];
    case READ: {
      const offset = Number(body.readBigInt64BE(4));
      return [0, content.subarray(offset, offset + body.readInt32BE(12))];
    }
    case READV: {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < data.length; at += 16) {
        const offset = Number(data.readBigInt64BE(at + 8));
        pieces.push(data.subarray(at, at + 16), content.subarray(offset, offset + data.readInt32BE(at + 4)));
      }
      return [0, Buffer.concat(pieces)];
    }
    default:
      return [0, Buffer.alloc(0)];
  }
}

/**
 * Starts it on 127.0.0.1, or on another address. It greets, and answers each request by `answer`; where that returns nothing, `answer` has
 * written to the socket what it liked. With `tls`, it encrypts after an answer that says so.
 */
export async function startScripted(
  answer: (asked: Asked) => Answer,
  tls?: { key: string; cert: string },
  host = '127.0.0.1',
): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((plain) => {
    sockets.add(plain);
    plain.on('close', () => sockets.delete(plain));
    serve(plain, false);
  });
  const serve = (socket: Socket, encrypted: boolean): void => {
    let held = Buffer.alloc(0);
    let greeted = encrypted;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      running.packets += 1;
      held = Buffer.concat([held, data]);
      if (!greeted && held.length >= 20) {
        greeted = true;
        held = held.subarray(20);
        socket.write(frame(0, 0, Buffer.from([0, 0, 5, 17, 0, 0, 0, 1])));
      }
      while (greeted && held.length >= 24 && held.length >= 24 + held.readInt32BE(20)) {
        // Encrypted bytes are no request.
        if (held.readInt32BE(20) < 0) return socket.destroy();
        const length = 24 + held.readInt32BE(20);
        const one = held.subarray(0, length);
        held = held.subarray(length);
        const asked: Asked = {
          stream: one.readUInt16BE(0),
          code: one.readUInt16BE(2),
          body: one.subarray(4, 20),
          data: one.subarray(24),
          socket,
          encrypted,
        };
        running.asked.push(asked);
        const reply = answer(asked);
        if (reply && !socket.destroyed) {
          const [status, data, behind = new Uint8Array(0)] = reply;
          socket.write(Buffer.concat([frame(asked.stream, status, data), behind]));
        }
        const goes = asked.code === CODE.protocol && ((reply?.[1][4] ?? 0) & 0x40) !== 0;
        if (goes && tls && held.length === 0) {
          socket.removeAllListeners('data');
          serve(new TLSSocket(socket, { isServer: true, ...tls }), true);
          return;
        }
      }
    });
  };
  await new Promise<void>((done) => server.listen(0, host, done));
  const { port } = server.address() as { port: number };
  const running: ScriptedServer = {
    port,
    url: `root://127.0.0.1:${port}//f.root`,
    asked: [],
    packets: 0,
    sockets,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
  return running;
}
