import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startOrigin, stopPortals } from './portal';
import { expect, samplePath, statistic, test } from './story';

const root = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

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

test.afterEach(stopPortals);
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

test('plain HTML with the script of the package opens a file', async ({ page }) => {
  const script = 'node_modules/xylem/dist/xylem-viewer.js';
  await writeFile(
    join(folder, 'index.html'),
    `${head}<script type="module" src="${script}"></script>${tag}</html>`,
  );
  await page.goto(await serveFolder(folder));
  await expect(statistic(page.locator('xylem-viewer'), 'Entries')).toHaveText('2,400');
});

test('a Vite project with the element and the library opens a file with both', async ({ page }) => {
  test.setTimeout(120_000);
  await writeFile(
    join(folder, 'main.js'),
    `import 'xylem/element';
     import { createReader } from 'xylem';
     const reader = createReader();
     const file = await reader.open({ kind: 'url', url: new URL('sample.root', location.href).href });
     const histogram = await reader.draw(file.id, { tree: 'Events', branch: 'MET_pt', bins: 10 });
     document.getElementById('entries').textContent = String(histogram.entries);
     reader.terminate();`,
  );
  const body = `<p id="entries"></p>${tag}<script type="module" src="/main.js"></script>`;
  await writeFile(join(folder, 'index.html'), `${head}${body}</html>`);
  const vite = resolve(root, 'node_modules/vite/bin/vite.js');
  await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: folder });
  await page.goto(await serveFolder(join(folder, 'dist')));
  await expect(page.locator('#entries')).toHaveText('2400');
  await expect(statistic(page.locator('xylem-viewer'), 'Entries')).toHaveText('2,400');
});
