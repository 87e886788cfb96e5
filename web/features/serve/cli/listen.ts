import { createServer, type RequestListener, type Server } from 'node:http';
import { XylemError } from '../../../base/errors';

/** A free port of one address may be taken at another one; then the next one is tried. */
const TRIES = 20;
/** Systems without IPv6 or without IPv4. */
const NOT_THERE = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'];

/**
 * Answers at a port of several addresses of this machine; those that the system does not have are left out, but not
 * the first. Port 0: one that is free at all of them. Throws IO where one is taken.
 */
export async function listenAt(
  hosts: readonly string[],
  port: number,
  answer: RequestListener,
): Promise<{ port: number; close(): Promise<void> }> {
  for (let tried = 1; ; tried++) {
    const servers: Server[] = [];
    const close = async (): Promise<void> => {
      await Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((done) => {
              server.close(() => done());
              server.closeAllConnections();
            }),
        ),
      );
    };
    let actual = port;
    try {
      for (const host of hosts) {
        const server = await listen(host, actual, answer).catch((thrown: NodeJS.ErrnoException) => {
          if (servers.length > 0 && NOT_THERE.includes(thrown.code ?? '')) return undefined;
          throw refused(host, actual, thrown);
        });
        if (!server) continue;
        servers.push(server);
        const address = server.address();
        if (typeof address === 'object' && address !== null) actual = address.port;
      }
      return { port: actual, close };
    } catch (thrown) {
      const isLate = servers.length > 0;
      await close();
      if (port !== 0 || !isLate || tried >= TRIES) throw thrown;
    }
  }
}

function listen(host: string, port: number, answer: RequestListener): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(answer);
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

function refused(host: string, port: number, cause: NodeJS.ErrnoException): XylemError {
  const why = cause.code === 'EADDRINUSE' ? 'it is taken' : cause.message;
  return new XylemError({
    code: 'IO',
    message: `Port ${port} of ${host} cannot be served: ${why}.`,
    fix: 'Choose another with --port, or 0 for a free one.',
    cause,
  });
}
