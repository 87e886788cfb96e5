import { copyFile, link } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { drawings, STORED_FILE, stored, TREE_FILE } from '../../../tests/bins/recorded';
import { cell, type Lab, openNotebook, printed, run, startLab } from './lab';

const SAMPLE = resolve(import.meta.dirname, '../../../public/sample.root');
const SHOTS = resolve(import.meta.dirname, '../../../build/hosts/screenshots');
const LONG = resolve(import.meta.dirname, '../../../tests/fixtures/files/page/long.root');
const FIXTURES = resolve(import.meta.dirname, '../../../tests/fixtures/files');
const FILE = process.env.HOST_FILE ?? SAMPLE;
const PYTHON = process.env.JUPYTER_PYTHON ?? 'python3';

let lab: Lab;
test.beforeAll(async () => {
  lab = await startLab(PYTHON);
});
test.afterAll(() => lab.end());

const plotOf = (page: Page, index: number, name: RegExp) =>
  cell(page, index).locator('xylem-viewer').getByRole('img', { name });

test('a file beside the kernel: few bytes, bins in hist, a busy kernel, another cell', async ({ page }) => {
  await lab.write('a.ipynb', [
    `import json, xylem\nw = xylem.view(${JSON.stringify(FILE)}, "nMuon", tree="Events")\nw`,
    'import time\ntime.sleep(20)',
    'print(json.dumps([w.sent_bytes, w.sent_messages]))',
    [
      'import hist, numpy as np, uproot',
      `tree = uproot.open(${JSON.stringify(FILE)})["Events"]`,
      'h = hist.Hist(w.histogram)',
      // boost-histogram has edges such as 3.0000000000000004.
      'counts, _ = np.histogram(tree["nMuon"].array(library="np"), h.axes[0].edges.round(9))',
      'print(json.dumps([h.values().tolist() == counts.tolist(), int(counts.sum()), w.state["draw"], w.error]))',
    ].join('\n'),
    `v = xylem.view(${JSON.stringify(FILE)}, "nMuon", tree="Events")\nv`,
    'print(json.dumps([v.sent_bytes, v.sent_messages]))',
    'w.state = {"tree": "Events", "draw": "nMuon", "cut": "nMuon>1", "bins": "4", "range": "0,8"}\nprint(1)',
    'print(json.dumps([w.state.get("cut"), w.histogram.values(flow=True).tolist(), int((tree["nMuon"].array(library="np") > 1).sum())]))',
    'w.state = {"tree": "Events", "view": "table", "show": "columns=nMuon&at=3"}\nprint(1)',
    [
      'first = w.selection["from"]',
      'rows = w.table.column("nMuon").to_pylist()',
      'print(json.dumps([rows[:5] == tree["nMuon"].array(library="np")[first:first + 5].tolist(), len(rows), w.selection["columns"]]))',
    ].join('\n'),
  ]);
  await openNotebook(page, lab, 'a.ipynb');
  await expect(page.getByText(/Python 3.*\| Idle/)).toBeVisible();
  const began = await run(page, 0);
  await cell(page, 0).locator('xylem-viewer').waitFor();
  const there = Date.now() - began;
  await expect(plotOf(page, 0, /Plot of nMuon/)).toBeVisible();
  const first = Date.now() - began;
  const [bytes, messages] = await printed<[number, number]>(page, 2);
  test
    .info()
    .annotations.push({ type: 'figures', description: `${first} ms, ${bytes} bytes, ${messages} reads` });
  process.stdout.write(
    `viewer: ${there} ms after Shift+Enter; first histogram: ${first} ms, ${bytes} bytes in ${messages} messages\n`,
  );
  expect(bytes).toBeLessThan(500_000);

  const [equal, sum, draw, error] = await printed<[boolean, number, string, object]>(page, 3);
  expect([equal, draw, error]).toEqual([true, 'nMuon', {}]);
  expect(sum).toBeGreaterThan(0);

  // The kernel is busy: reads are answered beside the cell.
  await run(page, 1);
  await expect(cell(page, 1).locator('.jp-InputPrompt')).toHaveText('[*]:');
  await cell(page, 0)
    .locator('xylem-viewer')
    .evaluate((viewer) => viewer.setAttribute('draw', 'Muon_pt'));
  await expect(plotOf(page, 0, /Plot of Muon_pt/)).toBeVisible();
  expect(await cell(page, 1).locator('.jp-InputPrompt').innerText()).toBe('[*]:');
  await expect(cell(page, 1).locator('.jp-InputPrompt')).not.toHaveText('[*]:');

  // The viewer is there already, and the bytes of the file, too.
  await run(page, 4);
  await expect(plotOf(page, 4, /Plot of nMuon/)).toBeVisible();
  expect(await printed(page, 5)).toEqual([0, 0]);
  expect(await page.evaluate(() => Reflect.get(globalThis, Symbol.for('xylem widget')).size)).toBe(1);

  await run(page, 6);
  await expect(plotOf(page, 0, /Plot of nMuon/)).toBeVisible();
  await expect
    .poll(async () => {
      const [cut, values, wanted] = await printed<[string, number[], number]>(page, 7);
      return [cut, values.length, values.reduce((all, one) => all + one, 0) === wanted];
    })
    .toEqual(['nMuon>1', 6, true]);

  await run(page, 8);
  await expect(cell(page, 0).locator('xylem-viewer').getByRole('grid')).toBeVisible();
  await page.waitForTimeout(1500);
  const [same, count, columns] = await printed<[boolean, number, string[]]>(page, 9);
  expect([same, columns]).toEqual([true, ['nMuon']]);
  expect(count).toBeGreaterThan(4);
});

