import { readFileSync } from 'node:fs';
import type { XylemViewer } from '../../web/element/element-api';
import { expect, fixturePath, row, statistic, test } from '../story';
import { openPortal, stopPortals } from './portal';

test.afterAll(stopPortals);

test('two viewers from another origin, under a strict content policy, each with its file', async ({
  page,
  rangeServer,
}) => {
  const leaves = await rangeServer('leaves.root');
  const sample = await rangeServer('sample.root');
  await openPortal(
    page,
    `<xylem-viewer id="one" label="Leaves" src="${leaves.url}" tree="t" draw="leaf_I"></xylem-viewer>
     <xylem-viewer id="two" src="${sample.url}" tree="Events" draw="nMuon" theme="dark" align="64KiB"></xylem-viewer>`,
  );
  const one = page.locator('#one');
  const two = page.locator('#two');
  await expect(statistic(one, 'Entries')).toHaveText('150');
  await expect(statistic(two, 'Entries')).toHaveText('2,400');

  await row(two, 'trigger').click();
  await expect(two.locator('.frequencies')).toContainText('HLT_DoubleMu4_Jpsi');
  await expect(statistic(one, 'Entries'), 'the other viewer stays as it was').toHaveText('150');
  await expect(two.locator('.xylem')).toHaveAttribute('data-theme', 'dark');
  for (const { range } of sample.requests) expect(range).toMatch(/^bytes=(0-65535|65536-\d+|131072-\d+)$/);
  expect(new URL(page.url()).search, "the page's address is the portal's").toBe('');
});

test('attributes and properties change what is shown; removing the element ends its workers', async ({
  page,
  rangeServer,
}) => {
  const sample = await rangeServer('sample.root');
  await openPortal(page, `<xylem-viewer src="${sample.url}" tree="Events" draw="nMuon"></xylem-viewer>`);
  const viewer = page.locator('xylem-viewer');
  await expect(viewer.getByRole('heading', { name: 'nMuon' })).toBeVisible();
  await viewer.evaluate((element) => element.setAttribute('draw', 'MET_pt'));
  await expect(viewer.getByRole('heading', { name: 'MET_pt' })).toBeVisible();
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');

  const base64 = readFileSync(fixturePath('histograms.root')).toString('base64');
  await viewer.evaluate((element, text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    Object.assign(element, { file: new File([bytes], 'mine.root') });
  }, base64);
  await expect(row(viewer, 'TH1D')).toBeVisible();

  expect(page.workers().length).toBeGreaterThan(0);
  await viewer.evaluate((element) => element.remove());
  await expect.poll(() => page.workers().length).toBe(0);
});

test('layers are an attribute: the plot alone has them, and so have the event, the picture and the saved state', async ({
  page,
  rangeServer,
}) => {
  const sample = await rangeServer('sample.root');
  const layers = [
    { cut: 'nMuon>2', label: 'more' },
    { draw: 'Jet_pt', colour: 5 },
  ];
  await openPortal(
    page,
    `<xylem-viewer src="${sample.url}" tree="Events" draw="Muon_pt" cut="nMuon==2" view="plot" below="ratio"
      layers='${JSON.stringify(layers)}'></xylem-viewer>`,
  );
  const viewer = page.locator('xylem-viewer');
  await expect(viewer.getByRole('img', { name: /nMuon==2.*more.*Jet_pt, with the ratio/ })).toBeVisible();
  await expect(viewer.getByText('Add a layer')).toBeHidden();
  const saved = await viewer.evaluate((element: XylemViewer) => ({
    svg: element.toSVG(),
    state: element.save(),
  }));
  for (const text of ['more', 'Jet_pt', '>608<', '>Ratio<']) expect(saved.svg).toContain(text);
  expect(saved.state).toMatchObject({ layers: JSON.stringify(layers), below: 'ratio' });
  const told = await viewer.evaluate(
    (element: XylemViewer) =>
      new Promise<[string, number][]>((resolve) => {
        element.addEventListener('xylem-plot', ({ detail }) => {
          if ('layers' in detail && detail.layers)
            resolve(detail.layers.map(({ title, fills }) => [title, fills]));
        });
        element.layers = '[{ "draw": "MET_pt" }]';
      }),
  );
  await viewer.evaluate((element: XylemViewer) => element.setAttribute('layers', 'pt'));
  await expect(viewer.getByRole('alert')).toContainText('The layers are not JSON');
  expect(told).toEqual([
    ['Muon_pt {nMuon==2}', 4404],
    ['MET_pt', 2400],
  ]);
});

test('the element tells of a file that cannot be had', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root', { status: 404 });
  await openPortal(page, `<xylem-viewer src="${server.url}"></xylem-viewer>`);
  await expect(page.locator('xylem-viewer').getByRole('alert')).toContainText('there is no such file');
});

