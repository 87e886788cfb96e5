import { expect, test } from 'vitest';
import type { FileSource } from '../../web/api/api';
import type { DataModel } from '../../web/model/data-model';
import type { RootFile } from '../../web/model/root-file';
import { FriendFiles } from '../../web/query/friends/friend-files';

const run = (fields: Partial<Extract<FileSource, { kind: 'url' }>>): FileSource => ({
  kind: 'url',
  url: 'https://data.example/runs/1.root?sig=s',
  ...fields,
});
const headers = { Authorization: 'Bearer t' };

/** How the file of a friend is opened, by the name that a tree beside it has of it. */
async function specOf(name: string, beside: FileSource): Promise<FileSource | undefined> {
  let opened: FileSource | undefined;
  const files = new FriendFiles(
    async (spec) => {
      opened = spec;
      return { tree: async () => undefined } as unknown as RootFile;
    },
    () => beside,
  );
  const tree = { info: { friends: [{ name: 'f', tree: 't', file: name }] }, home: {} };
  await files.own(tree as unknown as DataModel)[0]?.open({});
  return opened;
}

test.each([
  ['2.root', run({ headers, cache: 'none' }), 'https://data.example/runs/2.root', true],
  ['https://data.example/2.root', run({ headers, cache: 'none' }), 'https://data.example/2.root', true],
  ['https://other.example/2.root', run({ headers, cache: 'none' }), 'https://other.example/2.root', false],
  // A host in another dress: the same name over http, and on another port.
  ['http://data.example/2.root', run({ headers, cache: 'none' }), 'http://data.example/2.root', false],
  [
    'https://data.example:8443/2.root',
    run({ headers, cache: 'none' }),
    'https://data.example:8443/2.root',
    false,
  ],
] as const)(
  'a friend %s gets headers at its own origin only, and is not kept',
  async (name, beside, url, own) => {
    expect(await specOf(name, beside)).toEqual({
      ...{ kind: 'url', url, cache: 'none' },
      ...(own ? { headers } : { token: 'none' }),
    });
  },
);

test('nor is one over the network of a file on disk that is not to be kept', async () => {
  const beside: FileSource = { kind: 'path', path: '/data/1.root', cache: 'none' };
  expect(await specOf('https://other.example/2.root', beside)).toEqual({
    kind: 'url',
    url: 'https://other.example/2.root',
    cache: 'none',
    token: 'none',
  });
  expect(await specOf('2.root', beside)).toEqual({ kind: 'path', path: '/data/2.root', cache: 'none' });
  expect(await specOf('https://other.example/2.root', { kind: 'path', path: '/data/1.root' })).toEqual({
    kind: 'url',
    url: 'https://other.example/2.root',
    token: 'none',
  });
});

test.each([
  [
    'root://other.example//data/2.root',
    { kind: 'path', path: '/data/1.root' },
    'root://other.example//data/2.root',
  ],
  [
    '2.root',
    { kind: 'url', url: 'root://data.example//runs/1.root?authz=s' },
    'root://data.example//runs/2.root',
  ],
  ['root://other.example//2.root', run({ headers }), 'root://other.example//2.root'],
  [
    'roots://h.example//2.root',
    { kind: 'url', url: 'root://h.example//1.root', headers },
    'roots://h.example//2.root',
  ],
] as const)('a friend %s is an address of an XRootD server', async (name, beside, url) => {
  const isNamed = name === '2.root';
  expect(await specOf(name, beside)).toEqual({ kind: 'url', url, ...(!isNamed && { token: 'none' }) });
});
