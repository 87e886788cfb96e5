// Needs features: diff, doctor, walls.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** As a job finds it: the reference, what it made, and the package, which is linked and not downloaded. */
let folder = '';
let recipes = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xylem-recipes-'));
  recipes = await readFile(resolve(root, 'docs/ci.md'), 'utf8');
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await symlink(root, join(folder, 'node_modules/xylem'));
  await symlink(resolve(root, 'dist/cli/xylem.js'), join(folder, 'node_modules/.bin/xylem'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await mkdir(join(folder, 'out'));
  for (const name of ['reference.root', 'new.root', 'out/a.root', 'out/b.root']) {
    await copyFile(resolve(root, 'public/sample.root'), join(folder, name));
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const path = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);

/** The status of a command line, as a job's shell runs it. */
async function status(command: string): Promise<number> {
  const env = { ...process.env, PATH: [join(folder, 'node_modules/.bin'), path].join(delimiter) };
  return run('/bin/sh', ['-ec', command], { cwd: folder, env }).then(
    () => 0,
    (error: { code: number }) => error.code,
  );
}

/** The commands of a recipe, without the one that downloads the package. */
function commandsOf(recipe: string): string[] {
  const yaml = [...recipes.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const text = yaml.find((one) => one.includes(recipe)) ?? '';
  const commands = text.split('\n').flatMap((line) => /^\s*- (?:run: )?(np[mx] .*)$/.exec(line)?.[1] ?? []);
  expect(commands[0]).toBe('npm install --no-save "$XYLEM_PACKAGE"');
  return commands.slice(1);
}

test.each(['.github/workflows/files.yml', '.gitlab-ci.yml'])(
  'the commands of %s run',
  async (recipe) => {
    const commands = commandsOf(recipe);
    expect(commands.length).toBeGreaterThanOrEqual(3);
    for (const command of commands) expect(await status(command), command).toBe(0);
    const report = JSON.parse(await readFile(join(folder, 'check.json'), 'utf8'));
    expect(report.summary).toMatchObject({ files: 1, failed: 0 });
    expect(await readFile(join(folder, 'nMuon.svg'), 'utf8')).toMatch(/^<svg/);
  },
  60_000,
);

test('the commands of the table run', async () => {
  const commands = [...recipes.matchAll(/^\|[^|`]*\| `(xylem [^`]*)` \|$/gm)].map(
    ([, command = '']) => command,
  );
  expect(commands.length).toBeGreaterThanOrEqual(6);
  for (const command of commands) expect(await status(command), command).toBe(0);
}, 60_000);

test('a damaged or another file fails the job', async () => {
  const bytes = await readFile(join(folder, 'new.root'));
  await writeFile(join(folder, 'out/cut.root'), bytes.subarray(0, bytes.length - 5000));
  expect(await status('npx --no xylem check --quiet out/*.root')).toBe(1);
  expect(
    await status(`npx --no xylem diff reference.root ${resolve(root, 'tests/fixtures/files/stl.root')}`),
  ).toBe(1);
});

test('nobody is told to run or to install a package by a name that may be of somebody else', async () => {
  const texts = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md'];
  for (const folder of ['docs', 'adapters', 'bench', 'hosts', 'web', 'scripts']) {
    const names = await readdir(resolve(root, folder), { recursive: true });
    texts.push(
      ...names
        .filter((name) => /\.(md|ya?ml|sh|sub|py|tsx?|mjs)$|Makefile$/.test(name))
        .map((name) => join(folder, name)),
    );
  }
  expect(texts.length).toBeGreaterThan(300);
  const found: string[] = [];
  for (const name of texts.filter((one) => one !== 'docs/releasing.md')) {
    const text = await readFile(resolve(root, name), 'utf8');
    // Told to do so, not told about it: lines of code, and what is to be typed.
    for (const line of text.split('\n')) {
      const isTold = /(^|[\s`'"=])(npx (?!--no )xylem|npm (install|i)( --?[\w-]+)* xylem)\b/.test(line);
      if (isTold && !/whoever registers it decides/.test(line)) found.push(`${name}: ${line.trim()}`);
    }
  }
  expect(found).toEqual([]);
});