test('headers go to the origin of src as the page resolves it, whatever its folders are called', async ({
  page,
  context,
  rangeServer,
}) => {
  const other = await rangeServer('sample.root');
  const tokens: string[] = [];
  context.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization !== undefined) tokens.push(new URL(request.url()).href);
  });
  await openPortal(page, '<xylem-viewer></xylem-viewer>');
  const { origin } = new URL(page.url());
  const viewer = page.locator('xylem-viewer');
  const show = (src: string) =>
    viewer.evaluate(async (element: XylemViewer, address) => {
      element.headers = { Authorization: 'Bearer PORTAL-TOKEN' };
      await element.open(address).catch(() => undefined);
    }, src);
  // Whether this is a host is nobody's guess: it is a folder of the portal.
  await show('jane.li/run1.root');
  expect(new Set(tokens)).toEqual(new Set([`${origin}/jane.li/run1.root`]));

  // A file to compare with, of another origin, is asked for without it.
  tokens.length = 0;
  await viewer.evaluate((element: XylemViewer) => {
    element.headers = { Authorization: 'Bearer PORTAL-TOKEN' };
  });
  await viewer.evaluate(
    (element: XylemViewer, address) =>
      element.open(address, { tree: 'Events', draw: 'nMuon', item: '' }).catch(() => undefined),
    `//${new URL(other.url).host}${new URL(other.url).pathname}`,
  );
  expect(tokens.every((url) => new URL(url).host === new URL(other.url).host)).toBe(true);
});

test('what a script sets before the element is defined holds', async ({ page, context }) => {
  const tokens: string[] = [];
  context.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization !== undefined) tokens.push(new URL(request.url()).pathname);
  });
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      const element = document.querySelector<XylemViewer>('xylem-viewer');
      if (document.readyState !== 'interactive' || customElements.get('xylem-viewer') || !element) return;
      element.headers = { Authorization: 'Bearer PORTAL-TOKEN' };
    });
  });
  await openPortal(page, '<xylem-viewer src="early.root"></xylem-viewer>');
  await expect(page.locator('xylem-viewer').getByRole('alert')).toContainText('there is no such file');
  expect(new Set(tokens)).toEqual(new Set(['/early.root']));
});

test('expressions and a cut are attributes, and what is shown is saved with them', async ({
  page,
  rangeServer,
}) => {
  const sample = await rangeServer('sample.root');
  await openPortal(
    page,
    `<xylem-viewer src="${sample.url}" tree="Events" draw="MET_pt:MET_phi" cut="Dimuon_mass>60&&Dimuon_mass<120"
       view="plot"></xylem-viewer>`,
  );
  const viewer = page.locator('xylem-viewer');
  // The entries of the same TTree::Draw, as tests/query/recorded/base.json has them.
  await expect(viewer.locator('.plot-host')).toHaveAttribute('aria-label', /Entries 645,/);
  await expect(viewer.getByRole('combobox'), 'view="plot" shows the plot alone').toHaveCount(0);
  const saved = await viewer.evaluate((element) => {
    Object.assign(element, { view: '', opt: 'prof' });
    return 'save' in element && typeof element.save === 'function' ? (element.save() as unknown) : undefined;
  });
  expect(saved).toMatchObject({ draw: 'MET_pt:MET_phi', cut: 'Dimuon_mass>60&&Dimuon_mass<120' });
  await expect(viewer.getByLabel('Profile: mean of y')).toBeChecked();
  await viewer.evaluate((element) => element.setAttribute('cut', 'nothing>1'));
  await expect(viewer.getByRole('alert').locator('mark')).toHaveText('nothing');
});

test('errors alone draws error bars; as an empty property it does not', async ({ page, rangeServer }) => {
  const sample = await rangeServer('sample.root');
  await openPortal(
    page,
    `<xylem-viewer src="${sample.url}" tree="Events" draw="MET_pt" errors></xylem-viewer>`,
  );
  const viewer = page.locator('xylem-viewer');
  const errors = viewer.getByLabel('Errors');
  await expect(errors).toBeChecked();
  const set = (value: string | boolean) =>
    viewer.evaluate((element, given) => {
      Object.assign(element, { errors: given });
      return [(element as unknown as XylemViewer).errors, element.getAttribute('errors')];
    }, value);
  expect(await set('')).toEqual(['', null]);
  await expect(errors).not.toBeChecked();
  expect(await set(true)).toEqual(['1', '1']);
  await expect(errors).toBeChecked();
  expect(await set(false)).toEqual(['', null]);
  await expect(errors).not.toBeChecked();
});

