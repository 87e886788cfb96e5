import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { formatBytes } from '../web/base/format';
import { expect, fixturePath, samplePath, test } from './story';

const program = resolve(import.meta.dirname, '../dist/cli/xylem.js');
const execute = promisify(execFile);

/** The shown parts of a report: its facts, and the cells of its tables with their heads. */
interface Shown {
  facts: string[][];
  tables: string[][][];
}

/** Runs the built command line. A report with findings ends with status 1. */
async function command(...args: string[]): Promise<string> {
  const env = { ...process.env, XYLEM_NO_CACHE: '1' };
  const { stdout } = await execute(process.execPath, [program, ...args], { env }).catch(
    (failed: { code: unknown; stdout: string }) => {
      if (failed.code !== 1) throw failed;
      return failed;
    },
  );
  return stdout;
}

/** Reads the facts and the tables of the pane of the viewer, or of a saved report. Opens what the page folds. */
async function shownIn(page: Page): Promise<Shown> {
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll('details:not(.bins)'))
      if (folded instanceof HTMLDetailsElement && !folded.open) folded.querySelector('summary')?.click();
  });
  return await page.evaluate(() => {
    const isPage = document.querySelector('.xylem') !== null;
    const textOf = (element: Element): string => {
      const copy = element.cloneNode(true) as Element;
      for (const extra of copy.querySelectorAll('.hint, .bar, [aria-hidden]')) extra.remove();
      // A button has a shortened path, and the whole one as its title.
      const whole = copy.querySelector('button.link')?.getAttribute('title');
      return (whole ?? copy.textContent ?? '').replace(/\s+/g, ' ').trim();
    };
    const names = [...document.querySelectorAll(isPage ? 'dl.facts.big dt' : 'dl dt')];
    const tables = [...document.querySelectorAll(isPage ? '.report-table table' : 'table')];
    return {
      facts: names.map((name) => [textOf(name), textOf(name.nextElementSibling ?? name)]),
      tables: tables.map((table) =>
        [...table.querySelectorAll('tr')]
          .filter((row) => row.querySelector('[colspan]') === null)
          .map((row) => [...row.children].map(textOf)),
      ),
    };
  });
}

/** Returns what the HTML page shows that a verb saves. */
async function savedBy(page: Page, ...args: string[]): Promise<Shown> {
  const html = await command(...args, '--report', '-');
  const other = await page.context().newPage();
  await other.setContent(html);
  const shown = await shownIn(other);
  await other.close();
  return shown;
}

/** Returns what a pane shows with the tables that have the heads of wanted ones: it may have others, which no report has. */
async function sharedIn(page: Page, wanted: Shown): Promise<Shown> {
  const { facts, tables } = await shownIn(page);
  const heads = wanted.tables.map(([head]) => String(head));
  return { facts, tables: tables.filter(([head]) => heads.includes(String(head))) };
}

const link = (url: string, fields: Record<string, string>) => `/?${new URLSearchParams({ url, ...fields })}`;

test('layout: page and saved report have the same facts, branches and collections', async ({
  page,
  rangeServer,
}) => {
  const { url } = await rangeServer('sample.root');
  for (const [as, ...options] of [['table'], ['collections', '--collections']]) {
    const wanted = await savedBy(page, 'layout', url, 'Events', '--top', '0', ...options);
    await page.goto(link(url, { tree: 'Events', view: 'layout', show: `as=${as}` }));
    await expect(page.locator('.report-table')).toBeVisible();
    expect(await shownIn(page)).toEqual(wanted);
  }
});

test('doctor: page and saved report have the same facts, findings and costs', async ({
  page,
  rangeServer,
}) => {
  const { url } = await rangeServer('clusters.root');
  const wanted = await savedBy(page, 'doctor', url);
  expect(wanted.tables.length).toBeGreaterThan(0);
  await page.goto(link(url, { view: 'doctor' }));
  await expect(page.locator('.verdict')).toBeVisible();
  await expect.poll(() => sharedIn(page, wanted)).toEqual(wanted);
});

test('check: page and saved report have the same findings', async ({ page, rangeServer }) => {
  const { url } = await rangeServer('damaged/zlib_flipped.root');
  const wanted = await savedBy(page, 'check', url);
  expect(wanted.tables.flat().length).toBeGreaterThan(1);
  await page.goto(link(url, { view: 'check' }));
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.locator('.report-table')).toBeVisible();
  expect(await shownIn(page)).toEqual(wanted);
});

test('whatif: page and saved report have the same costs', async ({ page, rangeServer }) => {
  const { url } = await rangeServer('sample.root');
  const options = ['--latency', '50', '--bandwidth', '200'];
  const saved = await savedBy(page, 'whatif', url, 'Events', ...options);
  // This view has no time of the processor: the view Costs has.
  const wanted = { ...saved, tables: saved.tables.map((rows) => rows.map((row) => row.slice(0, -2))) };
  await page.goto(link(url, { tree: 'Events', view: 'reads' }));
  await page.getByRole('combobox', { name: 'Branches' }).selectOption('all');
  await page.getByLabel('Latency (ms)').fill('50');
  await page.getByLabel('Bandwidth (Mbit/s)').fill('200');
  await page.getByLabel('Bandwidth (Mbit/s)').press('Enter');
  await expect.poll(async () => (await sharedIn(page, wanted)).tables).toEqual(wanted.tables);
});

