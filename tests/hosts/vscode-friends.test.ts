import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FriendRule } from '../../hosts/vscode/src/friends';

let base: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'xylem-friends-')));
  for (const folder of ['data/below', 'work', 'database', 'far'])
    await mkdir(join(base, folder), { recursive: true });
  for (const path of ['data/below/a', 'data/main', 'work/b', 'far/secret', 'far/other', 'database/c'])
    await writeFile(at(`${path}.root`), '');
});
afterEach(() => rm(base, { recursive: true, force: true }));

const at = (path: string) => join(base, path);

/** A rule for data/main.root in the workspace "work", and the paths that a person was asked about. */
function rule(answers: boolean[] = [], file = 'data/main.root') {
  const asked: string[] = [];
  const made = new FriendRule(
    at(file),
    () => [at('work')],
    async (path) => {
      asked.push(path);
      return answers.shift() ?? false;
    },
  );
  return { allowed: (path: string) => made.allowed(at(path)), asked };
}

test('friends below the folder of the file or of the workspace are read, and nobody is asked', async () => {
  const { allowed, asked } = rule();
  expect(await allowed('data/below/a.root')).toBe(at('data/below/a.root'));
  expect(await allowed('work/b.root')).toBe(at('work/b.root'));
  expect(await allowed('data/not-there.root')).toBe(at('data/not-there.root'));
  expect(asked).toEqual([]);
});

test('others are read when a person agrees, who is asked once for each', async () => {
  const { allowed, asked } = rule([true, true]);
  expect(await Promise.all([allowed('far/secret.root'), allowed('far/secret.root')])).toEqual([
    at('far/secret.root'),
    at('far/secret.root'),
  ]);
  expect(await allowed('database/c.root')).toBe(at('database/c.root'));
  expect(asked).toEqual([at('far/secret.root'), at('database/c.root')]);
});

test('after a no nothing more is asked: a file may name any number of paths', async () => {
  const { allowed, asked } = rule([false]);
  const many = ['far/secret.root', 'far/other.root', 'database/c.root', 'data/../far/other.root'];
  expect(await Promise.all(many.map(allowed))).toEqual(many.map(() => undefined));
  // Which of them is found first, is not known.
  expect(asked).toHaveLength(1);
});

test('links count by where they lead, those of friends and that of the file', async () => {
  await symlink(at('far'), at('data/way'));
  await symlink(at('far/other.root'), at('work/linked.root'));
  const { allowed, asked } = rule();
  expect(await allowed('data/way/secret.root')).toBe(undefined);
  expect(asked).toEqual([at('far/secret.root')]);
  const linked = rule([], 'work/linked.root');
  expect(await linked.allowed('far/secret.root')).toBe(at('far/secret.root'));
});
