import type { XylemViewer } from '../../web/element/element-api';
import { expect, statistic, test } from '../story';
import { openPortal, stopPortals } from './portal';

test.afterAll(stopPortals);

/** Files, what to draw of them, its entries, and the part of the core that they need. */
const FILES = [
  ['codec_zlib.root', 't', 'noise', undefined],
  ['codec_zstd.root', 't', 'noise', 'zstd'],
  ['codec_lzma.root', 't', 'noise', 'xz'],
  ['rntuple.root', 'n', 'int32_t', 'ntuple'],
] as const;

for (const [name, tree, draw, part] of FILES)
  test(`the element draws a branch of ${name} with the parts that it needs`, async ({
    page,
    rangeServer,
  }) => {
    const { url } = await rangeServer(name);
    const fetched: string[] = [];
    page.on('response', (response) => {
      const [, found] = /xylem-(zstd|xz|ntuple)-/.exec(response.url()) ?? [];
      if (found) fetched.push(found);
    });
    await openPortal(page, `<xylem-viewer src="${url}" tree="${tree}" draw="${draw}"></xylem-viewer>`);
    await expect(statistic(page.locator('xylem-viewer'), 'Entries')).toHaveText(/\d/);
    expect(fetched.includes(part ?? 'zstd')).toBe(part !== undefined);
    if (part !== 'ntuple') expect(fetched).toHaveLength(part === undefined ? 0 : 1);
  });

test('a part that the server lacks is told, and the next file is drawn', async ({ page, rangeServer }) => {
  const { url } = await rangeServer('codec_zstd.root');
  const other = await rangeServer('codec_zlib.root');
  await page.route('**/xylem-viewer/xylem-zstd-*.js', (route) => route.abort('connectionrefused'));
  await openPortal(page, `<xylem-viewer src="${url}" tree="t" draw="noise"></xylem-viewer>`);
  const viewer = page.locator('xylem-viewer');
  await expect(viewer.locator('.error-message')).toHaveText('What decompresses zstd could not be loaded.');
  await viewer.evaluate((element: XylemViewer, src) => {
    element.src = src;
  }, other.url);
  await expect(statistic(viewer, 'Entries')).toHaveText('300');
});
