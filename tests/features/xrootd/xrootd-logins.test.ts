import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createXrootdSource } from '../../../web/features/xrootd/work/node-xrootd-source';
import type { Send } from '../../../web/io/http/http-client';
import { findToken, mayHaveToken, sendWithToken } from '../../../web/io/node-token';
import { lacks } from '../../needs';
import { makeCertificates } from '../../servers/certificates';
import { gsiHost, makeTokenIssuer } from '../../servers/grid-logins';
import { type RunningServer, realServers, startRealServer } from '../../servers/real-servers';
import {
  type Answer,
  type Asked,
  CODE,
  int,
  type ScriptedServer,
  startScripted,
  usual,
} from '../../servers/scripted-xrootd';

const content = new Uint8Array(100_000).map((_, i) => (i * 7919) >> 5);
const certificates = makeCertificates();
const { ca = '', cert = '', key = '' } = certificates ?? {};

const servers: ScriptedServer[] = [];
let running: RunningServer | undefined;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-token-'));
  vi.stubEnv('BEARER_TOKEN', '');
  vi.stubEnv('BEARER_TOKEN_FILE', '');
  vi.stubEnv('XDG_RUNTIME_DIR', '');
  vi.stubEnv('XYLEM_TOKEN_HOSTS', '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
  for (const server of servers.splice(0)) await server.close();
  await running?.stop();
  running = undefined;
});

describe('bearer tokens are found', () => {
  const put = (name: string, text: string, mode = 0o600): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
    return path;
  };
  const uid = process.getuid?.() ?? 0;

  test('in the order of WLCG', async () => {
    const file = put('named', 'ey.named\n');
    put(`bt_u${uid}`, 'ey.run');
    const all = { BEARER_TOKEN: ' ey.given ', BEARER_TOKEN_FILE: file, XDG_RUNTIME_DIR: folder };
    expect(await findToken(all, uid, '/nowhere')).toBe('ey.given');
    expect(await findToken({ ...all, BEARER_TOKEN: '' }, uid, '/nowhere')).toBe('ey.named');
    expect(await findToken({ XDG_RUNTIME_DIR: folder }, uid, '/nowhere')).toBe('ey.run');
    expect(await findToken({}, uid, folder)).toBe('ey.run');
    expect(await findToken({}, uid, '/nowhere')).toBeUndefined();
  });

  test('not in files that others may read, in links for all, and not what is none', async () => {
    const BEARER_TOKEN_FILE = put('named', 'ey.named', 0o640);
    await expect(findToken({ BEARER_TOKEN_FILE }, uid)).rejects.toMatchObject({
      code: 'IO',
      fix: expect.stringContaining('chmod 600'),
    });
    chmodSync(BEARER_TOKEN_FILE, 0o600);
    symlinkSync(BEARER_TOKEN_FILE, join(folder, `bt_u${uid}`));
    await expect(findToken({}, uid, folder)).rejects.toMatchObject({ code: 'IO' });
    await expect(findToken({ BEARER_TOKEN: 'a\r\nX-Evil: 1' }, uid)).rejects.toMatchObject({
      code: 'ARGUMENT',
    });
    await expect(findToken({ BEARER_TOKEN_FILE: join(folder, 'none') }, uid)).rejects.toMatchObject({
      code: 'IO',
    });
  });

  test('and may go to hosts that the user named', () => {
    expect(mayHaveToken('a.example', 'A.example', {})).toBe(true);
    expect(mayHaveToken('b.example', 'a.example', {})).toBe(false);
    const environment = { XYLEM_TOKEN_HOSTS: 'c.example, *.b.example *.' };
    expect(mayHaveToken('x.b.example', 'a.example', environment)).toBe(true);
    expect(mayHaveToken('c.example', undefined, environment)).toBe(true);
    for (const host of ['b.example', 'xb.example', 'd.example', '']) {
      expect(mayHaveToken(host, 'a.example', environment)).toBe(false);
    }
  });
});

