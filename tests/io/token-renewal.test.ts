import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from '../cli/program';
import { lacks } from '../needs';
import { makeCertificates } from '../servers/certificates';

const bytes = readFileSync(resolve(import.meta.dirname, '../../public/sample.root'));
const made = makeCertificates();
let folder: string;
let server: Server;
/** The token that the server accepts, and what it gets. */
let accepted = 'first';
const got: (string | undefined)[] = [];
/** Called before each answer. */
let before: (count: number) => void = () => {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-token-'));
  if (!made) return;
  server = createServer(made, ({ headers }, response) => {
    before(got.length);
    got.push(headers.authorization);
    if (headers.authorization !== `Bearer ${accepted}`) {
      response.writeHead(401).end();
      return;
    }
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const end = Math.min(Number(last), bytes.length - 1);
    const length = { 'Content-Length': end - Number(first) + 1, ETag: '"1"' };
    response.writeHead(206, { ...length, 'Content-Range': `bytes ${first}-${end}/${bytes.length}` });
    response.end(bytes.subarray(Number(first), end + 1));
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  writeFileSync(join(folder, 'ca.pem'), made.ca);
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

function put(token: string): void {
  writeFileSync(join(folder, 'token'), `${token}\n`);
  chmodSync(join(folder, 'token'), 0o600);
}

/** Draws a branch whose baskets are read in blocks, by several requests. */
function draw(): Promise<{ status: number | null; err: string; out: string }> {
  const { port } = server.address() as AddressInfo;
  const words = [
    'draw',
    `https://localhost:${port}/a.root`,
    'Events',
    'Muon_pt',
    '--hist',
    '5,0,100',
    '--json',
  ];
  const child = spawn(process.execPath, [program, ...words, '--no-cache', '--align', '64KiB'], {
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      ...{ XDG_CACHE_HOME: folder, XYLEM_TOKEN_HOSTS: 'localhost', BEARER_TOKEN: '' },
      BEARER_TOKEN_FILE: join(folder, 'token'),
    },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => (out += piece));
  child.stderr.on('data', (piece) => (err += piece));
  return new Promise((done) => child.on('close', (status) => done({ status, out, err })));
}

const without = lacks('the built program', existsSync(program)) || lacks('openssl', made !== undefined);

test.skipIf(without)(
  'a token that is renewed while a file is read is read again when the server refuses the old one',
  async () => {
    put('first');
    accepted = 'first';
    const whole = await draw();
    expect(whole.status, whole.err).toBe(0);
    const requests = got.length;
    expect(requests).toBeGreaterThan(1);
    got.length = 0;
    before = (count) => {
      if (count !== 1) return;
      // From the second request on the server wants the new token, which is in the file.
      accepted = 'second';
      put('second');
    };
    const renewed = await draw();
    before = () => {};
    expect(renewed.status, renewed.err).toBe(0);
    expect(renewed.out).toBe(whole.out);
    expect(got[0]).toBe('Bearer first');
    expect(got).toContain('Bearer second');
    expect(got.filter((one) => one === 'Bearer first').length).toBeLessThanOrEqual(requests);
  },
);

test.skipIf(without)(
  'a token that expires is looked for again before it does; one that stays refused is an error',
  async () => {
    const token = (exp: number) => `a.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.c`;
    const now = Date.now() / 1000;
    put(token(now + 20));
    accepted = token(now + 20);
    got.length = 0;
    // The server would take the old one; the new one is used without being refused first.
    const first = accepted;
    const child = draw();
    before = (count) => {
      if (count === 0) put(token(now + 7200));
      if (count === 1) accepted = token(now + 7200);
    };
    const { status, err } = await child;
    before = () => {};
    expect(status, err).toBe(0);
    expect(got[0]).toBe(`Bearer ${first}`);
    expect(got.slice(1).every((one) => one === `Bearer ${token(now + 7200)}`)).toBe(true);

    got.length = 0;
    accepted = 'another';
    const refused = await draw();
    expect(refused.status).toBe(1);
    expect(refused.err).toContain('401');
    expect(got.length).toBeLessThanOrEqual(2);
  },
);
