import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean);

/** Folders beside the project, and of the machines on which it was written. Recorded calls of a system keep their paths. */
const ELSEWHERE = /\.\.\/shared(?![\w.-])|(?<![\w.-])\/(work|tmp\/w)\/\w/;
const RECORDED = /^tests\/fixtures\/(files|golden|reads)\//;

/** The lines of a text that name such a folder. */
const found = (text: string): string[] => text.split('\n').filter((line) => ELSEWHERE.test(line));

test('folders beside the project and of one machine are recognised', () => {
  expect(found("open('../shared/corpus')\n/work/main/web\n/tmp/w/a.root")).toHaveLength(3);
  expect(found('../shared.ts\nhttps://h/work/a\n/tmp/wave')).toEqual([]);
});

test('no file of the project names a folder beside it, or one of a machine', () => {
  const named: string[] = [];
  for (const path of files) {
    if (RECORDED.test(path) || path === 'tests/package/alone.test.ts') continue;
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(root, path));
    } catch {
      continue; // removed, and not committed yet
    }
    if (bytes.includes(0)) continue;
    named.push(...found(bytes.toString('utf8')).map((line) => `${path}: ${line.trim().slice(0, 120)}`));
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
