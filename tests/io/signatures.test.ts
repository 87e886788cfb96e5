import { describe, expect, test } from 'vitest';
import { hasSecrets, publicAddress, unsignedQuery } from '../../web/io/signatures';

const at = (path: string): URL => new URL(path, 'https://store.example/');
const azure = 'sv=2022-11-02&sr=b&se=2026-01-01T00%3A00%3A00Z&sp=r&sig=';

describe('what says who may read is set aside, and what says which file is not', () => {
  test.each([
    ['run.root?X-Amz-Algorithm=A&X-Amz-Credential=c%2Fd&X-Amz-Expires=60&X-Amz-Signature=aa', ''],
    ['run.root?versionId=3&X-Amz-Signature=aa&partNumber=2', '?versionId=3&partNumber=2'],
    ['run.root?x-goog-signature=1&X-Goog-Date=2', ''],
    ['run.root?AWSAccessKeyId=me&Expires=17&Signature=ab%2Bc', ''],
    ['run.root?Expires=17&Signature=ab&Key-Pair-Id=K', ''],
    ['run.root?Policy=p&Signature=ab&Key-Pair-Id=K', ''],
    [`box/run?${azure}abc%3D`, ''],
    ['eos/run.dst?authz=Bearer%20x&eos.app=web', '?eos.app=web'],
    ['run.root?token=abc', ''],
    ['run.root?file=B&access_token=abc', '?file=B'],
    ['run.root?q-sign-algorithm=sha1&q-ak=1&q-signature=2&uploadId=3', '?uploadId=3'],
  ])('%s leaves "%s"', (path, left) => expect(unsignedQuery(at(path))).toBe(left));

  // Without the signature that they belong to, or where nothing else names the file, these choose it.
  test.each([
    'get?file=A',
    'get?X-Amz-File=A',
    'get?Expires=A',
    'get?sig=Higgs&sp=500&se=A',
    'get?signature=dimuon',
    'download?token=A',
    'download.php?dl=1&access_token=A',
    'get?a=1&b=2',
    'get?b=2&a=1',
    'run.root?q-signature=2',
  ])('all of %s stays', (path) => expect(unsignedQuery(at(path))).toBe(at(path).search));
});

test('what may be shown and kept has no secrets, known or likely', () => {
  const shown = (path: string) => publicAddress(at(path)).slice('https://store.example/'.length);
  expect(shown('run.root?X-Amz-Signature=s')).toBe('run.root');
  expect(shown('get?file=A&token=s&apiKey=s&private_token=s&Signature=s&sig=s')).toBe('get?file=A');
  expect(shown('get?persistentId=doi:10.1/AB#tree')).toBe('get?persistentId=doi:10.1/AB');
  expect(publicAddress(new URL('https://me:secret@store.example/run.root'))).toBe(
    'https://store.example/run.root',
  );
  expect(hasSecrets(at('run.root?sig=1'))).toBe(true);
  expect(hasSecrets(at('get?file=A#part'))).toBe(false);
});