test('a report of a view is a table of the notebook', async ({ page }) => {
  await lab.write('r.ipynb', [
    `import json, xylem\nw = xylem.view(${JSON.stringify(SAMPLE)}, tree="Events", view="cutflow", show="cut=nMuon==2&cut=Jet_pt>30")\nw`,
    'print(json.dumps([w.report[0].columns[:2], w.report["cutflow"]["Entries"], len(w.report)]))',
    'w.report',
  ]);
  await openNotebook(page, lab, 'r.ipynb');
  await run(page, 0);
  await expect(plotOf(page, 0, /Plot of Jet_pt>30/)).toBeVisible();
  expect(await printed(page, 1)).toEqual([['Cut', 'Entries'], [2400, 2202, 1405], 1]);
  await run(page, 2);
  const table = cell(page, 2).locator('.jp-OutputArea').getByRole('table');
  await expect(table.getByRole('row', { name: /Jet_pt>30/ })).toContainText('1,405');
});

test('a stored histogram has the bins of the file; a saved notebook has the picture alone', async ({
  page,
}) => {
  await lab.write('b.ipynb', [
    `import json, xylem\nw = xylem.view(${JSON.stringify(SAMPLE)}, item="plots/dimuonMass")\nw`,
    [
      'import hist, uproot, numpy as np',
      `stored = uproot.open(${JSON.stringify(SAMPLE)})["plots/dimuonMass"]`,
      'h = hist.Hist(w.histogram)',
      'r = stored.to_hist()',
      'print(json.dumps([np.array_equal(h.values(flow=True), r.values(flow=True)), np.array_equal(w.histogram.variances(), stored.variances()), w.histogram.title]))',
    ].join('\n'),
  ]);
  await openNotebook(page, lab, 'b.ipynb');
  await expect(page.getByText(/Python 3.*\| Idle/)).toBeVisible();
  await run(page, 0);
  await expect(plotOf(page, 0, /Plot of/)).toBeVisible();
  await expect.poll(() => cell(page, 0).locator('img').count()).toBeGreaterThan(0);
  // While the viewer is there, its picture is not shown a second time.
  await expect(cell(page, 0).locator('.jp-OutputArea-child img')).toBeHidden();
  expect((await printed<unknown[]>(page, 1)).slice(0, 2)).toEqual([true, true]);
  await page.keyboard.press('Control+S');
  await expect.poll(async () => JSON.stringify((await lab.read('b.ipynb')).notebook)).toContain('image/png');
  const { notebook, bytes } = await lab.read('b.ipynb');
  expect(bytes).toBeLessThan(400_000);
  expect(JSON.stringify(notebook.metadata)).not.toContain('xylem-viewer');

  await page.evaluate(async () => {
    const kernels = await (await fetch('/api/sessions')).json();
    const token = document.cookie.match(/_xsrf=([^;]+)/)?.[1] ?? '';
    for (const { id } of kernels)
      await fetch(`/api/sessions/${id}`, { method: 'DELETE', headers: { 'X-XSRFToken': token } });
  });
  await openNotebook(page, lab, 'b.ipynb');
  await expect(cell(page, 0).locator('.jp-OutputArea-child img')).toBeVisible();
});

