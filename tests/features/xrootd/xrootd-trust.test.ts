import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listXrootdFolder } from '../../../web/features/xrootd/cli/folder';
import { forgetServers } from '../../../web/features/xrootd/work/node-reach';
import { createXrootdSource } from '../../../web/features/xrootd/work/node-xrootd-source';
import { lacks } from '../../needs';
import { makeCertificates } from '../../servers/certificates';
import {
  type Answer,
  type Asked,
  CODE,
  frame,
  int,
  type ScriptedServer,
  startScripted,
  usual,
} from '../../servers/scripted-xrootd';

// Somebody on the way, or a server that another one names, must get no token and be taken for nobody else.

const content = new Uint8Array(10_000).map((_, i) => (i * 7919) >> 5);
const named = makeCertificates('DNS:localhost');
const other = makeCertificates('IP:127.0.0.1');
const ca = `${named?.ca}${other?.ca}`;
const needsOpenssl = lacks('openssl', named !== undefined && other !== undefined);
const LOCATE = 3027;

const servers: ScriptedServer[] = [];
beforeEach(() => {
  vi.stubEnv('BEARER_TOKEN', 'ey.bearer');
  vi.stubEnv('XYLEM_TOKEN_HOSTS', '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  forgetServers();
  for (const server of servers.splice(0)) await server.close();
});

const flags = (bits: number): Buffer => Buffer.from([0, 0, 5, 17, bits, 0, 0, 1]);
const TLS = 0xc0;

/** A server that answers as `own` says, and otherwise gives `content`; with a certificate it encrypts. */
async function serve(own: (asked: Asked) => Answer = () => undefined, certificate?: typeof named) {
  const server = await startScripted((asked) => {
    const answer = own(asked);
    if (answer) return answer;
    return asked.code === CODE.protocol && certificate ? [0, flags(TLS)] : usual(asked, content);
  }, certificate);
  servers.push(server);
  return server;
}

const redirect = ({ port }: ScriptedServer, text = '127.0.0.1'): Answer => [4004, int(port, text)];
const at = ({ port }: ScriptedServer, scheme = 'root', host = 'localhost') =>
  `${scheme}://${host}:${port}//f.root?authz=SECRET&x=1`;
const open = (url: string) => createXrootdSource(url, { ca, silenceMs: 3000 });
/** Data of the requests that a server got encrypted, or in clear text. */
const told = ({ asked }: ScriptedServer, encrypted: boolean): string =>
  asked
    .filter((one) => one.encrypted === encrypted)
    .map(({ data }) => data.toString('latin1'))
    .join('\n');

describe.skipIf(needsOpenssl)('before the encryption stands', () => {
  const late = (data: Uint8Array) => Buffer.concat([int(5008), int(0), data]);
  test.each<[string, (asked: Asked, there: ScriptedServer) => Answer]>([
    ['a redirect', (_, there) => redirect(there)],
    ['an error', () => [4003, int(3011, 'no such file')]],
    ['a wait', () => [4005, int(0)]],
    ['the announcement of a late answer', () => [4006, int(1)]],
    ['a late redirect', ({ stream }, { port }) => [4001, late(frame(stream, 4004, int(port, '127.0.0.1')))]],
    ['a late success', ({ stream }) => [4001, late(frame(stream, 0, flags(TLS)))]],
    ['a wish for more credentials', () => [4002, Buffer.alloc(0)]],
    ['a part of an answer', () => [4000, flags(TLS)]],
    ['an answer of many megabytes', () => [0, Buffer.alloc(400_000)]],
    ['a second answer', ({ stream }) => [0, flags(TLS), frame(stream, 0, flags(TLS))]],
    ['the answer to the login', ({ stream }) => [0, flags(TLS), frame(stream + 1, 0, Buffer.alloc(16))]],
    ['no encryption', () => [0, flags(0)]],
  ])('roots:// does not believe %s', async (_, answer) => {
    const there = await serve(undefined, other);
    const server = await serve(
      (asked) => (asked.code === CODE.protocol ? answer(asked, there) : undefined),
      named,
    );
    await expect(open(at(server, 'roots')).read(0, 5)).rejects.toMatchObject({ code: 'NETWORK' });
    expect(there.asked).toEqual([]);
    expect(server.asked.map(({ code, encrypted }) => [code, encrypted])).toEqual([[CODE.protocol, false]]);
  });

  test.each(['root', 'roots'])(
    'bytes in clear text are no beginning of what is encrypted, by %s://',
    async (scheme) => {
      // All of an answer to the login but its last byte, which the first encrypted byte would complete.
      const begun = frame(2, 0, Buffer.alloc(16)).subarray(0, -1);
      for (const behind of [begun, begun.subarray(0, 3), frame(9, 0)]) {
        const server = await serve(
          ({ code }) => (code === CODE.protocol ? [0, flags(TLS), behind] : undefined),
          named,
        );
        await expect(open(at(server, scheme)).read(0, 5)).rejects.toMatchObject({
          code: 'NETWORK',
          message: expect.stringMatching(/clear text|before it encrypted/),
        });
        expect(told(server, false) + told(server, true)).not.toContain('SECRET');
      }
    },
  );
});

describe.skipIf(needsOpenssl)('a token in the address', () => {
  test('is not sent on in clear text by a door that turned on encryption itself', async () => {
    for (const text of [
      '127.0.0.1',
      '127.0.0.1?authz=SECRET',
      'localhost',
      'root://127.0.0.1:PORT//f.root',
    ]) {
      const data = await serve();
      const place = text.replace('PORT', String(data.port));
      const door = await serve(
        ({ code }) => (code === CODE.open ? [4004, int(place === text ? data.port : -1, place)] : undefined),
        named,
      );
      const source = open(at(door));
      expect(await source.read(0, 5)).toEqual(content.slice(0, 5));
      await source.close?.();
      expect(told(door, true)).toContain('/f.root?authz=SECRET&x=1');
      expect(told(data, false), text).toContain('/f.root?x=1');
      expect(told(data, false), text).not.toContain('SECRET');
    }
  });

  test('is sent on where the next server encrypts, too', async () => {
    const data = await serve(undefined, other);
    const door = await serve(({ code }) => (code === CODE.open ? redirect(data) : undefined), named);
    const source = open(at(door));
    expect(await source.read(0, 5)).toEqual(content.slice(0, 5));
    await source.close?.();
    expect(told(data, true)).toContain('/f.root?authz=SECRET&x=1');
    expect(told(data, false)).not.toContain('SECRET');
  });

  test('goes to no other host on the word of a server that does not encrypt, and it says why', async () => {
    const data = await serve(
      ({ code, data }) => (code === CODE.open && !/authz/.test(String(data)) ? [4003, int(3010)] : undefined),
      other,
    );
    const between = await serve(({ code }) => (code === CODE.open ? redirect(data) : undefined), other);
    for (const scheme of ['root', 'roots']) {
      const text = `${scheme}://127.0.0.1:${data.port}//f.root`;
      const door = await serve(({ code }) => (code === CODE.open ? [4004, int(-1, text)] : undefined));
      await expect(open(at(door)).read(0, 5)).rejects.toMatchObject({
        code: 'IO',
        fix: expect.stringMatching(/not sent to 127\.0\.0\.1.*XYLEM_TOKEN_HOSTS/),
      });
      expect(told(data, true) + told(data, false)).not.toContain('SECRET');
    }
    // Nor by way of a third server that encrypts.
    const door = await serve(({ code }) => (code === CODE.open ? redirect(between) : undefined));
    await expect(open(at(door)).read(0, 5)).rejects.toMatchObject({ code: 'IO' });
    expect(told(between, true) + told(data, true)).not.toContain('SECRET');
    vi.stubEnv('XYLEM_TOKEN_HOSTS', '127.0.0.1');
    const allowed = await serve(({ code }) => (code === CODE.open ? redirect(data) : undefined));
    const source = open(at(allowed));
    expect(await source.read(0, 5)).toEqual(content.slice(0, 5));
    await source.close?.();
  });

  test('is not shown where a server repeats it', async () => {
    const door = await serve(({ code, data }) => {
      if (code === CODE.login) return [0, Buffer.concat([Buffer.alloc(16), Buffer.from('&P=ztn,0:4096:\0')])];
      if (code !== CODE.open) return undefined;
      return [4003, int(3010, `may not open ${decodeURIComponent(String(data))} for ey.bearer`)];
    }, named);
    const url = `root://localhost:${door.port}//f.root?authz=Bearer%20SECRET&x=1`;
    const refused: unknown = await open(url)
      .read(0, 5)
      .catch((thrown) => thrown);
    expect(refused).toMatchObject({
      code: 'IO',
      message: expect.stringContaining('may not open /f.root?authz=…&x=1 for …'),
    });
    expect(JSON.stringify(refused)).not.toMatch(/SECRET|ey\.bearer/);
  });

  test('is not sent in clear text to a server that encrypted before', async () => {
    let encrypts = true;
    const door = await serve(({ code }) => {
      if (code === CODE.protocol) return [0, flags(encrypts ? TLS : 0)];
      return undefined;
    }, named);
    const first = open(at(door));
    expect(await first.read(0, 5)).toEqual(content.slice(0, 5));
    await first.close?.();
    encrypts = false;
    for (const host of ['localhost', 'LocalHost']) {
      await expect(open(at(door, 'root', host)).read(0, 5)).rejects.toMatchObject({
        code: 'NETWORK',
        message: expect.stringContaining('does not encrypt'),
      });
    }
    expect(told(door, false)).not.toContain('SECRET');
  });

  test('goes to the servers of a folder by the same rules', async () => {
    const list: (asked: Asked) => Answer = ({ code }) =>
      code === CODE.dirlist ? [0, Buffer.from('a.root\nb.root\0')] : undefined;
    const manager =
      (...there: ScriptedServer[]): ((asked: Asked) => Answer) =>
      ({ code }) => {
        const places = there.map(({ port }) => `Sr127.0.0.1:${port}`).join(' ');
        if (code === CODE.protocol) return [0, Buffer.from([0, 0, 5, 17, TLS, 0, 0, 2])];
        return code === LOCATE ? [0, Buffer.from(`${places}\0`)] : undefined;
      };
    const [plain, secure] = [await serve(list), await serve(list, other)];
    const door = await serve(manager(plain, secure), named);
    const url = `root://localhost:${door.port}//d/?authz=SECRET`;
    expect((await listXrootdFolder(url, { ca })).map(({ name }) => name)).toEqual(['a.root', 'b.root']);
    expect(told(door, true)).toContain('/d/?authz=SECRET');
    expect(told(secure, true)).toContain('/d/?authz=SECRET');
    expect(told(plain, false)).toMatch(/\/d\/$/m);
    expect(told(plain, false) + told(secure, false)).not.toContain('SECRET');
    // A redirector that another server named in clear text has no say, however well it encrypts.
    const below = await serve(list, other);
    const between = await serve(manager(below), other);
    const open = await serve(({ code }) => {
      if (code === CODE.protocol) return [0, Buffer.from([0, 0, 5, 17, 0, 0, 0, 2])];
      return code === LOCATE ? redirect(between) : undefined;
    });
    const found = await listXrootdFolder(`root://localhost:${open.port}//d/?authz=SECRET`, { ca });
    expect(found).toHaveLength(2);
    expect(told(between, true) + told(below, true) + told(below, false)).not.toContain('SECRET');
  });
});

describe('the servers of a folder', () => {
  const isManager = Buffer.from([0, 0, 5, 17, 0, 0, 0, 2]);
  const asksFor = (server: ScriptedServer, wanted: number): number =>
    server.asked.filter(({ code }) => code === wanted).length;
  const url = ({ port }: ScriptedServer) => `root://127.0.0.1:${port}//d/`;

  test('are each asked once, also a redirector that names itself', async () => {
    const data = await serve(({ code }) =>
      code === CODE.dirlist ? [0, Buffer.from('a.root\0')] : undefined,
    );
    const door: ScriptedServer = await serve(({ code }) => {
      if (code === CODE.protocol) return [0, isManager];
      const own = Array.from({ length: 500 }, () => `Mr127.0.0.1:${door.port} Sr127.0.0.1:${data.port}`);
      return code === LOCATE ? [0, Buffer.from(own.join(' '))] : undefined;
    });
    expect(await listXrootdFolder(url(door))).toMatchObject([{ name: 'a.root' }]);
    expect([asksFor(door, LOCATE), asksFor(data, CODE.dirlist), asksFor(door, CODE.dirlist)]).toEqual([
      1, 1, 0,
    ]);
    const lost: ScriptedServer = await serve(({ code }) => {
      if (code === CODE.protocol) return [0, isManager];
      return code === LOCATE ? [0, Buffer.from(`Mr127.0.0.1:${lost.port}`)] : undefined;
    });
    await expect(listXrootdFolder(url(lost))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('name 500,000 files together at most, because a name of a byte takes a hundred in memory', async () => {
    const server = await serve(({ code }) =>
      code === CODE.dirlist ? [0, Buffer.from('a\n'.repeat(1_100_000))] : undefined,
    );
    await expect(listXrootdFolder(url(server))).rejects.toMatchObject({
      code: 'BUDGET',
      message: expect.stringContaining('500,000 names'),
    });
  });

  test('are no more than 256, and no deeper than four redirectors', async () => {
    const many: ScriptedServer = await serve(({ code }) => {
      if (code === CODE.protocol) return [0, isManager];
      const places = Array.from({ length: 3000 }, (_, i) => `Mr127.0.0.1:${20_000 + i}`);
      return code === LOCATE ? [0, Buffer.from(places.join(' '))] : undefined;
    });
    await expect(listXrootdFolder(url(many))).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('256 servers'),
    });
    let next: ScriptedServer | undefined;
    for (let i = 0; i < 6; i++) {
      const below = next;
      next = await serve(({ code }) => {
        if (code === CODE.protocol) return [0, isManager];
        return code === LOCATE ? [0, Buffer.from(below ? `Mr127.0.0.1:${below.port}` : '')] : undefined;
      });
    }
    await expect(listXrootdFolder(url(next as ScriptedServer))).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
    expect(servers.slice(1).map((server) => asksFor(server, LOCATE))).toEqual([0, 1, 1, 1, 1, 1]);
  });

  test('may have addresses of both kinds', async ({ skip }) => {
    const answer = ({ code }: Asked): Answer =>
      code === CODE.dirlist ? [0, Buffer.from('a.root\0')] : usual({ code } as Asked, content);
    const there = await startScripted(answer, undefined, '::1').catch(() => skip());
    const four = await serve(answer);
    servers.push(there);
    const door = await serve(({ code }) => {
      if (code === CODE.protocol) return [0, isManager];
      return code === LOCATE
        ? [0, Buffer.from(`Sr[::1]:${there.port} Sr[::127.0.0.1]:${four.port}`)]
        : undefined;
    });
    expect(await listXrootdFolder(url(door))).toHaveLength(1);
    expect([asksFor(there, CODE.dirlist), asksFor(four, CODE.dirlist)]).toEqual([1, 1]);
  });

  test('have names that are names', async () => {
    for (const list of ['a\n../b\0', '.\n0 0 0 0\na/b\n1 5 0 5\0']) {
      const door = await serve(({ code }) => (code === CODE.dirlist ? [0, Buffer.from(list)] : undefined));
      await expect(listXrootdFolder(url(door)), list).rejects.toMatchObject({ code: 'NETWORK' });
    }
  });
});