test('https gets the token of hosts that are allowed to have it', async () => {
  const environment = { BEARER_TOKEN: 'ey.good', XYLEM_TOKEN_HOSTS: 'a.example' };
  const own = { 'X-Own': '1' };
  /** The headers that reach the server. */
  const sentTo = async (url: string, headers: Record<string, string>, of: Record<string, string>) => {
    let sent: Record<string, string> = {};
    const send: Send = async (_, init) => {
      sent = init.headers;
      return { status: 206, headers: { get: () => null }, type: 'basic', url, body: null };
    };
    await sendWithToken(send, of)(url, { headers, signal: new AbortController().signal });
    return sent;
  };
  expect(await sentTo('https://a.example/f.root', own, environment)).toEqual({
    ...own,
    Authorization: 'Bearer ey.good',
  });
  const given = { authorization: 'Basic x' };
  expect(await sentTo('https://a.example/f.root', given, environment)).toEqual(given);
  for (const url of ['http://a.example/f.root', 'https://b.example/f.root', 'https://xa.example/f.root']) {
    expect(await sentTo(url, own, environment)).toEqual(own);
  }
  expect(await sentTo('https://a.example/f.root', own, { BEARER_TOKEN: 'ey.good' })).toEqual(own);
});

const { XRootD } = realServers;
const there = test.skipIf(XRootD.program === undefined || certificates === undefined);

describe(`XRootD, version ${XRootD.version ?? 'not installed'}`, () => {
  /** Starts it with lines of its configuration; the certificate lies beside the file. */
  async function start(lines: string[], environment?: Record<string, string>): Promise<string> {
    const certificate = { cert, key };
    running = await startRealServer(XRootD, content, { server: lines, certificate, environment });
    return running.url.replace(/^http:..127.0.0.1(:\d+)/, 'root://localhost$1/');
  }

  there.each(['all', 'login', 'session', 'data'])(
    'TLS for %s, with certificates that are checked',
    async (what) => {
      const url = await start([`xrootd.tls ${what}`]);
      // A server that encrypted has to do so for the next file, too.
      for (const _ of [1, 2]) {
        const source = createXrootdSource(url, { ca });
        expect(await source.read(5, 50_000)).toEqual(content.slice(5, 50_005));
        await source.close?.();
      }
      await expect(createXrootdSource(url, { silenceMs: 2000 }).read(0, 5)).rejects.toMatchObject({
        code: 'NETWORK',
        message: expect.stringMatching(/certificate/),
      });
    },
    20_000,
  );

  there(
    'roots:// insists on TLS where the server leaves it open, and refuses a server without',
    async () => {
      const url = await start(['xrootd.tls capable all']);
      const source = createXrootdSource(url.replace('root:', 'roots:'), { ca });
      expect(await source.read(5, 500)).toEqual(content.slice(5, 505));
      await source.close?.();
      await running?.stop();
      running = await startRealServer(XRootD, content);
      const plain = running.url.replace(/^http:/, 'roots:');
      await expect(createXrootdSource(plain, { ca }).read(0, 5)).rejects.toMatchObject({ code: 'NETWORK' });
    },
    20_000,
  );

  there(
    'a server that wants signatures of requests is named as such',
    async () => {
      const url = await start([
        'xrootd.seclib libXrdSec.so',
        'sec.protocol unix',
        'sec.level all standard force',
      ]);
      await expect(createXrootdSource(url).read(5, 500)).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringContaining('kXR_sigver'),
      });
    },
    20_000,
  );

  there.each(['unix', 'host'])(
    'a login by %s',
    async (name) => {
      const url = await start([
        'xrootd.seclib libXrdSec.so',
        `sec.protocol ${name}`,
        `sec.protbind * only ${name}`,
      ]);
      const source = createXrootdSource(url);
      expect(await source.read(5, 500)).toEqual(content.slice(5, 505));
      await source.close?.();
    },
    20_000,
  );

  there(
    'GSI is named as a login that is not there, with the way out',
    async () => {
      const host = gsiHost({ ca, cert, key });
      try {
        const url = await start(host.lines);
        await expect(createXrootdSource(url, { ca }).read(5, 500)).rejects.toMatchObject({
          code: 'UNSUPPORTED',
          message: expect.stringContaining('login by gsi'),
          fix: expect.stringContaining('https'),
        });
      } finally {
        host.remove();
      }
    },
    20_000,
  );

  const issuer = XRootD.program === undefined ? undefined : makeTokenIssuer();
  afterAll(() => issuer?.remove());
  test.skipIf(
    lacks('xrootd-scitokens-plugins and python3', issuer !== undefined && certificates !== undefined),
  )(
    'a bearer token that the server checks, and those that it refuses',
    async () => {
      const { lines = [], environment, token = () => '' } = issuer ?? {};
      const url = await start(lines, environment);
      const open = (given: string) => {
        vi.stubEnv('BEARER_TOKEN', given);
        return createXrootdSource(url, { ca });
      };
      const source = open(token(600));
      expect(await source.read(5, 50_000)).toEqual(content.slice(5, 50_005));
      await source.close?.();
      for (const [given, why] of [
        [token(-30), 'token expired'],
        [`${token(600).slice(0, -4)}AAAA`, 'Invalid signature'],
      ] as const) {
        const refused: unknown = await open(given)
          .read(0, 5)
          .catch((thrown) => thrown);
        expect(refused).toMatchObject({ code: 'IO', message: expect.stringContaining(why) });
        expect(JSON.stringify(refused)).not.toContain(given);
      }
      await expect(open('').read(0, 5)).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        fix: expect.stringContaining('BEARER_TOKEN'),
      });
    },
    20_000,
  );
});