/** Shows one state after the other: each histogram that comes to the kernel asks for the next. */
const GATHERED = `
import json, xylem
def gathered(file, states):
    found, rest = {}, iter(states[1:])
    w = xylem.view(file, **states[0])
    def take(change):
        h = change["new"]
        if h is None or h.name in found:
            return
        cells = [part(flow=True).ravel(order="F").tolist() for part in (h.values, h.variances)]
        found[h.name] = [h.entries, float(h.values().sum()), *cells]
        state = next(rest, None)
        if state is not None:
            w.state = state
    w.observe(take, "histogram")
    return w, found
`;

/** Entries, sum of the cells within the axes, contents and squared errors. */
type InPython = [entries: number, integral: number, values: number[], variances: number[]];

test('stored and drawn histograms have the entries, contents and errors of ROOT in Python', async ({
  page,
}) => {
  const counted = drawings.filter(({ option, cells }) => option === '' && cells.length > 0);
  const file = (name: string) => JSON.stringify(resolve(FIXTURES, name));
  const items = JSON.stringify(stored.map(([item]) => ({ item })));
  const draws = JSON.stringify(
    counted.map(({ expr, cut }, i) => ({ tree: 't', draw: expr.replace('>>h', `>>h${i}`), cut })),
  );
  await lab.write('r.ipynb', [
    `${GATHERED}\nw, found = gathered(${file(STORED_FILE)}, json.loads(r'''${items}'''))\nw`,
    'print(json.dumps(found))',
    `v, drawn = gathered(${file(TREE_FILE)}, json.loads(r'''${draws}'''))\nv`,
    'print(json.dumps(drawn))',
  ]);
  await openNotebook(page, lab, 'r.ipynb');
  await expect(page.getByText(/Python 3.*\| Idle/)).toBeVisible();
  const all = async (index: number, count: number): Promise<Record<string, InPython>> => {
    await run(page, index);
    await expect
      .poll(async () => Object.keys(await printed<Record<string, InPython>>(page, index + 1)).length)
      .toBe(count);
    return await printed(page, index + 1);
  };
  const expectNear = (found = Number.NaN, wanted = 0, size = Math.abs(wanted)) =>
    expect(Math.abs(found - wanted), `${found} for ${wanted}`).toBeLessThanOrEqual(1e-9 * Math.max(1, size));
  const found = await all(0, stored.length);
  for (const [name, one] of stored) {
    const [entries, , values = [], variances = []] = found[name] ?? [];
    expectNear(entries, one.entries);
    const filled = new Map(one.filled.map(([cell, ...rest]) => [cell, rest]));
    for (let cell = 0; cell < one.cells; cell++) {
      const [content = 0, error = 0] = filled.get(cell) ?? [];
      expectNear(values[cell], content);
      // The spread of one value is what rounding leaves of the difference of two squares.
      expectNear(
        Math.sqrt(variances[cell] ?? Number.NaN),
        error,
        one.class.startsWith('TProfile') ? 1e3 : undefined,
      );
    }
  }
  const drawn = await all(2, counted.length);
  for (const [i, one] of counted.entries()) {
    const [entries, integral, values = []] = drawn[`h${i}`] ?? [];
    expectNear(entries, one.entries);
    expectNear(
      integral,
      one.cells.slice(1, -1).reduce((sum, content) => sum + content, 0),
    );
    for (const [cell, content] of one.cells.entries()) expectNear(values[cell], content);
  }
});

test('a kernel that dies is said, and the cell, run again, shows the file', async ({ page }) => {
  await lab.write('c.ipynb', [
    `import xylem\nw = xylem.view(${JSON.stringify(LONG)}, "x", tree="t")\nw`,
    'import os\nos._exit(1)',
  ]);
  await openNotebook(page, lab, 'c.ipynb');
  await expect(page.getByText(/Python 3.*\| Idle/)).toBeVisible();
  await run(page, 0);
  await expect(plotOf(page, 0, /Plot of x/)).toBeVisible();
  await run(page, 1);
  const restarted = page.getByRole('dialog', { name: /Kernel Restarting/ });
  await restarted.getByRole('button', { name: 'Ok' }).click();
  const viewer = cell(page, 0).locator('xylem-viewer');
  await viewer.evaluate((element) => element.setAttribute('draw', 'y'));
  await viewer.getByText(/Partial: .* could not be read/).click();
  await expect(viewer.getByText(/The kernel has ended/)).toBeVisible();
  await run(page, 0);
  await expect(plotOf(page, 0, /Plot of x/)).toBeVisible();
  await viewer.evaluate((element) => element.setAttribute('draw', 'z'));
  await expect(plotOf(page, 0, /Plot of z. Entries 100,000/)).toBeVisible();
});

