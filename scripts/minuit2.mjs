// Fetches the source of Minuit2 into a folder: node scripts/minuit2.mjs FOLDER. It is in the source package of iminuit on
// PyPI that wasm/minuit2.json names; a file with another SHA-256 is refused. PIP_INDEX_URL names another index, and
// XYLEM_MINUIT2 the file itself, if it is already there.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { must, root, runMain, StepError } from './run.mjs';

/** Folders of the package that the module is compiled from, and the licence. */
const WANTED = [
  'src/RConfigure.h',
  'extern/root/math/minuit2',
  'extern/root/math/mathcore/inc',
  'extern/root/core/foundation/inc',
];

/** @param {string} url @param {Record<string, string>} [headers] */
async function fetched(url, headers = {}) {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new StepError(`${url}: the server answered ${response.status}.`);
  return response;
}

/** @param {{ project: string, file: string }} source @returns {Promise<Buffer>} */
async function download({ project, file }) {
  const given = process.env.XYLEM_MINUIT2;
  if (given) return readFile(given);
  const index = (process.env.PIP_INDEX_URL || 'https://pypi.org/simple').replace(/\/+$/, '');
  const page = await fetched(`${index}/${project}/`, {
    accept: 'application/vnd.pypi.simple.v1+json, text/html;q=0.5',
  });
  const text = await page.text();
  const found = text.match(
    new RegExp(`"((?:https?:|\\.\\.?/|/)[^"]*?/${file.replaceAll('.', '\\.')})[#"]`),
  )?.[1];
  if (found === undefined) throw new StepError(`${index} has no ${file}.`);
  return Buffer.from(await (await fetched(new URL(found, page.url).href)).arrayBuffer());
}

await runMain(async () => {
  const folder = resolve(process.argv[2] ?? 'build/minuit2');
  const source = JSON.parse(await readFile(join(root, 'wasm/minuit2.json'), 'utf8'));
  const bytes = await download(source);
  const sum = createHash('sha256').update(bytes).digest('hex');
  if (sum !== source.sha256)
    throw new StepError(`${source.file} has the SHA-256 ${sum}, not ${source.sha256}.`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = join(folder, source.file);
  await writeFile(archive, bytes);
  const name = `${source.project}-${source.version}`;
  const parts = WANTED.map((path) => `${name}/${path}`);
  await must('Minuit2 cannot be unpacked', 'tar', [
    '-xzf',
    archive,
    '-C',
    folder,
    '--strip-components=1',
    ...parts,
  ]);
  await rm(archive);
});