describe.skipIf(certificates === undefined)('a server that asks for a token', () => {
  const flags = (tls: number) => [0, Buffer.from([0, 0, 5, 17, tls, 0, 0, 1])] as const;
  const wants = [0, Buffer.concat([Buffer.alloc(16), Buffer.from('&P=ztn,0:4096:\0')])] as const;

  async function serve(
    tls: number,
    own: (asked: Asked) => Answer = () => undefined,
  ): Promise<ScriptedServer> {
    const server = await startScripted(
      (asked) => {
        const answer = own(asked);
        if (answer) return answer;
        if (asked.code === CODE.protocol) return flags(tls);
        if (asked.code === CODE.login) return wants;
        if (asked.code !== CODE.auth) return usual(asked, content);
        // Where the token lies is said by XrdSecProtocolztn.
        const token = asked.data.subarray(10, 10 + asked.data.readUInt16BE(8)).toString();
        return token === 'ey.good\0' ? [0, Buffer.alloc(0)] : [4003, int(3010, 'Invalid token')];
      },
      { key, cert },
    );
    servers.push(server);
    return server;
  }
  const open = ({ port }: { port: number }, host = 'localhost') =>
    createXrootdSource(`root://${host}:${port}//f.root`, { ca, silenceMs: 3000 });
  const auths = ({ asked }: ScriptedServer) => asked.filter(({ code }) => code === CODE.auth);

  test('gets it over TLS, and a bad one is refused', async () => {
    const server = await serve(0xc0);
    vi.stubEnv('BEARER_TOKEN', 'ey.good');
    const source = open(server);
    expect(await source.read(5, 50)).toEqual(content.slice(5, 55));
    await source.close?.();
    expect(auths(server)).toMatchObject([{ encrypted: true }]);
    vi.stubEnv('BEARER_TOKEN', 'ey.bad');
    await expect(open(server).read(0, 5)).rejects.toMatchObject({
      code: 'IO',
      message: expect.not.stringContaining('ey.bad'),
    });
    vi.stubEnv('BEARER_TOKEN', '');
    vi.stubEnv('BEARER_TOKEN_FILE', join(dirname(folder), 'is-not-there'));
    await expect(open(server).read(0, 5)).rejects.toMatchObject({ code: 'IO' });
  });

  test('gets none without TLS', async () => {
    const server = await serve(0);
    vi.stubEnv('BEARER_TOKEN', 'ey.good');
    await expect(open(server).read(0, 5)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('not encrypted'),
    });
    expect(auths(server)).toEqual([]);
  });

  test('gets none when another server sent us there, unless that is allowed, and none when a file named it', async () => {
    vi.stubEnv('BEARER_TOKEN', 'ey.good');
    const server = await serve(0xc0);
    const redirector = await serve(0, ({ code }) => {
      if (code === CODE.open) return [4004, int(server.port, 'localhost')];
      return code === CODE.login ? [0, Buffer.alloc(16)] : undefined;
    });
    const refused = { code: 'UNSUPPORTED', fix: expect.stringContaining('XYLEM_TOKEN_HOSTS') };
    await expect(open(redirector, '127.0.0.1').read(0, 5)).rejects.toMatchObject(refused);
    const url = `root://localhost:${server.port}//f.root`;
    await expect(createXrootdSource(url, { ca, token: 'none' }).read(0, 5)).rejects.toMatchObject(refused);
    expect(auths(server)).toEqual([]);
    vi.stubEnv('XYLEM_TOKEN_HOSTS', 'localhost');
    const source = open(redirector, '127.0.0.1');
    expect(await source.read(5, 5)).toEqual(content.slice(5, 10));
    await source.close?.();
  });
});