test('a file beside the notebook is read through the server, also when the kernel has ended', async ({
  page,
}) => {
  const path = join(lab.folder, 'beside the notebook.root');
  await link(FILE, path).catch(() => copyFile(FILE, path));
  await lab.write('e.ipynb', [
    'import json, xylem\nw = xylem.view("beside the notebook.root", tree="Events", view="info")\nw',
    'print(json.dumps([w.sent_bytes, w.sent_messages]))',
    'import os\nos._exit(1)',
    `import xylem\nv = xylem.view("beside the notebook.root", "nMuon", tree="Events", via="kernel")\nv`,
    'import json\nprint(json.dumps([v.sent_bytes]))',
  ]);
  const ranges: number[] = [];
  page.on('requestfinished', async (request) => {
    if (!new URL(request.url()).pathname.startsWith('/files/')) return;
    const answer = await request.response();
    expect(answer?.status()).toBe(206);
    ranges.push(Number(answer?.headers()['content-length']));
  });
  await openNotebook(page, lab, 'e.ipynb');
  await expect(page.getByText(/Python 3.*\| Idle/)).toBeVisible();
  await run(page, 0);
  const viewer = cell(page, 0).locator('xylem-viewer');
  await expect(viewer).toHaveAttribute('privacy', /The Jupyter server sends/);
  const [before] = await printed<[number]>(page, 1);
  await viewer.evaluate((element) => element.setAttribute('draw', 'Muon_eta'));
  await expect(plotOf(page, 0, /Plot of Muon_eta/)).toBeVisible();
  expect((await printed<[number]>(page, 1))[0]).toBe(before);
  const sum = () => ranges.reduce((all, one) => all + one, 0);
  const served = sum();
  expect(served).toBeGreaterThan(0);
  process.stdout.write(
    `through the server: ${served} bytes in ${ranges.length} requests, through the kernel ${before}\n`,
  );

  await run(page, 2);
  await page
    .getByRole('dialog', { name: /Kernel Restarting/ })
    .getByRole('button', { name: 'Ok' })
    .click();
  await viewer.evaluate((element) => element.setAttribute('draw', 'Jet_pt'));
  await expect(plotOf(page, 0, /Plot of Jet_pt/)).toBeVisible();
  await expect(viewer.getByText(/Partial|has ended/)).toHaveCount(0);
  if (FILE !== SAMPLE) expect(sum()).toBeGreaterThan(served);

  // The kernel reads where that is asked for.
  await expect(page.getByText(/Python 3.*\| Idle/)).toBeVisible();
  await run(page, 3);
  await expect(plotOf(page, 3, /Plot of nMuon/)).toBeVisible();
  await expect(cell(page, 3).locator('xylem-viewer')).toHaveAttribute('privacy', /The kernel reads the file/);
  if (FILE !== SAMPLE) expect((await printed<[number]>(page, 4))[0]).toBeGreaterThan(0);
});

test('the viewer has the colours of JupyterLab, in light and dark', async ({ page }) => {
  test.setTimeout(80_000);
  await page.setViewportSize({ width: 1200, height: 800 });
  await lab.write('d.ipynb', [
    'import xylem\nw = xylem.view("sample.root", "Muon_pt", tree="Events", cut="nMuon>2")\nw',
  ]);
  const viewer = cell(page, 0).locator('xylem-viewer');
  const grounds = () =>
    viewer.evaluate(({ shadowRoot }) => {
      const probe = document.body.appendChild(document.createElement('p'));
      probe.style.color = 'var(--jp-layout-color0)';
      const found = [getComputedStyle(probe).color];
      probe.remove();
      const frame = shadowRoot?.querySelector('section');
      return [...found, frame ? getComputedStyle(frame).backgroundColor : ''];
    });
  for (const theme of ['Light', 'Dark']) {
    await lab.theme(`JupyterLab ${theme}`);
    await openNotebook(page, lab, 'd.ipynb');
    await expect(page.getByText(/Python 3.*\| Idle/)).toBeVisible();
    await run(page, 0);
    await expect(plotOf(page, 0, /Plot of Muon_pt/)).toBeVisible();
    await expect(viewer).toHaveAttribute('theme', theme.toLowerCase());
    const [jupyter, own] = await grounds();
    expect(own).toBe(jupyter);
    await page.mouse.move(5, 700);
    await viewer.scrollIntoViewIfNeeded();
    const path = join(SHOTS, `notebook-${theme.toLowerCase()}.png`);
    await page.screenshot({ path, clip: { x: 290, y: 30, width: 872, height: 645 } });
  }
});
