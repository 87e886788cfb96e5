import { describe, expect, test } from 'vitest';
import { publicText } from '../../web/io/public-text';
import { hasSecrets, publicAddress, storedAddress, storedText, unsignedQuery } from '../../web/io/signatures';

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

test.each([
  ['https://me:C4NARY@h.org/a.root?X-Amz-Signature=C4NARY: failed', 'https://h.org/a.root: failed'],
  ['"https://h.org/a.root?token=C4NARY" is not one of list.', '"https://h.org/a.root" is not one of list.'],
  ['at (root://h//a.root?authz=C4NARY).', 'at (root://h//a.root).'],
  ['https://h.org/a.root#C4NARY, https://h.org/b.root', 'https://h.org/a.root, https://h.org/b.root'],
  // The part of a hash that tells files apart in partial results.
  ['http://h/a.root?3f5bccea0c31ea28: no', 'http://h/a.root?3f5bccea0c31ea28: no'],
  ['no address: a?b#c @d', 'no address: a?b#c @d'],
  // Addresses that are none to programs: a sign is wrong or missing.
  ['No file is like "h.org:80/a.root?X-Amz-Signature=C4NARY&x=1".', 'No file is like "h.org:80/a.root".'],
  ['"me:C4NARY@h.org/a.root", "//me:C4NARY@h.org/a.root"', '"h.org/a.root", "//h.org/a.root"'],
  ['http:me:C4NARY@h.org/a.root#token=C4NARY.', 'http:h.org/a.root.'],
  ['/x/http:\\\\me:C4NARY@h.org\\a.root?authz=C4NARY: no', '/x/http:\\\\h.org\\a.root: no'],
  ["'file:///x/h.org/a.root%3Fauthz=C4NARY'.", "'file:///x/h.org/a.root'."],
  ['s3://me:C4NARY@bucket/a.root?token=C4NARY', 's3://bucket/a.root'],
  // Patterns, places, expressions, names of C++.
  ['run?.root a.bin@4096 C:a.bin@4096', 'run?.root a.bin@4096 C:a.bin@4096'],
  ['a?b==c:d a?b<=c:d ROOT::Math::x@y', 'a?b==c:d a?b<=c:d ROOT::Math::x@y'],
])('a message has no secrets of its addresses: %s', (text, shown) => {
  expect(publicText(text)).toBe(shown);
});

test.each([
  ['//me:C4NARY@h.org/a.root?X-Amz-Signature=C4NARY&file=x', '//h.org/a.root?file=x'],
  ['data/a.root?authz=C4NARY#C4NARY', 'data/a.root'],
  ['a.root?file=x&token=C4NARY', 'a.root?file=x'],
  ['127.0.0.1:80/a.root?access_token=C4NARY', '127.0.0.1:80/a.root'],
  ['h.org:80/a.root?access_token=C4NARY', 'h.org:80/a.root'],
  ['me:C4NARY@h.org/a.root', 'h.org/a.root'],
  ['http://me:C4NARY@[bad/a.root?sig=C4NARY&authz=C4NARY', 'http://[bad/a.root'],
  ['root://me:C4NARY@h//a.root?authz=C4NARY', 'root://h//a.root'],
  ['data/a@b.root?file=x#tree', 'data/a@b.root?file=x#tree'],
  ['../a b.root?file=ä x', '../a b.root?file=ä x'],
])('%s is stored without its secrets, whatever it counts from', (address, stored) => {
  expect(storedAddress(address)).toBe(stored);
});

test('a text that hosts store has no secrets of its addresses, and stays what it is', () => {
  const signed = 'https://me:C4NARY@h.org/a.root?X-Amz-Signature=C4NARY&file=x';
  expect(storedText(signed)).toBe('https://h.org/a.root?file=x');
  expect(storedText(`${signed} https://h.org/c.root?token=C4NARY`)).toBe(
    'https://h.org/a.root?file=x https://h.org/c.root',
  );
  const layers = JSON.stringify([{ src: signed, cut: 'n>1 && m==2' }, { draw: 'n' }]);
  expect(JSON.parse(storedText(layers))).toEqual([
    { src: 'https://h.org/a.root?file=x', cut: 'n>1 && m==2' },
    { draw: 'n' },
  ]);
  for (const plain of ['https://h.org/a.root', 'n>1', 'a@b?c#d', 'dir/h;1'])
    expect(storedText(plain)).toBe(plain);
});
