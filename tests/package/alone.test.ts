// Needs features: writer.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean);

const RECORDED = /^tests\/fixtures\/(files|golden|reads)\//; // calls of a system, with its paths
const above = dirname(root);
/** Names beside the checkout on this machine, with its own; of a checkout in the root of the disk only its own. */
const beside = new Set(above === '/' ? [basename(root)] : readdirSync(above));

/** Names in a folder of the project, without endings; none of a folder above it. */
function namesIn(folder: string): string[] {
  if (folder !== root && !folder.startsWith(`${root}/`)) return [];
  try {
    return readdirSync(folder).map((name) => name.replace(/\..*/, ''));
  } catch {
    return [];
  }
}

/** Whether a text names a folder in a temporary folder, or something beside the checkout by its whole path. */
function isElsewhere(line: string): boolean {
  if (/(?<![\w.-])\/tmp\/[\w-]+\/\w/.test(line)) return true;
  return line
    .split(`${above === '/' ? '' : above}/`)
    .some((after, i, parts) => i > 0 && !/[\w.-]$/.test(parts[i - 1] ?? '') && beside.has(firstName(after)));
}

const firstName = (path: string): string => /^[\w.-]*/.exec(path)?.[0] ?? '';

/** Whether a text names something beside the checkout by "../", which is not a part of the project for a file at `path`. */
const leaves = (line: string, path: string): boolean =>
  [...line.matchAll(/(?<![\w./])((?:\.\.\/)+)([\w-]+)(?![\w.-])/g)].some(
    ([, up = '', name = '']) => beside.has(name) && !namesIn(resolve(root, dirname(path), up)).includes(name),
  );

/** The lines of a text that name something beside the project, or a folder of one machine. */
const found = (text: string, path: string): string[] =>
  text.split('\n').filter((line) => isElsewhere(line) || leaves(line, path));

test('what lies beside the project is recognised, by its whole path and by "../"', () => {
  const name = basename(root);
  const temporary = ['', 'tmp', 'a', 'b.root'].join('/');
  expect(found(`open('../${name}/corpus')\n${root}/web\n${temporary}`, 'README.md')).toHaveLength(3);
  expect(
    found(`'../base/a'\n../${name}.ts\nhttps://h${root}/a\n${dirname(temporary)}`, 'web/io/a.ts'),
  ).toEqual([]);
});

test('no file of the project names what lies beside it, or a folder of one machine', () => {
  const named: string[] = [];
  for (const path of files) {
    if (RECORDED.test(path)) continue;
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(root, path));
    } catch {
      continue; // removed, and not committed yet
    }
    if (bytes.includes(0)) continue;
    named.push(...found(bytes.toString('utf8'), path).map((line) => `${path}: ${line.trim().slice(0, 120)}`));
  }
  expect(named).toEqual([]);
});

test('every benchmark that the README names exists, and the README names each', () => {
  const readme = readFileSync(join(root, 'bench/README.md'), 'utf8');
  const list = execFileSync(process.execPath, [join(root, 'bench/run.mjs')], { encoding: 'utf8' });
  const benches = [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
  const documents = files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const text = documents.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const asked = new Set([...text.matchAll(/npm run bench ([a-z][\w-]*)/g)].map(([, name]) => name));
  expect([...asked].sort()).toEqual([...benches].sort());
  for (const name of benches) expect(readme).toMatch(new RegExp(`npm run bench ${name}\\b`));
});
