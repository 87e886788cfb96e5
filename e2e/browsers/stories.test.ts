// A user's day, told once and run in every browser that we support. The variable XYLEM_BROWSER names one.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../scripts/serve.mjs';
import { type RangeServer, startRangeServer } from '../../tests/servers/range-server';
import { startPortal, stopPortals } from '../element/portal';
import { click, coloursOf, drop, fill, find, reach, see, seeNo, seeThat, statistic } from './actions';
import type { Driver, Tab } from './driver';
import { type Loss, lose, OBEYING_BLOBS, startObeyingSite } from './lost-workers';
import { startPuppeteer } from './puppeteer-driver';
import { startWebKit } from './webkit-driver';

const starts: Record<string, () => Promise<Driver>> = {
  chromium: () => startPuppeteer('chrome'),
  firefox: () => startPuppeteer('firefox'),
  webkit: startWebKit,
};
const chosen = process.env.XYLEM_BROWSER ?? 'chromium';
const repository = resolve(import.meta.dirname, '../..');
const sample = join(repository, 'public/sample.root');
/** All entries of the sample's tree. */
const all = (entries: number) => entries === 2400;
const fixture = (name: string) => join(repository, 'tests/fixtures/files', name);

/** Histograms that TTree::Draw of ROOT filled: see tests/query/conformance.py. */
const drawnByRoot = JSON.parse(readFileSync(join(repository, 'tests/query/recorded/base.json'), 'utf8')) as {
  file: string;
  expr: string;
  cut: string;
  fills: number;
  axes: number[][];
}[];

