// Needs features: xrootd.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publicText } from '../../web/io/public-text';
import {
  isRemote,
  looseProtocolOf,
  plainAddress,
  protocolOf,
  splitAddresses,
  splitScheme,
} from '../../web/io/schemes';

const root = join(import.meta.dirname, '../..');

describe('addresses', () => {
  test.each([
    ['http://h/a', 'http', false],
    ['HTTPS://h/a', 'http', true],
    ['dav://h/a', 'http', false],
    ['DAVS://h/a', 'http', true],
    ['root://h//a', 'xrootd', false],
    ['XRoots://h//a', 'xrootd', true],
    ['file:///a', 'file', false],
  ] as const)('%s is read by %s', (address, protocol, secure) => {
    expect(splitScheme(address)).toMatchObject({ protocol, rest: address.slice(address.indexOf('//') + 2) });
    expect(splitScheme(address)?.secure === true).toBe(secure);
    expect(isRemote(address)).toBe(protocol !== 'file');
  });

  test.each(['', ':', '://h', 'ftp://h/a', 'rootss://h/a', 'a.root', 'root:a', 'http:/h', '__proto__://h'])(
    '"%s" is not a complete address',
    (text) => expect(protocolOf(text)).toBeUndefined(),
  );

  test('new URL reads one slash as two, but not of root:', () => {
    expect(['https:/h/a', 'file:/a', 'root:/a', 'c:/a'].map(looseProtocolOf)).toEqual([
      ...['http', 'file', undefined, undefined],
    ]);
  });

  test('dav and davs are other names of http and https', () => {
    const given = [
      'dav://h:81/a?b#c',
      'Davs://u@h/a',
      'https://h/a',
      'HTTP://h',
      'root://h//a',
      'davs:/h/a',
      'a.root',
    ];
    expect(given.map(plainAddress)).toEqual(['http://h:81/a?b#c', 'https://u@h/a', ...given.slice(2)]);
  });

  test('a list is split where an address begins', () => {
    const addresses = ['root://h//a,b.root', 'https://h/c.root?d=1,2', 'file:///e'];
    expect(splitAddresses(addresses.join(','))).toEqual(addresses);
  });

  test.each([
    ['https:me:secret@h', 'https:h'],
    ['xroots:me:secret@h', 'xroots:h'],
    ['https:secret@h', 'h'],
    ['me:secret@h', 'h'],
    ['https::me@h', 'https::me@h'],
    ['a.root:tree@4096', 'a.root:tree@4096'],
  ])('of %s a message shows %s', (text, shown) => expect(publicText(text)).toBe(shown));
});

test('no other file has a regular expression of the schemes', () => {
  const files = ['web', 'workers', 'hosts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|py)$/.test(path) && !/node_modules|(?:^|\/)(?:dist|tests)\//.test(path))
      .map((path) => join(folder, path)),
  );
  const having = files.filter((path) =>
    /https\?:|[^\w]x?roots\?[:)|]/.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(having).toEqual([]);
});

test('the package for notebooks has the same schemes', () => {
  const python = readFileSync(join(root, 'hosts/jupyter/src/xylem/addresses.py'), 'utf8');
  const listed = [...(/_SCHEMES = \{(.*)\}/.exec(python)?.[1] ?? '').matchAll(/"(\w+)": "(\w+)"/g)];
  const remote = listed.map(([, name, protocol]) => [protocolOf(`${name}://h/a`), protocol]);
  expect(remote.map(([here]) => here)).toEqual(remote.map(([, there]) => there));
  const table = readFileSync(join(root, 'web/io/schemes.ts'), 'utf8').match(
    /^ {2}\['\w+', \{ protocol: '(?!file)/gm,
  );
  expect(listed).toHaveLength(table?.length ?? 0);
});