test('bins, range and axes are attributes, and saved and restored as they were', async ({
  page,
  rangeServer,
}) => {
  const sample = await rangeServer('sample.root');
  await openPortal(
    page,
    `<xylem-viewer src="${sample.url}" tree="Events" draw="MET_pt" bins="25" range="0,50" log="y" errors="no">
     </xylem-viewer>`,
  );
  const viewer = page.locator('xylem-viewer');
  const bins = viewer.getByLabel('Bins', { exact: true });
  const logX = viewer.getByLabel('Log x');
  const logY = viewer.getByLabel('Log y');
  await expect(bins).toHaveValue('25');
  await expect(viewer.getByLabel('To', { exact: true })).toHaveValue('50');
  await expect(logY).toBeChecked();
  await expect(viewer.getByLabel('Errors')).not.toBeChecked();

  await bins.fill('30');
  await bins.press('Enter');
  await logX.check();
  await expect(statistic(viewer, 'Entries')).toBeVisible();
  const call = (method: 'save' | 'restore', argument?: unknown) =>
    viewer.evaluate(
      async (element, [name, given]) => {
        const { save, restore } = element as unknown as Record<string, (state?: unknown) => unknown>;
        await (name === 'save' ? undefined : restore?.call(element, given));
        return save?.call(element);
      },
      [method, argument] as const,
    );
  const saved = await call('save');
  const plot = { bins: '30', range: '0,50', log: 'xy' };
  expect(saved).toEqual({ src: sample.url, tree: 'Events', draw: 'MET_pt', ...plot });

  // Another branch begins with what the attributes say; an attribute of plots changes it.
  await viewer.evaluate((element) => element.setAttribute('draw', 'MET_phi'));
  await expect(viewer.getByRole('heading', { name: 'MET_phi' })).toBeVisible();
  await expect(bins).toHaveValue('25');
  await expect(logX).not.toBeChecked();
  await expect(logY).toBeChecked();
  await viewer.evaluate((element) => Object.assign(element, { bins: '40', log: '' }));
  await expect(bins).toHaveValue('40');
  await expect(logY).not.toBeChecked();

  await call('restore', saved);
  await expect(viewer.getByRole('heading', { name: 'MET_pt' })).toBeVisible();
  await expect(bins).toHaveValue('30');
  await expect(viewer.getByLabel('To', { exact: true })).toHaveValue('50');
  await expect(logX).toBeChecked();
  expect(await call('save')).toEqual(saved);
  await call('restore', { src: sample.url, tree: 'Events', draw: 'MET_pt' });
  await expect(bins).toHaveValue('100');
  await expect(logX).not.toBeChecked();
});

test('a plot is seen whole, with both axes and its title, in an element of its own height, narrow or low', async ({
  page,
  rangeServer,
}) => {
  const sample = await rangeServer('sample.root');
  const drawings = await rangeServer('page/drawings.root');
  await openPortal(
    page,
    `<xylem-viewer id="plot" label="Plot" src="${sample.url}" tree="Events" draw="Dimuon_mass"></xylem-viewer>
     <xylem-viewer id="canvas" src="${drawings.url}" item="canvas" view="plot" heading="Two pads"></xylem-viewer>
     <xylem-viewer id="small" label="Small" src="${sample.url}" tree="Events" draw="Dimuon_mass" view="plot"></xylem-viewer>`,
    'there',
  );
  const sized = (name: string, width: string, height: string) =>
    page.locator(name).evaluate(
      (element: HTMLElement, [wide, tall]) => {
        element.style.width = wide ?? '';
        element.style.height = tall ?? '';
      },
      [width, height],
    );
  await sized('#canvas', '640px', '362px');
  await sized('#small', '200px', '140px');
  const bottom = async (name: string, inside: string): Promise<number> => {
    const element = await page.locator(name).boundingBox();
    const part = await page.locator(name).locator(inside).first().boundingBox();
    return (part?.y ?? 1e6) + (part?.height ?? 1e6) - ((element?.y ?? 0) + (element?.height ?? 0));
  };
  await expect(statistic(page.locator('#plot'), 'Entries')).toHaveText('2,400');
  const status = page.locator('#plot').locator('.status');
  const title = page.locator('#plot').locator('.head .title');
  await expect(title).toHaveText('invariant mass of the two leading muons (GeV)');
  await expect(title).toHaveCSS('font-weight', '400');
  for (const [width, height] of [
    ['642px', ''],
    ['560px', ''],
    ['360px', ''],
    ['1000px', ''],
    ['600px', '362px'],
  ] as const) {
    await sized('#plot', width, height);
    await expect(async () => {
      const plot = await page.locator('#plot').locator('.plot canvas').boundingBox();
      const line = await status.boundingBox();
      expect((plot?.y ?? 1e6) + (plot?.height ?? 1e6), `${width} ${height}`).toBeLessThanOrEqual(
        line?.y ?? 0,
      );
      expect(plot?.height).toBeGreaterThan(100);
    }).toPass();
  }
  // A plot alone has the title that is stored, or the one that it is given.
  const small = page.locator('#small');
  await expect(small.locator('.plot-heading')).toHaveText('invariant mass of the two leading muons (GeV)');
  await expect(small.locator('.plot canvas')).toBeVisible();
  expect((await small.locator('.plot canvas').boundingBox())?.height).toBeGreaterThan(90);
  expect(await bottom('#small', '.plot canvas')).toBeLessThanOrEqual(0);
  await small.evaluate((element: XylemViewer) => {
    element.heading = 'Run 3';
  });
  await expect(small.locator('.plot-heading')).toHaveText('Run 3');
  await expect(page.locator('#canvas').locator('.plot-heading')).toHaveText('Two pads');
  await expect(page.locator('#canvas').locator('.pad-stage canvas')).toBeVisible();
  expect(await bottom('#canvas', '.pad-stage canvas')).toBeLessThanOrEqual(0);
});
