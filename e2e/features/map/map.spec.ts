import type { Page } from '@playwright/test';
import { expect, fixturePath, openFile, row, test } from '../../story';

async function showMap(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Map', exact: true }).click();
  await expect(page.locator('.map-host canvas').first()).toBeVisible();
  await expect.poll(() => coloursOnMap(page)).toBeGreaterThan(1);
}

/** How many different colours the map has, of some thousand pixels. */
async function coloursOnMap(page: Page): Promise<number> {
  return page
    .locator('.map-host canvas')
    .first()
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0;
      const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
      const words = new Uint32Array(data?.buffer ?? new ArrayBuffer(0));
      const seen = new Set<number>();
      for (let i = 0; i < words.length; i += 97) if ((words[i] ?? 0) !== 0) seen.add(words[i] ?? 0);
      return seen.size;
    });
}

/** Moves the pointer onto the map, at shares of its width and height. */
async function point(page: Page, x: number, y: number): Promise<void> {
  const box = await page.locator('.map-host').boundingBox();
  if (box === null) throw new Error('no map');
  await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
}

test('the map of a file: colours, what lies under the pointer, and a click that goes there', async ({
  page,
}) => {
  await openFile(page, fixturePath('page/clustered.root'));
  await row(page, 'events').click();
  await showMap(page);
  await expect(page.locator('.map-legend')).toContainText('streamer infos');
  await point(page, 0.5, 0.4);
  const readout = page.locator('.map-readout');
  await expect(readout).toHaveText(
    /^basket \d+ of \w+ · entries [\d,]+ to [\d,]+ · .* uncompressed about .* at byte/,
  );
  const branch = (await readout.textContent())?.match(/of (\w+)/)?.[1] ?? '';

  await page.getByPlaceholder('Colour a branch').fill('track_pt, no_such');
  await page.getByRole('button', { name: 'Colour', exact: true }).click();
  const chips = page.getByRole('list', { name: 'Coloured branches' }).getByRole('listitem');
  await expect(chips).toHaveText([/track_pt\d+ baskets/, /no_such.*no branch of this name/]);
  await page.getByRole('button', { name: 'No colour for no_such' }).click();
  await expect(chips).toHaveCount(1);

  await page.getByRole('button', { name: 'Closer' }).click();
  await expect(readout).toContainText(/ to .* of 407 kB/);
  await page.locator('.map-host').press('0');
  await expect(readout).not.toContainText('of 407 kB');

  // Two fingers that move apart show less of it.
  const box = (await page.locator('.map-host canvas').first().boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const touches = await page.context().newCDPSession(page);
  const at = (share: number, id: number) => ({ x: box.x + share * box.width, y: box.y + box.height / 2, id });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: ReturnType<typeof at>[]) =>
    touches.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', at(0.4, 0));
  await touch('touchStart', at(0.4, 0), at(0.6, 1));
  await touch('touchMove', at(0.3, 0), at(0.7, 1));
  await touch('touchMove', at(0.2, 0), at(0.8, 1));
  await touch('touchEnd', at(0.8, 1));
  await touch('touchEnd');
  await expect(readout).toContainText(/ to .* of 407 kB/);
  await page.locator('.map-host').press('0');

  await point(page, 0.5, 0.4);
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.locator('.place')).toContainText(branch);
  await page.getByRole('button', { name: 'Go to it' }).click();
  await expect(page.getByRole('heading', { name: branch })).toBeVisible();
});

test('a link names the map and the branches that are coloured', async ({ page, rangeServer }) => {
  const server = await rangeServer('page/scattered.root');
  const query = {
    url: server.url,
    tree: 'events',
    view: 'map',
    show: 'branch=track_pt&branch=q2&colour=entries',
  };
  await page.goto(`/?${new URLSearchParams(query)}`);
  const chips = page.getByRole('list', { name: 'Coloured branches' }).getByRole('listitem');
  await expect(chips).toHaveText([/^track_pt/, /^q2/]);
  await page.getByRole('tab', { name: 'Layout' }).click();
  await expect(page.getByText('It has no clusters')).toBeVisible();
  await page.getByRole('table').getByRole('button', { name: 'Baskets' }).click();
  await expect(page.locator('.report-table tbody th').first()).toHaveText(/^track_/);
  expect(new URL(page.url()).searchParams.get('view')).toBe('layout');
  // No basket was read for all this.
  expect(server.requests.length).toBeLessThan(8);
});

test('what no list names is walked when asked for', async ({ page }) => {
  await openFile(page, fixturePath('ntuple_fields.root'));
  await page.locator('.file-row').click();
  await showMap(page);
  await expect(page.locator('.map-legend')).toContainText('unknown');
  await page.getByRole('button', { name: 'Walk the records there' }).click();
  await expect(page.locator('.map-legend')).toContainText('blob');
  await expect(page.locator('.map-legend')).not.toContainText('unknown');
});
