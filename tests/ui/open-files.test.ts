import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressOf, askedState } from '../../web/ui/state/address/page-url';
import { namedAddresses, waitingAddresses } from '../../web/ui/state/open-files';
import { createViewerStore } from '../../web/ui/state/store';
import { createMockReader } from '../mock-reader';

const base = 'https://viewer.example/';

/** The files that a page opens that is loaded anew: the shown one first. */
function reloaded(address: string): string[] {
  const { search, hash } = new URL(address);
  const asked = askedState({ search, hash });
  return [asked.url ?? '', ...namedAddresses(asked.also ?? '', base)];
}

async function openAll(urls: readonly string[]) {
  const store = createViewerStore(createMockReader({ branches: 60 }));
  await store.session.open({ kind: 'url', url: urls[0] ?? '' });
  for (const url of urls.slice(1)) store.files.later({ kind: 'url', url });
  return store;
}

describe('the open files in the address', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([2, 31, 90])('are %d after the page is loaded again', async (count) => {
    vi.stubGlobal('location', new URL(base));
    const urls = Array.from(
      { length: count },
      (_, i) => `https://data.example/store/run${i}/events ${i}.root`,
    );
    const store = await openAll(urls);
    const address = addressOf(store.navigation.pageState.value);
    const spaced = (url: string) => url.replace(/ /g, '%20');
    expect(reloaded(address).map(spaced)).toEqual(urls.map(spaced));
    // A server is sent no more than it takes.
    expect(new URL(address).search.length).toBeLessThan(2100);
  });

  it('are those that fit, and the number of the others is said', async () => {
    const urls = Array.from({ length: 20 }, (_, i) => `https://data.example/${'x'.repeat(1000)}${i}.root`);
    const store = await openAll(urls);
    const { also, left } = waitingAddresses(store.files);
    expect(namedAddresses(also, base)).toEqual(urls.slice(1, 8));
    expect(left).toBe(12);
  });

  it('have no signature where they are files of layers, and no server is sent their queries', () => {
    vi.stubGlobal('location', new URL(base));
    const signed = 'https://s3.example/b.root?X-Amz-Signature=abc&X-Amz-Credential=key';
    const layersWith = (src: string) => JSON.stringify([{ src }, {}, { draw: 'pt' }]);
    const address = addressOf({ url: `${base}a.root`, tree: 't', draw: 'n', layers: layersWith(signed) });
    expect(address).not.toMatch(/abc|key/);
    const { search, hash } = new URL(address);
    expect(JSON.parse(askedState({ search, hash }).layers ?? '')).toEqual([
      { src: 'https://s3.example/b.root' },
      {},
      { draw: 'pt' },
    ]);
    const own = JSON.stringify([{ src: 'local:0' }, {}, { draw: 'eta' }]);
    expect(addressOf({ url: `${base}a.root`, layers: own })).not.toContain('local');
    expect(addressOf({ url: `${base}a.root`, layers: '[{"src":"local:0"},{}]' })).not.toContain('layers');
    const queried = new URL(addressOf({ url: `${base}a.root`, layers: layersWith('https://h/b.root?id=1') }));
    expect(queried.search).toBe('');
    expect(queried.hash).toContain('id%3D1');
  });

  it('leaves out text that is not an address', () => {
    expect(namedAddresses(' ftp://x/y a.root  https://h/b.root', base)).toEqual([
      `${base}a.root`,
      'https://h/b.root',
    ]);
  });
});

describe('a file that is shown again', () => {
  it('shows the last state that back and forward ask for', async () => {
    const store = await openAll(['https://data.example/a.root', 'https://data.example/b.root']);
    const [, other] = store.files.list.value;
    const first = { tree: 'Events' };
    const last = { tree: 'Events', draw: 'run' };
    // While it is opened, and while it is fetched from the background.
    for (const _ of ['opened', 'kept']) {
      store.files.show(other?.id ?? -1, first);
      store.files.show(other?.id ?? -1, last);
      await vi.waitFor(() => expect(store.session.arriving.value).toBe(false));
      // Whatever still runs has its turn.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(store.navigation.shownState.value).toMatchObject(last);
      store.files.show(store.files.list.value[0]?.id ?? -1);
      await vi.waitFor(() => expect(store.session.arriving.value).toBe(false));
    }
  });
});
