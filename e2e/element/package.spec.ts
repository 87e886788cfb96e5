import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expect, samplePath, statistic, test } from '../story';
import { startOrigin, stopPortals } from './portal';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

// In one worker, so that packages are installed once.
test.describe.configure({ mode: 'default' });

/** An empty project with the packed package installed, and nothing else. */
let folder = '';

test.beforeAll(async () => {
  test.setTimeout(120_000);
  folder = await mkdtemp(join(tmpdir(), 'xylem-project-'));
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse((await run('npm', pack, { cwd: root })).stdout) as [{ filename: string }];
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed.filename], { cwd: folder });
  await mkdir(join(folder, 'public'));
  await copyFile(samplePath, join(folder, 'public/sample.root'));
  await copyFile(samplePath, join(folder, 'sample.root'));
});

test.afterAll(stopPortals);
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Any static server: whole files without ranges are enough for a small one. */
async function serveFolder(served: string): Promise<string> {
  const { url } = await startOrigin((path) => {
    const file = resolve(served, `.${path === '/' ? '/index.html' : (path.split('?')[0] ?? '')}`);
    try {
      const headers = { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' };
      return { body: readFileSync(file), headers };
    } catch {
      return undefined;
    }
  });
  return url;
}

const head = '<!doctype html><html lang="en"><title>Project</title><link rel="icon" href="data:,">';
const tag = '<xylem-viewer src="sample.root" tree="Events" draw="nMuon"></xylem-viewer>';

/** The code of expressions is a part that bundlers have to find. */
async function drawsExpression(page: Page): Promise<void> {
  const viewer = page.locator('xylem-viewer');
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');
  await viewer.evaluate((element) => element.setAttribute('draw', 'MET_pt+1'));
  await expect(viewer.getByRole('img', { name: /MET_pt\+1/ })).toBeVisible();
  await expect(statistic(viewer, 'Entries')).toHaveText('2,400');
}

test('plain HTML with the script of the package opens a file', async ({ page }) => {
  const script = 'node_modules/xylem/dist/xylem-viewer.js';
  await writeFile(
    join(folder, 'index.html'),
    `${head}<script type="module" src="${script}"></script>${tag}</html>`,
  );
  await page.goto(await serveFolder(folder));
  await drawsExpression(page);
});

test('a Vite project with the element and the library opens a file with both', async ({ page }) => {
  test.setTimeout(120_000);
  await writeFile(
    join(folder, 'main.js'),
    `import 'xylem/element';
     import { openRoot } from 'xylem';
     const show = (text) => (document.getElementById('entries').textContent += text + ' ');
     async function read() {
       const other = await openRoot('sample.root');
       await using file = await openRoot('sample.root', { headers: { 'X-Token': 'secret' } });
       const events = await file.tree('Events', { friends: { sf: { file: other, tree: 'Events' } } });
       const { nMuon, Muon_pt } = await events.arrays(['nMuon', 'Muon_pt'], { entries: [0, 1] });
       for (const pts of Muon_pt) show(pts);
       const h = await events.draw('Dimuon_mass', { cut: 'sf.nMuon == 2', bins: 3, range: [60, 120] });
       for (const { low, high, count } of h) show(low + '-' + high + ':' + count);
       for await (const { MET_pt } of events.chunks('MET_pt')) show(MET_pt.data.length);
       for await (const row of events.scan('nMuon:Muon_pt[0]', { cut: 'nMuon > 1', limit: 1 })) show(JSON.stringify(row));
       show(nMuon.length);
       await other.close();
     }
     read().then(() => show('done'), (error) => show(error.message));`,
  );
  const body = `<p id="entries"></p>${tag}<script type="module" src="/main.js"></script>`;
  await writeFile(join(folder, 'index.html'), `${head}${body}</html>`);
  const vite = resolve(root, 'node_modules/vite/bin/vite.js');
  await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: folder });
  await page.goto(await serveFolder(join(folder, 'dist')));
  await expect(page.locator('#entries')).toHaveText(
    '67.5625,29.3125 60-80:31 80-100:532 100-120:23 2400 {"nMuon":2,"Muon_pt[0]":67.5625} 1 done ',
  );
  await drawsExpression(page);
});

/** The tools with which the next stories build. They use no package of this project. */
const tools = [
  'webpack@5.101.0',
  'webpack-cli@6.0.1',
  'vite@8.3.8',
  '@vitejs/plugin-vue@6.0.11',
  'react@19.1.1',
  'react-dom@19.1.1',
  '@types/react@19.1.9',
  'vue@3.5.18',
  'vue-tsc@3.0.5',
  'typescript@5.9.3',
  'esbuild@0.28.1',
  'next@16.4.6',
];

