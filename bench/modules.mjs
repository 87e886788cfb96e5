// node bench/modules.mjs: which modules of dist/ a command or a program loads, and how large they are.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const cli = join(root, 'dist/cli/xylem.js');
const sample = join(root, 'public/sample.root');
const library = pathToFileURL(join(root, 'dist/node.js')).href;
const program = (/** @type {string} */ text) => ['--input-type=module', '-e', text];
const open = `const { openRoot } = await import('${library}'); const f = await openRoot('${sample}');`;

/** @type {Record<string, string[]>} */
const runs = {
  'xylem --version': [cli, '--version'],
  'xylem --help': [cli, '--help'],
  'xylem ls FILE': [cli, 'ls', sample],
  'xylem draw FILE Events MET_pt': [cli, 'draw', sample, 'Events', 'MET_pt'],
  'import xylem': program(`await import('${library}')`),
  'openRoot, keys': program(`${open} await f.keys(); await f.close()`),
  'openRoot, draw': program(`${open} await (await f.tree('Events')).draw('MET_pt'); await f.close()`),
};

for (const [name, args] of Object.entries(runs)) {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-modules-'));
  try {
    const { status, stderr } = spawnSync(process.execPath, args, {
      env: { ...process.env, NODE_V8_COVERAGE: folder },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    const paths = new Set();
    for (const file of readdirSync(folder)) {
      for (const { url } of JSON.parse(readFileSync(join(folder, file), 'utf8')).result) {
        if (url.startsWith('file:') && url.includes('/dist/')) paths.add(fileURLToPath(url.split('?')[0]));
      }
    }
    const list = [...paths].sort();
    const bytes = list.reduce((sum, path) => sum + statSync(path).size, 0);
    const kilobytes = (bytes / 1000).toFixed(0).padStart(4);
    process.stdout.write(`${name.padEnd(30)} ${String(list.length).padStart(2)} modules ${kilobytes} kB  `);
    process.stdout.write(`${list.map((path) => basename(path).replace(/-[\w-]{8}\.js$/, '')).join(' ')}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
