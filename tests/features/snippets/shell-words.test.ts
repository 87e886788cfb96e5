import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileWord, shellWord } from '../../../web/base/literal';
import { snippets } from '../../../web/features/snippets/work/snippets';
import { treeOf } from './trees';

// Names of files, trees and branches in lines that people paste into a shell.

/** Each would make a file if the shell took a part of it for a command. */
const PLAIN = [
  "x';touch RAN;#",
  "x\\';touch RAN;#",
  "x\\\\';touch RAN;'",
  'x\\',
  ' ;touch RAN;#',
  "\\'",
  "'\\",
  "''",
  '`touch RAN`',
  '$(touch RAN)',
  '$IFS;touch RAN',
  '(touch RAN)',
  ';touch RAN',
  '|touch RAN',
  '&touch RAN',
  '=touch',
  '%self',
  '~root',
  '*',
  '?',
  '[a-z]',
  '{a,b}',
  'a{0..9}',
  '#x',
  '!x',
  '-e',
  '--help',
  'ü €',
  '"',
  '^',
  '',
];
const WITH_CONTROLS = [
  "x\u0001';touch RAN;#",
  "x\u0001\\';touch RAN;#",
  'x\ntouch RAN\n',
  '\rtouch RAN\r',
  "\u001b[31m'\\",
  'x\u2028touch RAN',
  '\u202Eabc!!',
  '\u0085;touch RAN',
];

const folder = mkdtempSync(join(tmpdir(), 'xylem-shells-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Words as a shell gives them to a program; undefined where the shell is not installed. */
function readBy(shell: string, words: readonly string[]): string[] | undefined {
  const [name = '', ...args] = shell.split(' ');
  const line = `printf '%s\\0' ${words.join(' ')}`;
  const { error, stdout } = spawnSync(name, [...args, '-c', line], { cwd: folder, encoding: 'utf8' });
  if (error) return undefined;
  expect(readdirSync(folder), `${shell} ran a command of ${words.join(' ')}`).toEqual([]);
  return stdout.split('\0').slice(0, -1);
}

// A system has a few of these shells; "sh" is one of them.
test.each(['sh', 'bash', 'dash', 'zsh', 'fish', 'busybox sh', 'ksh', 'mksh', 'yash'])(
  'a name is one word to %s, and never a command',
  (shell) => {
    const read = readBy(shell, PLAIN.map(shellWord));
    if (read) expect(read).toEqual(PLAIN);
    else expect(shell).not.toBe('sh');
    // Not all shells know escapes; to those it is another word, but the words around it are the same.
    for (const name of WITH_CONTROLS) {
      const words = readBy(shell, ['before', shellWord(name), 'after']);
      if (words && words.length > 0)
        expect([words.length, words[0], words[2]]).toEqual([3, 'before', 'after']);
      if (words && shell === 'bash') expect(words[1]).toBe(name);
    }
  },
);

test('tcsh, which has other rules, runs no command either', () => {
  for (const name of [...PLAIN, ...WITH_CONTROLS]) readBy('tcsh', [shellWord(name)]);
});

test('no name is an option, or a list of other files', () => {
  const layer = { address: 'a.root', tree: treeOf('t', []), branch: 'b', expr: 'b', cut: '' };
  const line = (more: Partial<typeof layer>) =>
    snippets({ layers: [{ ...layer, ...more }], axes: [{ bins: 10, low: 0, high: 1 }] }).find(
      ({ language }) => language === 'sh',
    )?.text;
  const start = 'npx --no xylem draw --bins 10 --range=0:1';
  expect(line({})).toBe(`${start} a.root t b\n`);
  expect(line({ tree: treeOf('--trace=/x', []) })).toBe(`${start} -- a.root '--trace=/x' b\n`);
  expect(line({ cut: '-x>1' })).toBe(`${start} -- a.root t b '-x>1'\n`);
  expect(line({ address: '--svg=/x' })).toBe(`${start} ./--svg=/x t b\n`);
  expect(line({ address: '@list.txt' })).toBe(`${start} ./@list.txt t b\n`);
  expect(fileWord('https://x.example/-a')).toBe('https://x.example/-a');
});