test('perf: page and saved report have the same numbers, shares, columns and ways of a trace', async ({
  page,
  rangeServer,
}) => {
  const { url } = await rangeServer('sample.root');
  const trace = fixturePath('../reads/jsroot.har');
  const { tables } = await savedBy(page, 'perf', trace, '--file', url, '--tree', 'Events');
  const [numbers = [], ...wanted] = tables;
  expect(wanted).toHaveLength(3);
  await page.goto(link(url, { tree: 'Events', view: 'reads' }));
  await page.getByLabel('Compare with a saved reading, perfstat.root or a trace').setInputFiles(trace);
  await expect(page.getByRole('heading', { name: 'What the reading used' })).toBeVisible();
  await expect.poll(async () => (await sharedIn(page, { facts: [], tables: wanted })).tables).toEqual(wanted);
  // The page has its own reading beside that of the trace.
  const [beside = []] = (await shownIn(page)).tables;
  expect(beside.map(([name, _own, value]) => [name, value])).toEqual(numbers);
});

/** Reads the rows of the only table of a saved report that has a column of this title, without the head. */
function rowsOf({ tables }: Shown, title: string): string[][] {
  const found = tables.filter(([head]) => head?.includes(title));
  expect(found).toHaveLength(1);
  return found[0]?.slice(1) ?? [];
}

test('map: page and saved report have the same kinds of bytes', async ({ page, rangeServer }) => {
  const { url } = await rangeServer('page/scattered.root');
  const wanted = rowsOf(await savedBy(page, 'map', url), 'Pieces');
  expect(wanted.length).toBeGreaterThan(5);
  await page.goto(link(url, { view: 'map' }));
  const rows = page.locator('.map-legend').getByRole('row');
  await expect(rows).toHaveCount(wanted.length);
  const shown = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map(({ textContent }) => textContent?.trim() ?? '')),
  );
  // The page rounds bytes and shares more than the report does.
  const rounded = wanted.map(([, bytes = '', share = '', pieces = '', what = '']) => {
    const percent = Number.parseFloat(share);
    return [
      what,
      formatBytes(Number(bytes.replaceAll(',', ''))),
      percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`,
      pieces,
    ];
  });
  expect(shown).toEqual(rounded);
});

test('wall: page and saved report have the same plots, entries and order', async ({ page, rangeServer }) => {
  const { url } = await rangeServer('walls/new.root');
  for (const sort of ['file', 'entries']) {
    const wanted = rowsOf(await savedBy(page, 'wall', url, 'dqm/**', '--sort', sort), 'Plot');
    expect(wanted.length).toBeGreaterThan(10);
    await page.setViewportSize({ width: 1600, height: 4000 });
    await page.goto(link(url, { view: 'wall', show: `items=dqm/**&sort=${sort}` }));
    const places = page.getByRole('list', { name: 'Plots' }).locator('.wall-place');
    await expect(places.locator('.wall-entries')).toHaveCount(wanted.length);
    const shown = await places.evaluateAll((all) =>
      all.map((place) => [
        place.querySelector('.wall-name')?.getAttribute('title') ?? '',
        place.querySelector('.wall-entries')?.textContent ?? '',
      ]),
    );
    expect(shown).toEqual(wanted.map(([name, entries]) => [name, entries]));
  }
});

/** Checks that do not depend on who asks: a page sees fewer headers, and times differ from run to run. */
const SHARED = ['Ranges of bytes', 'Transfer encoding', 'Validators', 'Throughput'];

test('probe: page and saved report have the same facts, and checks that both can make', async ({
  page,
  site,
}) => {
  const wanted = await savedBy(page, 'probe', new URL('sample.root', site.url).href);
  await page.goto('/?url=sample.root&view=server');
  await expect(page.locator('.report-table')).toBeVisible();
  const shown = await shownIn(page);
  expect(shown.facts).toEqual(wanted.facts);
  const names = ({ tables }: Shown) => tables.flat().map(([name]) => name);
  expect(names(shown)).toEqual(names(wanted));
  const shared = ({ tables }: Shown) => tables.flat().filter(([name = '']) => SHARED.includes(name));
  expect(shared(wanted)).toHaveLength(SHARED.length);
  expect(shared(shown)).toEqual(shared(wanted));
});

test('fleet and dataset: page and terminal have the same facts and tables', async ({
  page,
  rangeServer,
}, info) => {
  const lines = (text: string) => text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const expectLines = ({ facts, tables }: Shown, text: string) => {
    const found = lines(text).map((line) => line.toLowerCase());
    for (const row of [...facts, ...tables.flat()])
      expect(
        found.some((line) => line.startsWith(row.join(' ').trim().toLowerCase())),
        row.join(' '),
      ).toBe(true);
  };
  const server = await rangeServer('sample.root');
  await page.goto(link(server.url, { tree: 'Events', view: 'fleet' }));
  const model = page.getByLabel('Model', { exact: true });
  await model.fill((await model.inputValue()).replace('"count": 1000', '"count": 70'));
  await page.getByRole('button', { name: 'Simulate' }).click();
  await expect(page.getByRole('row', { name: /^Jobs 70 70/ })).toBeVisible();
  const fleet = await shownIn(page);
  const path = info.outputPath('model.json');
  writeFileSync(path, await model.inputValue());
  writeFileSync(join(dirname(path), 'file.root'), readFileSync(samplePath));
  expectLines(fleet, await command('fleet', path));

  const bytes = readFileSync(fixturePath('codec_zlib.root'));
  for (const name of ['a', 'b']) server.files.set(`/data/${name}.root`, bytes);
  server.files.set('/data/files.txt', Buffer.from('a.root\nb.root\n'));
  const names = ['a.root', 'b.root'].map((name) => server.url.replace('file.root', name));
  await page.goto(link(server.url.replace('file.root', 'files.txt'), { tree: 't', view: 'dataset' }));
  await expect(page.locator('.verdict')).toBeVisible();
  const dataset = await shownIn(page);
  expect(dataset.tables.length).toBeGreaterThan(0);
  expectLines(dataset, await command('dataset', names.join(','), 't'));
});
