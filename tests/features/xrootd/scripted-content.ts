// Servers of one content, which are closed after each test.
import { afterEach } from 'vitest';
import { forgetServers } from '../../../web/features/xrootd/work/node-reach';
import { createXrootdSource } from '../../../web/features/xrootd/work/node-xrootd-source';
import {
  type Answer,
  type Asked,
  type ScriptedServer,
  startScripted,
  usual,
} from '../../servers/scripted-xrootd';

export const content = new Uint8Array(100_000).map((_, i) => (i * 7919) >> 5);
export const servers: ScriptedServer[] = [];
afterEach(async () => {
  forgetServers();
  for (const server of servers.splice(0)) await server.close();
});

/** A server of `content` that differs from others where `own` returns an answer. */
export async function serve(
  own: (asked: Asked, server: ScriptedServer) => Answer | 'none',
): Promise<ScriptedServer> {
  const server = await startScripted((asked) => {
    const answer = own(asked, server);
    return answer === 'none' ? undefined : (answer ?? usual(asked, content));
  });
  servers.push(server);
  return server;
}

/** Opens a file of a server that does not tell its state, so that only reads are asked for. */
export async function openQuietly(url: string, options: Parameters<typeof createXrootdSource>[1] = {}) {
  const source = createXrootdSource(url, options);
  for (const length of [5, 7]) await source.read(0, length);
  return source;
}

/** The answer of a server that cannot tell the state of a file. */
export const NO_STATE = [4003, Buffer.from('\0\0\x0b\xc5no\0', 'latin1')] as const;

export const codes = ({ asked }: ScriptedServer): number[] => asked.map(({ code }) => code);
