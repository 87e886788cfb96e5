import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileId, TreeInfo } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { DigestBuilder } from '../../web/cli/digest';
import {
  awkwardSource,
  bufferSpec,
  canonicalRows,
  difference,
  fixtureBytes,
  type GoldenBranch,
  type GoldenTree,
  goldenNames,
  makeEngine,
  readGolden,
} from './fixtures';

/**
 * Branches ("file tree branch") that xylem cannot read yet. Each must fail with the code UNSUPPORTED and
 * leave the others alone; one that is read all of a sudden fails its test and must leave the list.
 */
const notYet = new Set<string>(
  JSON.parse(readFileSync(resolve(import.meta.dirname, 'not-yet.json'), 'utf8')) as string[],
);

/** The last entries that the second pass reads. */
const lastEntries = 7;

describe.each(goldenNames())('%s', (name) => {
  const golden = readGolden(name);
  const opened: { reader: EngineApi; id: FileId }[] = [];
  const plain = { reader: undefined as unknown as EngineApi, id: 0 };
  const awkward = { ...plain };

  beforeAll(async () => {
    for (const [file, wrap] of [
      [plain, undefined],
      [awkward, awkwardSource],
    ] as const) {
      file.reader = await makeEngine(wrap);
      file.id = (await file.reader.open(bufferSpec(name, fixtureBytes(name)))).id;
      opened.push(file);
    }
  });

  afterAll(async () => {
    for (const { reader, id } of opened) await reader.close(id);
  });

  test('keys', async () => {
    const line = (k: { path: string; cycle: number; title: string }, className: string) =>
      `${k.path};${k.cycle} ${className} ${k.title}`;
    const keys = await plain.reader.keys(plain.id);
    // ROOT names the class that it makes of a directory's key.
    const className = (name: string) => (name === 'TDirectory' ? 'TDirectoryFile' : name);
    expect(keys.map((k) => line(k, className(k.className))).sort()).toEqual(
      golden.keys.map((k) => line(k, k.class)).sort(),
    );
  });

  for (const [path, tree] of Object.entries(golden.trees)) {
    const listed = notYet.has(`${name} ${path}`);
    if (listed) {
      test(`${path} is not read yet`, async () => {
        await expect(plain.reader.tree(plain.id, path)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
      });
      continue;
    }

    test(`${path}: branches and entries`, async () => {
      const info = await plain.reader.tree(plain.id, path);
      expect(info.entries).toBe(tree.entries);
      expect(info.branches.map((b) => b.path)).toEqual(expect.arrayContaining(Object.keys(tree.branches)));
      expect(info.totalBytes).toBeGreaterThanOrEqual(0);
    });

    for (const [branch, want] of Object.entries(tree.branches)) {
      if (want.group) continue;
      test(`${path} ${branch}`, async () => {
        const missing = notYet.has(`${name} ${path} ${branch}`);
        await checkBranch(plain, path, tree, branch, want, missing);
        if (!missing) await checkBranch(awkward, path, tree, branch, want, false);
      });
    }

    for (const draw of tree.draws ?? []) {
      test(`${path}: histogram of ${draw.branch} as TTree::Draw fills it`, async () => {
        const { bins, low, high } = draw;
        const info = await plain.reader.tree(plain.id, path);
        const branch = indexOf(info, draw.branch);
        const h = await plain.reader.draw(plain.id, { tree: path, branch, bins, range: [low, high] });
        if (h.kind !== 'histogram') throw new Error(`a histogram was expected, not ${h.kind}`);
        expect(Array.from(h.sums)).toEqual([draw.underflow, ...draw.counts, draw.overflow]);
        expect(h).toMatchObject({
          nan: draw.nan,
          fills: draw.values,
          min: [draw.min],
          max: [draw.max],
          entries: tree.entries,
        });
        const close = (want: number, got: number) => difference(want, got, '', 1e-9);
        expect(close(draw.mean_inside, h.mean[0] ?? Number.NaN)).toBeUndefined();
        expect(close(draw.std_dev_inside, h.stdDev[0] ?? Number.NaN)).toBeUndefined();
      });
    }
  }
});

function indexOf(info: TreeInfo, path: string): number {
  const found = info.branches.filter((branch) => branch.path === path);
  expect(found, `branches of the path ${path}`).toHaveLength(1);
  return found[0]?.index ?? -1;
}

async function checkBranch(
  { reader, id }: { reader: EngineApi; id: FileId },
  path: string,
  tree: GoldenTree,
  branch: string,
  want: GoldenBranch,
  missing: boolean,
): Promise<void> {
  const index = indexOf(await reader.tree(id, path), branch);
  const n = tree.entries;
  for (const [from, to] of [
    [0, n],
    [Math.max(0, n - lastEntries), n],
  ] as const) {
    const [result] = await reader.arrays(id, { tree: path, branches: [index], entries: [from, to] });
    if (missing) {
      expect(result?.error, 'it can be read now: take it off the list').toMatchObject({
        code: 'UNSUPPORTED',
      });
      continue;
    }
    expect(result?.error).toBeUndefined();
    const column = result?.column;
    if (column === undefined) throw new Error('neither a column nor an error');
    expect(column.length).toBe(to - from);
    if (want.flat !== undefined) {
      const builder = new DigestBuilder();
      builder.add(column);
      expect(builder.finish()).toEqual(want.flat);
    } else {
      expect(difference(want.values?.slice(from, to) ?? null, canonicalRows(column))).toBeUndefined();
    }
  }
}