describe(`a user's day in ${chosen}`, () => {
  let browser: Driver;
  let site: Awaited<ReturnType<typeof serve>>;
  let tab: Tab;
  const servers: RangeServer[] = [];
  const told: { story: string; passed: boolean }[] = [];

  beforeAll(async () => {
    site = await serve({ port: 0 });
    browser = (await (starts[chosen] ?? starts.chromium)?.()) as Driver;
  }, 60_000);
  afterAll(async () => {
    // For the table in docs/browsers.md, which scripts/stories.mjs writes.
    const folder = join(repository, 'build/browsers');
    mkdirSync(folder, { recursive: true });
    const { name, version } = browser;
    writeFileSync(join(folder, `${chosen}.json`), JSON.stringify({ name, version, stories: told }));
    await browser?.close();
    site.close();
  });
  afterEach(async ({ task }) => {
    const passed = task.result?.state !== 'fail';
    told.push({ story: task.name, passed });
    if (!passed && tab !== undefined) {
      await tab.screenshot(join(repository, 'build', `${chosen}-${task.name.replace(/\W+/g, '-')}.png`));
    }
    await tab?.close();
    stopPortals();
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  /** Serves a file from an origin of its own, as a server of data would. */
  async function serveFile(path: string): Promise<RangeServer> {
    const usual = { cors: '*', lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT', etag: '"one"' };
    const server = await startRangeServer(readFileSync(path), usual);
    servers.push(server);
    return server;
  }
  const link = (query: Record<string, string>, at = site.url) => `${at}?${new URLSearchParams(query)}`;
  async function visit(query: Record<string, string> = {}): Promise<void> {
    tab = await browser.newTab();
    await tab.goto(link(query));
  }
  const row = (name: string) => ({ css: '[role=treeitem] .label', text: name });
  const tabNamed = (name: string) => ({ css: '[role=tab]', text: name });

  test('open a file by its address', async () => {
    const server = await serveFile(fixture('leaves.root'));
    await visit();
    await fill(tab, { css: '.url-form input' }, server.url, 'Enter');
    await click(tab, row('leaf_I'));
    await statistic(tab, 'Entries', (value) => value === 150);
    expect(new URL(await tab.url()).searchParams.get('url')).toBe(server.url);
  });

  test('drop a file of the disk', async () => {
    await visit();
    await drop(tab, fixture('leaves.root'));
    await click(tab, row('leaf_D'));
    await statistic(tab, 'Entries', (value) => value === 150);
  });

  test('draw an expression with a cut', async () => {
    const root = drawnByRoot.find(
      ({ file, cut }) => file === 'public/sample.root' && cut.startsWith('nMuon==2 && Muon_charge[0]!='),
    );
    if (root === undefined) throw new Error('ROOT recorded no such pair.');
    const [[bins, low, high] = []] = root.axes;
    await visit({ url: (await serveFile(sample)).url, tree: 'Events' });
    await click(tab, tabNamed('Draw'));
    await fill(tab, { css: '#query-expr' }, `${root.expr}>>h(${bins},${low},${high})`);
    await tab.press('Escape');
    await fill(tab, { css: '#query-cut' }, root.cut, 'Enter');
    await statistic(tab, 'Entries', (value) => value === root.fills);
    expect(await coloursOf(tab, '.plot canvas')).toBeGreaterThan(1);
  });

  test('zoom a plot by dragging, by the wheel and by keys', async () => {
    await visit({ url: (await serveFile(sample)).url, tree: 'Events', draw: 'Dimuon_mass' });
    await statistic(tab, 'Entries', all);
    await see(tab, { css: '.plot-host[data-frames] .u-over' });
    const at = async (share: number) => {
      const { x, y, width } = await reach(tab, { css: '.plot .u-over' });
      return { x: x + (share - 0.5) * width, y };
    };
    const range = async () =>
      (new URL(await tab.url()).searchParams.get('range') ?? '').split(',').map(Number);
    const length = async () => {
      const [from = 0, to = 0] = await range();
      return to - from;
    };
    await tab.drag(await at(0.25), await at(0.75));
    const half = await seeThat('the dragged part', length, (span) => span > 0);
    // It was filled anew.
    await statistic(tab, 'Underflow', (value) => value > 0);
    await tab.point(await at(0.4));
    await tab.point(await at(0.5));
    await see(tab, { css: '.readout', has: '[' });
    await tab.wheel(await at(0.5), -300);
    const closer = await seeThat('a shorter part', length, (span) => span < 0.9 * half);
    // A pinch of a trackpad zooms the plot, and not the page.
    const pageZoom = () => tab.run(() => [devicePixelRatio, visualViewport?.scale, innerWidth].join());
    const before = await pageZoom();
    for (let i = 0; i < 4; i++) await tab.wheel(await at(0.5), -12, 'Control');
    await seeThat('a pinched part', length, (span) => span < 0.7 * closer);
    for (let i = 0; i < 40; i++) await tab.wheel(await at(0.5), 12, 'Control');
    await seeThat('everything', length, (span) => span === 0 || span > 2 * closer);
    expect(await pageZoom()).toBe(before);
    await tab.press('0');
    await seeThat('everything', length, (span) => span === 0);
    if (tab.fingers !== undefined) {
      const [a, b, left, right] = [await at(0.4), await at(0.6), await at(0.2), await at(0.8)];
      await tab.fingers([
        { from: a, to: left },
        { from: b, to: right },
      ]);
      // The fifth of the axis that was between the fingers has three fifths of it.
      const third = (2 * half) / 3;
      await seeThat('the part between', length, (span) => Math.abs(span - third) < 0.02 * third);
    }
    await tab.press('0');
    // The mouse chose the plot for the keyboard.
    await seeThat('everything', length, (span) => span === 0);
    await statistic(tab, 'Underflow', (value) => value === 0);
    await tab.press('=');
    await seeThat('a part of all', length, (span) => span > closer);
  });

  test('lay cuts over each other; a mistake keeps the last plot', async () => {
    await visit({ url: (await serveFile(sample)).url, tree: 'Events', draw: 'Muon_pt', cut: 'nMuon==2' });
    await statistic(tab, 'Entries');
    await click(tab, { css: '.add-layer summary' });
    await fill(tab, { css: '#layer-cut' }, 'nMuon>2', 'Enter');
    // ROOT counts as many in the second one.
    await see(tab, { css: '.compared-stats tr', has: 'Entries4,404608' });
    const lines = async () => (await find(tab, { css: '.plot-legend button[aria-pressed=true]' })).length;
    await seeThat('both lines', lines, (number) => number === 2);
    await click(tab, { css: '.plot-legend button', has: 'nMuon>2' });
    await seeThat('one line', lines, (number) => number === 1);
    await fill(tab, { css: '#query-cut' }, 'nMuon==', 'Enter');
    await see(tab, { css: '[role=alert]' });
    await see(tab, { css: '.plot.stale canvas' });
  });

  test('walk through a wall, and see which plots differ from a reference', async () => {
    const [made, reference] = [
      await serveFile(fixture('walls/new.root')),
      await serveFile(fixture('walls/reference.root')),
    ];
    await visit({ url: made.url, view: 'wall', items: '**' });
    const { x, y } = await see(tab, { css: '.wall-place canvas' });
    const first = async () => Number((await reach(tab, { css: '.wall' })).y);
    const before = await first();
    await tab.point({ x, y });
    await tab.wheel({ x, y }, 300);
    await seeThat('the wall scrolls', first, (middle) => middle < before - 100);
    await click(tab, { css: 'summary', text: 'Compare with a reference' });
    await fill(tab, { css: '[aria-label="Address of the reference"]' }, reference.url, 'Enter');
    await see(tab, { css: '.wall-place[data-state=error]', has: 'The reference is empty.' });
    await see(tab, { css: '.wall-place', has: 'chi2 p 8.642e-31, KS p 2.081e-35' });
    await click(tab, { css: '.wall-place', has: 'chi2 p 8.642e-31' });
    await see(tab, { css: 'h2', text: 'apart' });
    await see(tab, { css: '.plot-host[data-frames] .u-over' });
  });

  test('a server that hangs is named, in place of a plot', async () => {
    const server = await serveFile(fixture('page/long.root'));
    await visit({ url: server.url, tree: 't' });
    await see(tab, row('x'));
    server.faults = { cors: '*', hang: true };
    await click(tab, row('x'));
    await see(tab, { css: '.placeholder', has: 'The server has not answered for' });
    expect(await find(tab, { css: '.stats' })).toEqual([]);
    await click(tab, { css: 'button', text: 'Cancel' });
    server.faults = { cors: '*' };
    await click(tab, { css: 'button', text: 'Read again' });
    await statistic(tab, 'Entries', (value) => value === 100_000);
  });

  test('select in linked plots: all others follow', async () => {
    const show = new URLSearchParams({ plots: 'nMuon MET_pt Dimuon_mass Muon_pt' });
    await visit({ url: (await serveFile(sample)).url, tree: 'Events', view: 'board', show: String(show) });
    const selected = async () => {
      const { text } = await see(tab, { css: '.board-selected strong' });
      return Number(text.replaceAll(',', ''));
    };
    const isSettled = () => seeNo(tab, { css: '.board[aria-busy=true]' });
    await seeThat('all entries', selected, all);
    const stages = () => find(tab, { css: '.board-stage' });
    await reach(tab, { css: '.board-plot', has: 'Dimuon_mass' });
    const [, , mass] = await stages();
    if (!mass) throw new Error('There is no plot of masses.');
    const placed = (share: number) => ({ x: mass.x + (share - 0.5) * mass.width, y: mass.y });
    await tab.drag(placed(0.4), placed(0.7));
    const byMouse = await seeThat('fewer entries', selected, (count) => count > 0 && count < 2400);
    await isSettled();
    // The chip has the range as numbers, and the cut its text.
    const from = await see(tab, { css: 'input[aria-label="Dimuon_mass from"]' });
    expect(Number(from.value)).toBeGreaterThan(30);
    const cut = await see(tab, { css: '.board-cut input' });
    expect(cut.value).toMatch(/^\(Dimuon_mass>=[\d.]+ && Dimuon_mass<[\d.]+\)$/);
    // By the keyboard: a range in the middle, moved, and removed.
    await click(tab, { css: 'button[aria-label="Select a range of MET_pt"]' });
    const less = await seeThat('still fewer', selected, (count) => count < byMouse);
    await isSettled();
    await tab.run(() => document.querySelectorAll<HTMLElement>('.board-stage')[1]?.focus());
    await tab.press('Shift+ArrowLeft');
    await seeThat('other entries', selected, (count) => count !== less);
    await isSettled();
    await tab.press('Delete');
    await seeThat('the entries of before', selected, (count) => count === byMouse);
    await isSettled();
    await fill(tab, { css: '.board-cut input' }, 'nMuon==2 && Sum$(Muon_pt>25)>=2', 'Enter');
    await seeThat('entries of the typed cut', selected, (count) => count !== byMouse && count > 0);
    await isSettled();
    expect((await find(tab, { css: '.board-chip' })).length).toBe(2);
    if (tab.fingers) {
      await click(tab, { css: 'button', text: 'Remove all' });
      await seeThat('all entries again', selected, all);
      await isSettled();
      await reach(tab, { css: '.board-plot', has: 'Dimuon_mass' });
      const [, , again] = await stages();
      const at = (share: number) => ({
        x: (again?.x ?? 0) + (share - 0.5) * (again?.width ?? 0),
        y: again?.y ?? 0,
      });
      await tab.fingers([{ from: at(0.4), to: at(0.7) }]);
      await seeThat('what a finger selects', selected, (count) => count > 0 && count < 2400);
    }
  });

  test('look at the entries in a table', async () => {
    await visit({ url: (await serveFile(fixture('leaves.root'))).url, tree: 't' });
    await click(tab, tabNamed('Table'));
    await see(tab, { css: '[role=grid] [role=rowheader]', text: '0' });
    await click(tab, { css: '[role=grid]' });
    await tab.press('Control+End');
    await see(tab, { css: '[role=grid] [role=rowheader]', text: '149' });
    await click(tab, { css: '[role=grid] button', has: 'leaf_S' });
    await see(tab, { css: '[role=columnheader][aria-sort=ascending]', has: 'leaf_S' });
  });

  test('find a place on the map of a file', async () => {
    await visit();
    await drop(tab, fixture('page/clustered.root'));
    await click(tab, row('events'));
    await click(tab, tabNamed('Map'));
    const { x, y } = await reach(tab, { css: '.map-host canvas' });
    await seeThat(
      'colours of the map',
      () => coloursOf(tab, '.map-host canvas'),
      (number) => number > 1,
    );
    await tab.point({ x, y: y - 20 });
    const readout = await seeThat(
      'what lies under the pointer',
      async () => (await see(tab, { css: '.map-readout' })).text,
      (text) => text.includes('at byte'),
    );
    expect(readout).toMatch(/^basket \d+ of \w+ · entries [\d,]+ to [\d,]+/);
  });

  test('see how a tree was read', async () => {
    await visit({ url: (await serveFile(sample)).url, tree: 'Events', draw: 'Muon_pt' });
    await statistic(tab, 'Entries');
    await click(tab, row('Events'));
    await click(tab, tabNamed('Reads'));
    await see(tab, { css: '.plot-host[data-frames]' });
    const readCalls = async () => {
      const { text } = await see(tab, { css: 'tr', has: 'ReadCalls' });
      return Number(/ReadCalls(\d+)/.exec(text)?.[1]);
    };
    // The trace comes from the worker by and by.
    await seeThat('ReadCalls', readCalls, (count) => count > 0);
    await see(tab, { css: 'tr', has: 'TTreeCache of 30 MB' });
  });

  test('ask the doctor', async () => {
    await visit({ url: (await serveFile(fixture('../reads/unwell.root'))).url });
    await see(tab, { css: '.file-row' });
    await tab.goto(link({ url: servers[0]?.url ?? '', view: 'doctor' }));
    await see(tab, { css: '.verdict.bad, .verdict.fair' });
  });

  test('export entries and save a plot', async () => {
    await visit({ url: (await serveFile(fixture('leaves.root'))).url, tree: 't', view: 'table' });
    await keepBlobs(tab);
    await click(tab, { css: 'summary', text: 'Export' });
    await click(tab, { css: 'button', text: 'Write file' });
    await see(tab, { css: '[role=status]', has: 't.csv: 150 entries' });
    const table = (await saved('t.csv')).trimEnd().split('\n');
    expect(table).toHaveLength(151);
    expect(table[0]).toMatch(/^leaf_B,/);

    await click(tab, row('leaf_I'));
    await statistic(tab, 'Entries');
    await click(tab, { css: 'button', text: 'SVG' });
    expect(await saved('leaf_I.svg')).toMatch(/^<svg .*<\/svg>\s*$/s);
  });

  test('save a session, and open it again by a drop', async () => {
    const notes = '91,50: a peak';
    await visit({ url: (await serveFile(sample)).url, tree: 'Events', draw: 'Dimuon_mass', notes });
    await keepBlobs(tab);
    await see(tab, { css: '.note-handle' });
    await click(tab, { css: '.session-button' });
    await click(tab, { css: 'button', text: 'Keep this view' });
    await click(tab, { css: 'button', text: 'Save session' });
    const name = 'session.xylem.json';
    const text = await saved(name);
    expect(JSON.parse(text)).toMatchObject({ xylem: 'session', views: [{ file: 0, title: 'Dimuon_mass' }] });

    const folder = join(repository, 'build/browsers');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
    await tab.goto('about:blank');
    await tab.goto(link({}));
    await see(tab, { css: '.session-button' });
    await drop(tab, join(folder, name));
    await statistic(tab, 'Entries', all);
    await see(tab, { css: '.note-handle' });
  });

  /** The text of a file that was saved: from the folder of downloads, or what the page gave to be saved. */
  async function saved(name: string): Promise<string> {
    const folder = browser.downloads;
    if (folder === undefined) {
      return seeThat(
        name,
        () => tab.run(() => (window as { lastSaved?: string }).lastSaved ?? ''),
        (text) => text !== '',
      );
    }
    await seeThat(
      `the download ${name}`,
      // A browser renames what is complete, perhaps just now.
      async () =>
        readdirSync(folder).filter(
          (file) => (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0) > 0,
        ),
      (files) => files.includes(name) && !files.some((file) => /\.(part|crdownload)$/.test(file)),
    );
    return readFileSync(join(folder, name), 'utf8');
  }

  test('come back: nothing is fetched twice, also when the viewer is offline', async () => {
    const server = await serveFile(sample);
    const own = await serve({ port: 0 });
    tab = await browser.newTab();
    const query = { url: server.url, tree: 'Events', draw: 'MET_pt' };
    try {
      await tab.goto(link(query, own.url));
      await statistic(tab, 'Entries', all);
      await tab.run(() => navigator.serviceWorker.ready.then(() => undefined));
      const asked = async () => {
        const before = server.requests.length;
        await tab.goto(link(query, own.url));
        await statistic(tab, 'Entries', all);
        return server.requests.slice(before).map(({ range }) => range);
      };
      // The page writes the bytes that it read to the cache a little later.
      await seeThat('requests of a later visit', asked, (ranges) => ranges.length <= 1);
    } finally {
      own.close();
    }
    await tab.goto(link(query, own.url));
    await statistic(tab, 'Entries', all);
  });

  test('work by keyboard alone', async () => {
    await visit({ url: (await serveFile(fixture('leaves.root'))).url, tree: 't' });
    await see(tab, row('leaf_I'));
    await tab.press('Control+k');
    await see(tab, { css: 'dialog [role=combobox]' });
    await tab.type('leaf_d');
    await see(tab, { css: 'dialog [role=option]', has: 'leaf_D' });
    await tab.press('Enter');
    await see(tab, { css: 'h2', text: 'leaf_D' });
    await statistic(tab, 'Entries', (value) => value === 150);
    await tab.press('?');
    await see(tab, { css: 'dialog', has: 'Keyboard' });
    await tab.press('Escape');
    await seeNo(tab, { css: 'dialog' });
  });

  test("an element in a portal's page under a strict policy", async () => {
    const server = await serveFile(sample);
    const body = `<xylem-viewer src="${server.url}" tree="Events" draw="Dimuon_mass" cut="nMuon==2"></xylem-viewer>`;
    const portal = await startPortal(body);
    tab = await browser.newTab();
    await tab.goto(portal);
    await statistic(tab, 'Entries', (value) => value > 2000);
  });

  const losses: ['session' | 'decode', Loss][] = [
    ['decode', 'throw'],
    ['decode', 'close'],
    ['session', 'throw'],
    ['session', 'close'],
  ];
  const branches = ['Muon_pt', 'Muon_eta', 'Muon_phi', 'MET_pt', 'MET_phi', 'PV_npvs'];

  test('workers of the page that end are replaced, and what was open goes on', async () => {
    tab = await browser.newTab();
    await tab.goto(link({ url: (await serveFile(sample)).url, tree: 'Events' }, await startObeyingSite()));
    await click(tab, row('run'));
    await statistic(tab, 'Entries', all);
    // One that hangs is given up by Cancel.
    await lose(tab, 'session', 'loop');
    await click(tab, row('MET_pt'));
    await click(tab, { css: 'button', text: 'Cancel' });
    await click(tab, { css: 'button', text: 'Read again' });
    await see(tab, { css: 'h2', text: 'MET_pt' });
    await statistic(tab, 'Entries', all);
    for (const [i, [role, what]] of losses.entries()) {
      const branch = branches[i] ?? '';
      await click(tab, row(branch));
      await see(tab, { css: 'h2', text: branch });
      await statistic(tab, 'Entries');
      await lose(tab, role, what);
    }
    await click(tab, row('PV_npvs'));
    await see(tab, { css: 'h2', text: 'PV_npvs' });
    await statistic(tab, 'Entries', all);
    expect(await find(tab, { css: '[role=alert]' })).toEqual([]);
  });

  test('workers of an element that end are replaced', async () => {
    const server = await serveFile(sample);
    const body = `<xylem-viewer src="${server.url}" tree="Events" draw="Muon_pt"></xylem-viewer>`;
    tab = await browser.newTab();
    await tab.goto(await startPortal(body, 'none', OBEYING_BLOBS));
    await statistic(tab, 'Entries');
    for (const [i, [role, what]] of losses.entries()) {
      await lose(tab, role, what);
      const branch = branches[i + 1] ?? '';
      await tab.run(
        (name: string) => document.querySelector('xylem-viewer')?.setAttribute('draw', name),
        branch,
      );
      await see(tab, { css: 'h2', text: branch });
      await statistic(tab, 'Entries');
    }
  });

  test("a canvas in JSROOT's frame", async () => {
    await visit({ url: (await serveFile(fixture('page/drawings.root'))).url, item: 'canvas', as: 'jsroot' });
    await see(tab, { css: '.jsroot iframe' });
    await seeThat(
      'the drawing of JSROOT',
      () =>
        tab.runInFrame('.jsroot iframe', () => document.querySelector('svg.root_canvas')?.textContent ?? ''),
      (text) => text.includes('squares') && text.includes('A peak'),
    );
    await seeNo(tab, { css: '[role=status], p', has: 'Loading JSROOT' });
    expect(await find(tab, { css: '[role=alert]' })).toEqual([]);
  });

  test('two tabs share what was read', async () => {
    const server = await serveFile(sample);
    const query = { url: server.url, tree: 'Events', draw: 'MET_pt' };
    await visit(query);
    await statistic(tab, 'Entries', all);
    const other = await browser.newTab();
    try {
      const asked = async () => {
        const before = server.requests.length;
        await other.goto(link(query));
        await statistic(other, 'Entries', all);
        return server.requests.slice(before).length;
      };
      await seeThat('requests of the second tab', asked, (requests) => requests <= 1);
      // The first one works as before.
      await click(tab, row('PV_npvs'));
      await see(tab, { css: 'h2', text: 'PV_npvs' });
      await statistic(tab, 'Entries', all);
    } finally {
      await other.close();
    }
  });
});

/** Has the page keep the text of what it gives to be saved, for browsers without a folder of downloads. */
async function keepBlobs(tab: Tab): Promise<void> {
  await tab.run(() => {
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      if (blob instanceof Blob) void blob.text().then((text) => Object.assign(window, { lastSaved: text }));
      return create(blob);
    };
  });
}
