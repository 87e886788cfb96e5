import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseServed, servedFiles } from '../../../web/features/serve/view/served-files';

const base = 'https://viewer.example/app/';

describe('the files that a server offers', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('are those of its list, with absolute addresses', () => {
    const list = {
      files: [{ url: 'files/a%20b.root', name: 'a b.root', bytes: 12 }, { url: 'https://h/c.root' }],
    };
    expect(parseServed(list, base)).toEqual([
      { url: 'https://viewer.example/app/files/a%20b.root', name: 'a b.root', bytes: 12 },
      { url: 'https://h/c.root', name: 'https://h/c.root', bytes: undefined },
    ]);
  });

  it('leave out what is no address of a file, whatever the list is', () => {
    const odd = [null, 1, {}, { url: 'javascript:alert(1)' }, { url: 7 }, { url: 'http://[' }];
    expect(parseServed({ files: odd }, base)).toEqual([]);
    for (const list of [null, 'x', [], {}, { files: {} }]) expect(parseServed(list, base)).toEqual([]);
    const many = { files: Array.from({ length: 5000 }, (_, i) => ({ url: `${i}.root` })) };
    expect(parseServed(many, base)).toHaveLength(1000);
  });

  it.each([
    ['there is no list', () => Promise.resolve(new Response('', { status: 404 }))],
    ['a page comes instead', () => Promise.resolve(new Response('<!doctype html>'))],
    ['there is no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('are none when %s', async (_, answer) => {
    vi.stubGlobal('fetch', answer);
    expect(await servedFiles(base)).toEqual([]);
  });
});
