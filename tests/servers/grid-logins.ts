import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificates } from './certificates';
import { NOBODY } from './real-servers';

const PLUGIN = '/usr/lib/x86_64-linux-gnu/libXrdAccSciTokens-5.so';
const ISSUER = 'https://issuer.example';
const KEY = 'test';

/** Lines of an XRootD server that asks for a login by GSI with the certificates of a host. */
export function gsiHost({ ca, cert, key }: Certificates): { lines: string[]; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-grid-'));
  chmodSync(folder, 0o755);
  for (const [name, text] of Object.entries({ ca, cert, key })) {
    const path = join(folder, `${name}.pem`);
    writeFileSync(path, text, { mode: name === 'key' ? 0o600 : 0o644 });
    if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
  }
  const hash = execFileSync('openssl', ['x509', '-hash', '-noout', '-in', join(folder, 'ca.pem')]);
  // GSI finds an authority by the hash of its name.
  writeFileSync(join(folder, `${hash.toString().trim()}.0`), ca);
  const files = `-certdir:${folder} -cert:${folder}/cert.pem -key:${folder}/key.pem`;
  return {
    lines: ['xrootd.seclib libXrdSec.so', `sec.protocol gsi ${files} -crl:0`, 'sec.protbind * only gsi'],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An issuer of bearer tokens, and what an XRootD server needs to accept them. */
export interface TokenIssuer {
  /** Lines of the server's configuration. */
  lines: string[];
  environment: Record<string, string>;
  /** A token that allows to read all files, valid for some seconds from now. */
  token(seconds: number): string;
  remove(): void;
}

/**
 * Makes an issuer whose public key lies in the cache of the server's token library, so that the server asks nobody
 * for it. Undefined where xrootd-scitokens-plugins or python3, which writes that cache, are not installed.
 */
export function makeTokenIssuer(): TokenIssuer | undefined {
  if (!existsSync(PLUGIN)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'xylem-issuer-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY, alg: 'ES256', use: 'sig' }] };
  const later = Math.floor(Date.now() / 1000) + 3600;
  const keys = JSON.stringify({ jwks, expires: later, next_update: later });
  const cache = join(folder, 'scitokens');
  mkdirSync(cache);
  try {
    execFileSync('python3', ['-c', WRITE_CACHE, join(cache, 'scitokens_cpp.sqllite'), ISSUER, keys]);
  } catch (thrown) {
    remove();
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
  // The server runs as somebody else, and its library writes to the cache.
  for (const path of [folder, cache]) chmodSync(path, 0o777);
  chmodSync(join(cache, 'scitokens_cpp.sqllite'), 0o666);
  const settings = join(folder, 'settings');
  const issuer = ['[Issuer Test]', `issuer = ${ISSUER}`, 'base_path = /'];
  writeFileSync(settings, ['[Global]', 'onmissing = allow', ...issuer, ''].join('\n'));
  return {
    lines: [
      'xrootd.seclib libXrdSec.so',
      'sec.protocol ztn',
      'sec.protbind * only ztn',
      'xrootd.tls all',
      'ofs.authorize 1',
      `ofs.authlib libXrdAccSciTokens.so config=${settings}`,
    ],
    environment: { XDG_CACHE_HOME: folder },
    token(seconds) {
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: ISSUER, sub: 'reader', scope: 'read:/', ver: 'scitoken:2.0', aud: 'ANY' };
      const parts = [
        { alg: 'ES256', typ: 'JWT', kid: KEY },
        { ...claims, iat: now - 60, nbf: now - 60, exp: now + seconds, jti: String(now) },
      ];
      const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    },
    remove,
  };
}

const WRITE_CACHE = `
import sqlite3, sys
path, issuer, keys = sys.argv[1:]
with sqlite3.connect(path) as base:
    base.execute('CREATE TABLE keycache (issuer text UNIQUE PRIMARY KEY NOT NULL, keys text NOT NULL)')
    base.execute('INSERT INTO keycache VALUES (?, ?)', (issuer, keys))
`;
