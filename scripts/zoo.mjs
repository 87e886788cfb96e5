// node scripts/zoo.mjs: docs/zoo.md and its pictures: each object of tests/fixtures/files/page/zoo.root as ROOT draws
// it (written by tests/fixtures/make_zoo.py), as xylem does, and as JSROOT does in its frame. Needs a build and a browser.
// Names of objects after it: only these are drawn by JSROOT anew.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { findChromium } from './browsers.mjs';
import { root, runMain } from './run.mjs';

const run = promisify(execFile);
const cli = join(root, 'dist/cli/xylem.js');
const file = join(root, 'tests/fixtures/files/page/zoo.root');
const folder = join(root, 'docs/zoo');

/** Options of objects that are not drawn by their default. @type {Record<string, string[]>} */
const options = {
  stack_nostack: ['--option', 'nostack'],
  stack_errors: ['--option', 'nostack,e1p'],
};

/** @type {[title: string, names: RegExp][]} */
const parts = [
  ['Histograms and profiles', /^(h1|h2$|h2_text|profile)/],
  ['Contours, candles and violins', /^h2_(cont|candle|violin)/],
  ['Polygons', /^poly(_shapes)?$/],
  ['Stacks', /^stack/],
  ['Graphs', /^(graph|multigraph|cutg)/],
  ['Efficiencies', /^eff_/],
  ['Functions and splines', /^(function|spline)/],
  ['Three and more axes, as projections', /^(h3|sparse|hn)$/],
  ['Matrices and vectors', /^(matrix|vector)/],
  ['Texts, lines and boxes', /^(line|box|latex|text|pavetext|legend|arrow|ellipse|marker|polyline)$/],
  ['Plots of RooFit', /^roofit$/],
  ['Canvases', /^c_/],
];

/** @param {string[]} names */
async function ours(names) {
  await mkdir(join(folder, 'xylem'), { recursive: true });
  /** @type {Map<string, string>} */
  const notes = new Map();
  for (const name of names) {
    const out = join(folder, 'xylem', `${name}.svg`);
    const { stderr } = await run(process.execPath, [
      cli,
      'draw',
      file,
      name,
      '--svg',
      out,
      ...(options[name] ?? []),
    ]);
    const note = /not drawn: (.*)/.exec(stderr)?.[1];
    if (note !== undefined) notes.set(name, note);
  }
  return notes;
}

/** Pictures of many thousand shapes are kept as pixels. */
const MAX_SVG = 60_000;

/** @param {import('@playwright/test').Browser} browser @param {string[]} names */
async function shrink(browser, names) {
  const page = await browser.newPage({ viewport: { width: 720, height: 480 } });
  for (const name of names) {
    const path = join(folder, 'xylem', `${name}.svg`);
    const svg = await readFile(path, 'utf8');
    if (svg.length <= MAX_SVG) continue;
    await page.setContent(`<body style="margin:0">${svg}</body>`);
    await page.locator('svg').screenshot({ path: path.replace(/svg$/, 'png') });
    await rm(path);
  }
  await page.close();
}

/** Pictures of the frame of JSROOT, where it is offered. @param {string[]} names */
async function jsroot(names) {
  await mkdir(join(folder, 'jsroot'), { recursive: true });
  const server = spawn(process.execPath, [cli, 'serve', join(file, '..'), '--port', '0', '--json']);
  const { url } = JSON.parse(
    await new Promise((go) => server.stdout.once('data', (line) => go(String(line)))),
  );
  const executablePath = findChromium();
  const browser = await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }) });
  try {
    await shrink(
      browser,
      (await readdir(join(folder, 'root'))).map((name) => name.replace(/\.png$/, '')),
    );
    const page = await browser.newPage({ viewport: { width: 500, height: 620 }, deviceScaleFactor: 0.8 });
    for (const name of names) {
      await page.goto(`${url}?${new URLSearchParams({ url: 'files/zoo.root', item: name, as: 'jsroot' })}`);
      const tab = page.getByRole('tab', { name: 'Draw with JSROOT' });
      await page.getByRole('tab', { name: 'Members' }).waitFor();
      if ((await tab.count()) === 0) continue;
      const frame = page.locator('.jsroot[aria-busy=false] iframe');
      // Without a drawing it says why, and there is no picture.
      const isDrawn = await frame.waitFor({ timeout: 8000 }).then(
        () => true,
        () => false,
      );
      if (!isDrawn) continue;
      await page.waitForTimeout(150);
      const path = join(folder, 'jsroot', `${name}.jpg`);
      await page.locator('.jsroot iframe').screenshot({ path, type: 'jpeg', quality: 40 });
    }
  } finally {
    await browser.close();
    server.kill();
  }
}

/** @param {string[]} names @param {Map<string, string>} notes */
function page(names, notes) {
  const image = (/** @type {string} */ by, /** @type {string} */ name) => {
    const form = ['svg', 'png', 'jpg'].find((one) => existsSync(join(folder, by, `${name}.${one}`)));
    return form === undefined ? '–' : `![${name} by ${by}](zoo/${by}/${name}.${form})`;
  };
  const lines = [
    '# The zoo',
    '',
    'Each object of one file, `tests/fixtures/files/page/zoo.root`, as ROOT 6.40 draws it, as xylem does, and as JSROOT does',
    'in its frame, where it is offered. What ROOT computes of them (contents, errors, efficiencies with their intervals,',
    'projections, the ranges of pads) is compared with what xylem draws in `tests/plot/zoo.test.ts` and `pads.test.ts`.',
    'Histograms, graphs and maps have the look of xylem, in which they are zoomed and laid over each other; canvases have',
    'the colours and styles of the file. [page.md](page.md#stored-objects) says what is drawn.',
    '',
  ];
  for (const [title, wanted] of parts) {
    lines.push(`## ${title}`, '', '| | ROOT | xylem | JSROOT |', '|---|---|---|---|');
    for (const name of names.filter((one) => wanted.test(one))) {
      const note = notes.has(name) ? ` Not drawn by xylem: ${notes.get(name)}.` : '';
      lines.push(
        `| ${name}${note} | ${image('root', name)} | ${image('xylem', name)} | ${image('jsroot', name)} |`,
      );
    }
    lines.push('');
  }
  return lines.join('\n');
}

await runMain(async () => {
  const names = (await readdir(join(folder, 'root'))).map((name) => name.replace(/\.png$/, '')).sort();
  const notes = await ours(names);
  const wanted = process.argv.slice(2);
  await jsroot(wanted.length > 0 ? names.filter((name) => wanted.includes(name)) : names);
  await writeFile(join(root, 'docs/zoo.md'), page(names, notes));
});