test.describe('built with tools from the registry', () => {
  // They take as long as a third of all stories: npm run test:hosts runs them.
  test.skip(process.env.XYLEM_BUNDLERS === undefined, 'builds of bundlers run by npm run test:hosts');
  let missing = '';

  test.beforeAll(async () => {
    test.setTimeout(240_000);
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', ...tools];
    missing = await run('npm', install, { cwd: folder, timeout: 200_000 }).then(
      () => '',
      (error: Error) => error.message,
    );
  });
  test.beforeEach(() => {
    test.skip(missing !== '', `no registry of npm packages: ${missing.slice(0, 300)}`);
    test.setTimeout(120_000);
  });

  /** The example of docs/embedding.md in a language. */
  function example(language: string, number = 0): string {
    const docs = readFileSync(resolve(root, 'docs/embedding.md'), 'utf8');
    const text = [...docs.matchAll(/```(\w+)\n([\s\S]*?)```/g)].filter(
      ([, kind = '', code = '']) => kind === language && code.includes("import 'xylem/element"),
    )[number]?.[2];
    if (text === undefined) throw new Error(`docs/embedding.md has no example in ${language}`);
    return text;
  }

  test('an empty webpack project with the element and the library opens a file with both', async ({
    page,
  }) => {
    await writeFile(
      join(folder, 'packed.js'),
      `import 'xylem/element';
       import { openRoot } from 'xylem';
       openRoot('sample.root')
         .then((file) => file.tree('Events'))
         .then((events) => events.draw('MET_pt', { bins: 10 }))
         .then((histogram) => { document.getElementById('entries').textContent = String(histogram.entries); });`,
    );
    const webpack = join(folder, 'node_modules/webpack-cli/bin/cli.js');
    const output = join(folder, 'packed');
    // The files are minified: doing so again takes most of a build's time.
    const choices = ['--mode', 'production', '--no-optimization-minimize', '-o', output];
    await run(process.execPath, [webpack, './packed.js', ...choices], { cwd: folder });
    await copyFile(samplePath, join(output, 'sample.root'));
    const script = '<script type="module" src="main.js"></script>';
    await writeFile(join(output, 'index.html'), `${head}<p id="entries"></p>${tag}${script}</html>`);
    await page.goto(await serveFolder(output));
    await expect(page.locator('#entries')).toHaveText('2400');
    await drawsExpression(page);
  });

  /** Builds what lies in `name`/ with Vite and opens it. */
  async function built(name: string): Promise<string> {
    const vite = join(folder, 'node_modules/vite/bin/vite.js');
    const here = join(folder, name);
    await run(process.execPath, [vite, 'build', here, '--logLevel', 'warn'], { cwd: here });
    await copyFile(samplePath, join(here, 'dist/sample.root'));
    return serveFolder(join(here, 'dist'));
  }

  test('the example for React compiles as it stands, and opens a file', async ({ page }) => {
    const here = join(folder, 'react');
    await mkdir(here);
    await writeFile(join(here, 'plot.tsx'), example('tsx'));
    await writeFile(join(here, 'hydrated.tsx'), example('tsx', 1));
    await writeFile(
      join(here, 'main.tsx'),
      `import { createElement } from 'react';
       import { createRoot } from 'react-dom/client';
       import { Plot } from './plot';
       createRoot(document.getElementById('root')).render(createElement(Plot, { src: 'sample.root' }));`,
    );
    const body = '<div id="root"></div><script type="module" src="/main.tsx"></script>';
    await writeFile(join(here, 'index.html'), `${head}${body}</html>`);
    const tsc = resolve(root, 'node_modules/typescript/bin/tsc');
    const strict = ['--strict', '--noEmit', '--jsx', 'react-jsx', '--module', 'esnext', '--types', 'react'];
    const options = [
      '--moduleResolution',
      'bundler',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom,dom.iterable',
    ];
    await writeFile(
      join(here, 'wrong.tsx'),
      `import 'xylem/element/react';
       // @ts-expect-error a number is no address
       export const wrong = <xylem-viewer src={5} />;
       // @ts-expect-error details of this event have a kind
       export const other = <xylem-viewer onxylem-plot={({ detail }) => console.log(detail.nothing)} />;`,
    );
    const checked = await run(
      process.execPath,
      [tsc, ...strict, ...options, 'plot.tsx', 'hydrated.tsx', 'wrong.tsx'],
      {
        cwd: here,
      },
    ).catch(({ stdout }: { stdout: string }) => ({ stdout }));
    expect(checked.stdout).toBe('');
    await page.goto(await built('react'));
    await expect(page.getByRole('img', { name: /^Plot of nMuon/ })).toBeVisible();
  });

  test('the example for Vue compiles as it stands, opens a file and tells of its plot', async ({ page }) => {
    const here = join(folder, 'vue');
    await mkdir(here);
    await writeFile(join(here, 'Plot.vue'), example('html'));
    await writeFile(
      join(here, 'main.js'),
      `import { createApp, h } from 'vue';
       import Plot from './Plot.vue';
       const told = (kind) => { document.title = kind; };
       createApp({ render: () => h(Plot, { src: 'sample.root', onPlot: told }) }).mount('#root');`,
    );
    await writeFile(
      join(here, 'vite.config.js'),
      `import vue from '@vitejs/plugin-vue';
       const isCustomElement = (tag) => tag === 'xylem-viewer';
       export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] };`,
    );
    const body = '<div id="root"></div><script type="module" src="/main.js"></script>';
    await writeFile(join(here, 'index.html'), `${head}${body}</html>`);
    await page.goto(await built('vue'));
    await drawsExpression(page);
    await expect(page).toHaveTitle('branch');
    const compilerOptions = {
      strict: true,
      noEmit: true,
      moduleResolution: 'bundler',
      module: 'esnext',
      target: 'es2022',
    };
    const vueCompilerOptions = { strictTemplates: true };
    const project = { compilerOptions, vueCompilerOptions, include: ['Plot.vue'] };
    await writeFile(join(here, 'tsconfig.json'), JSON.stringify(project));
    const vueTsc = join(folder, 'node_modules/vue-tsc/bin/vue-tsc.js');
    const checked = await run(process.execPath, [vueTsc, '-p', '.'], { cwd: here }).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(checked.stdout).toBe('');
  });

  test('esbuild takes the element and the library without a warning; two files are copied', async ({
    page,
  }) => {
    const here = join(folder, 'small');
    await mkdir(here);
    await writeFile(
      join(here, 'main.js'),
      `import 'xylem/element';
       import { openRoot } from 'xylem';
       const file = await openRoot('sample.root', { worker: 'xylem.worker.js', wasm: 'xylem.wasm' });
       const { entries } = await (await file.tree('Events')).draw('MET_pt');
       document.getElementById('entries').textContent = String(entries);`,
    );
    const esbuild = join(folder, 'node_modules/esbuild/bin/esbuild');
    const choices = [
      '--bundle',
      '--format=esm',
      '--splitting',
      '--minify',
      '--target=es2022',
      '--outdir=small/out',
    ];
    const { stderr } = await run(esbuild, ['small/main.js', ...choices, '--log-level=warning'], {
      cwd: folder,
    });
    expect(stderr).toBe('');
    const dist = join(folder, 'node_modules/xylem/dist');
    for (const name of ['xylem.worker.js', 'xylem.wasm'])
      await copyFile(join(dist, name), join(here, 'out', name));
    await copyFile(samplePath, join(here, 'out/sample.root'));
    const script = '<script type="module" src="main.js"></script>';
    await writeFile(join(here, 'out/index.html'), `${head}<p id="entries"></p>${tag}${script}</html>`);
    await page.goto(await serveFolder(join(here, 'out')));
    await expect(page.locator('#entries')).toHaveText('2400');
    await drawsExpression(page);
  });

  test('Next.js with Turbopack builds the element, the library in a page, and a server component', async ({
    page,
  }) => {
    const here = join(folder, 'next');
    const put = async (name: string, text: string): Promise<void> => {
      await mkdir(join(here, name, '..'), { recursive: true });
      await writeFile(join(here, name), text);
    };
    await put('next.config.mjs', "export default { serverExternalPackages: ['xylem'], output: 'export' };");
    await put(
      'app/layout.jsx',
      'export default ({ children }) => <html lang="en"><head><title>Project</title><link rel="icon" href="data:," /></head><body>{children}</body></html>;',
    );
    await put(
      'app/page.jsx',
      `import { openRoot } from 'xylem';
       import Shown from './shown';
       export default async function Page() {
         const file = await openRoot('public/sample.root');
         const { entries } = await (await file.tree('Events')).draw('nMuon');
         await file.close();
         return <><p id="server">{entries}</p><Shown /></>;
       }`,
    );
    // The story of React checks its types; Next would need TypeScript beside it.
    await put('plot.tsx', example('tsx', 1));
    await run(
      join(folder, 'node_modules/esbuild/bin/esbuild'),
      ['next/plot.tsx', '--jsx=preserve', '--outfile=next/app/plot.jsx'],
      { cwd: folder },
    );
    await rm(join(here, 'plot.tsx'));
    await put(
      'app/shown.jsx',
      `'use client';
       import 'xylem/element';
       import { openRoot } from 'xylem';
       import { useEffect, useState } from 'react';
       import { Plot } from './plot';
       const heard = ({ detail }) => { document.title = detail.kind; };
       export default function Shown() {
         const [entries, setEntries] = useState(0);
         useEffect(() => {
           openRoot('sample.root')
             .then((file) => file.tree('Events'))
             .then((tree) => tree.draw('MET_pt'))
             .then((drawn) => setEntries(drawn.entries), (error) => setEntries(error.message));
         }, []);
         return <><p id="client">{entries}</p><Plot src="sample.root" onPlot={heard} /></>;
       }`,
    );
    await mkdir(join(here, 'public'));
    await copyFile(samplePath, join(here, 'public/sample.root'));
    await writeFile(join(here, 'package.json'), '{ "private": true }');
    const next = join(folder, 'node_modules/next/dist/bin/next');
    await run(process.execPath, [next, 'build'], {
      cwd: here,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    });
    await page.goto(await serveFolder(join(here, 'out')));
    await expect(page.locator('#server')).toHaveText('2400');
    await expect(page.locator('#client')).toHaveText('2400');
    await expect(page).toHaveTitle('branch');
    await drawsExpression(page);
  });
});
