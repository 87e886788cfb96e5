import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificates {
  /** The certificate of the authority. */
  ca: string;
  cert: string;
  key: string;
}

/** An authority of the test's own, and the certificate of a host; undefined where openssl is not installed. */
export function makeCertificates(host = 'DNS:localhost'): Certificates | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-ca-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    openssl(
      'req',
      '-x509',
      ...fresh,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-days',
      '2',
      '-subj',
      '/CN=test',
    );
    openssl('req', ...fresh, '-keyout', 'key.pem', '-out', 'asked.csr', '-subj', '/CN=localhost');
    writeFileSync(join(folder, 'names'), `subjectAltName=${host}`);
    const sign = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
    openssl('x509', '-req', '-in', 'asked.csr', ...sign, '-out', 'cert.pem');
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
