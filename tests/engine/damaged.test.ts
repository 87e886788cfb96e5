import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import { XylemError } from '../../web/base/errors';
import { bufferSpec, fixtureBytes, fixtureFolder, makeEngine } from './fixtures';

/** Description of a file by make_damaged.py. Lists of error codes name the allowed ones. */
interface Damage {
  what: string;
  open?: string[];
  /** It opens, what can be had is listed, and a note says so in these words. */
  noted?: string;
  tree?: string;
  tree_error?: string[];
  branch?: string;
  branch_error?: string[];
}

const plan = JSON.parse(readFileSync(resolve(fixtureFolder, 'damaged/damaged.json'), 'utf8')) as Record<
  string,
  Damage
>;

async function failure(of: Promise<unknown>): Promise<XylemError> {
  const thrown: unknown = await of.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown, 'a failure was expected').toBeInstanceOf(XylemError);
  return thrown as XylemError;
}

/** A message for people: it says something, and is no failure of ours. */
function expectTold(error: { code: string; message: string }): void {
  expect(error.code).not.toBe('INTERNAL');
  expect(error.message.length).toBeGreaterThan(15);
}

/** Opens and lists; opening alone may be too early to see what is wrong. */
async function openAndList(reader: EngineApi, name: string, noted?: string): Promise<number> {
  const { id, notes } = await reader.open(bufferSpec(name, fixtureBytes(`damaged/${name}`)));
  const keys = await reader.keys(id);
  if (noted !== undefined) {
    expect(notes.join(' ')).toContain(noted);
    expect(keys.map((key) => key.path)).toContain('t');
  }
  return id;
}

test.each(Object.entries(plan))('%s', async (name, damage) => {
  const reader = await makeEngine();
  if (damage.open !== undefined) {
    const error = await failure(openAndList(reader, name));
    expect(damage.open).toContain(error.code);
    expectTold(error);
    return;
  }
  const id = await openAndList(reader, name, damage.noted);
  if (damage.tree === undefined) {
    await readAll(reader, id);
    return;
  }
  if (damage.tree_error !== undefined) {
    const error = await failure(reader.tree(id, damage.tree));
    expect(damage.tree_error).toContain(error.code);
    expectTold(error);
    return;
  }
  const { tree: path, branch: hurt } = damage;
  const tree = await reader.tree(id, path);
  const results = await reader.arrays(id, { tree: path, branches: tree.branches.map((b) => b.index) });
  for (const { branch, error } of results) {
    if (branch.path !== hurt) expect(error, branch.path).toBeUndefined();
    else {
      expect(damage.branch_error).toContain(error?.code);
      expectTold(error as XylemError);
    }
  }
  expect(results.map((r) => r.branch.path)).toContain(hurt);
  const drawn = await reader.draw(id, { tree: path, branch: hurt ?? '' });
  expect(drawn.partial?.failed, 'a plot without a basket says so').toBeGreaterThan(0);
});

/** Everything that the keys name is read; whatever fails must be told. */
async function readAll(reader: EngineApi, id: number): Promise<void> {
  for (const key of await reader.keys(id)) {
    try {
      if (key.kind === 'tree') {
        const tree = await reader.tree(id, key.path);
        const branches = tree.branches.map((b) => b.index);
        for (const { error } of await reader.arrays(id, { tree: key.path, branches })) {
          if (error !== undefined) expectTold(error);
        }
      } else if (key.kind !== 'directory') await reader.object(id, `${key.path};${key.cycle}`);
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(XylemError);
      expectTold(thrown as XylemError);
    }
  }
}

test('a file that is truncated anywhere fails with an error, or is read up to its end', async () => {
  const whole = fixtureBytes('clusters');
  for (let length = 0; length < whole.length; length += 211) {
    const reader = await makeEngine();
    try {
      const { id } = await reader.open(bufferSpec('cut', whole.subarray(0, length)));
      await readAll(reader, id);
    } catch (thrown) {
      expect(thrown, `cut at ${length}`).toBeInstanceOf(XylemError);
      expectTold(thrown as XylemError);
    }
  }
});

test('a file with any byte inverted is read or fails with a message, and never hangs', async () => {
  const whole = fixtureBytes('clusters');
  for (let at = 4; at < whole.length; at += 97) {
    const hurt = whole.slice();
    hurt[at] = (hurt[at] ?? 0) ^ 0xff;
    const reader = await makeEngine();
    try {
      const { id } = await reader.open(bufferSpec('hurt', hurt));
      await readAll(reader, id);
    } catch (thrown) {
      expect(thrown, `byte ${at}`).toBeInstanceOf(XylemError);
      expectTold(thrown as XylemError);
    }
  }
});
