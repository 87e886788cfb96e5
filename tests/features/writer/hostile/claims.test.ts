import { beforeAll, describe, expect, test } from 'vitest';
import { toXylemError } from '../../../../web/base/errors';
import { nodeModules } from '../../../../web/core/modules/node-modules';
import { branchesOf, objectsOf } from '../../../../web/features/writer/work/encode/tree-edit';
import type { ObjectData } from '../../../../web/features/writer/work/encode/types';
import { type MergeOptions, mergeFiles } from '../../../../web/features/writer/work/merge/merge-files';
import { salvageFile } from '../../../../web/features/writer/work/salvage/salvage';
import { HEAL_LEVELS, healFile } from '../../../../web/features/writer/work/verbs/heal';
import { skimFile } from '../../../../web/features/writer/work/verbs/skim';
import { treeClusters } from '../../../../web/model/layout';
import { memorySink } from '../../../../web/sinks/sink';
import { bufferSpec, fixtureBytes, makeEngine } from '../../../engine/fixtures';
import { withReader } from '../../../engine-reader';
import { bothModules } from '../module';
import { openMetadata, withKeys, withTrees } from './metadata';

type Data = ReturnType<typeof branchesOf>[number]['branch'];

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
let modules: Awaited<ReturnType<typeof bothModules>>;
beforeAll(async () => {
  writer = await nodeModules('write');
  modules = await bothModules();
});

/** A sink that refuses more bytes than any test may write: a loop that has no end must not fill the memory. */
function smallSink() {
  const sink = memorySink();
  return {
    ...sink,
    write: async (at: number, bytes: Uint8Array) => {
      if (at + bytes.length > 8e6) throw new Error('more than 8 MB were written');
      await sink.write(at, bytes);
    },
  };
}

const open = (bytes: Uint8Array) => reader.open(bufferSpec('claims.root', bytes));
const claim = (name: string, change: (tree: ObjectData) => void) =>
  withTrees(modules, fixtureBytes(name), change);
const options = () => ({ writer, name: 'new.root' });

/** Number of bytes that a command wrote, or the code and message of its error. */
async function bytesOrError(write: (sink: ReturnType<typeof smallSink>) => Promise<unknown>) {
  const sink = smallSink();
  try {
    await write(sink);
    return sink.bytes().length;
  } catch (thrown) {
    const { code, message } = toXylemError(thrown);
    return `${code} ${message}`;
  }
}

function merge(files: readonly Uint8Array[], schema: MergeOptions['schema']) {
  const sources = files.map((bytes, i) => ({
    name: `${i}.root`,
    open: async () => {
      const info = await reader.open(bufferSpec(`${i}.root`, bytes));
      return { reader, info, close: () => reader.close(info.id) };
    },
  }));
  return bytesOrError((sink) => mergeFiles(sources, sink, { ...options(), schema }));
}

/** The bytes that each command writes, or its error. */
async function commands(bytes: Uint8Array): Promise<Record<string, number | string>> {
  const info = await open(bytes);
  const heal = (level: (typeof HEAL_LEVELS)[number]) =>
    bytesOrError((sink) => healFile(reader, info, sink, { ...options(), level }));
  const done: Record<string, number | string> = {};
  for (const level of HEAL_LEVELS) done[level] = await heal(level);
  done.skim = await bytesOrError((sink) => skimFile(reader, info, sink, options()));
  done.codec = await bytesOrError((sink) =>
    skimFile(reader, info, sink, { ...options(), codec: { algorithm: 'zlib', level: 1 } }),
  );
  done.merge = await merge([bytes, bytes], 'strict');
  return done;
}

describe('a tree that claims entries that its baskets do not have', () => {
  const withoutBranches = (tree: ObjectData) => {
    for (const list of [tree.fBranches, tree.fLeaves]) Object.assign(list as object, { arr: [] });
  };

  test.each([2 ** 40, 2 ** 62])('is written by no command: %d', async (entries) => {
    const bytes = claim('clusters', (tree) => {
      tree.fEntries = BigInt(entries);
    });
    for (const [command, done] of Object.entries(await commands(bytes)))
      expect([command, done]).toEqual([
        command,
        expect.stringMatching(/^CORRUPT .*claims [\d,]+ entries, but its baskets have 180/),
      ]);
  });

  test.each([5, 2 ** 40])(
    'without branches is refused as what it is, by all commands: %d',
    async (entries) => {
      const lying = claim('clusters', (tree) => {
        withoutBranches(tree);
        tree.fEntries = BigInt(entries);
      });
      for (const [command, done] of Object.entries(await commands(lying)))
        expect([command, done]).toEqual([command, expect.stringMatching(/^UNSUPPORTED .*has no branches/)]);
      // It gets no zeros for the branches of other files.
      expect(await merge([lying, fixtureBytes('clusters')], 'union')).toMatch(
        /^UNSUPPORTED .*has no branches/,
      );
    },
  );

  test('in a branch is not believed either', async () => {
    const bytes = claim('clusters', (tree) => {
      for (const { branch } of branchesOf(tree)) branch.fEntries = BigInt(2 ** 62);
    });
    for (const [command, done] of Object.entries(await commands(bytes)))
      expect([command, done]).toEqual([command, expect.stringMatching(/^CORRUPT Branch .*baskets have 180/)]);
  });

  test.each([2 ** 40, 2 ** 62])('in a basket are more than a basket can have: %d', async (end) => {
    const bytes = claim('clusters', (tree) => {
      tree.fEntries = BigInt(end);
      for (const { branch } of branchesOf(tree)) {
        branch.fEntries = BigInt(end);
        const firsts = branch.fBasketEntry as BigInt64Array;
        firsts[Number(branch.fWriteBasket)] = BigInt(end);
      }
    });
    for (const [command, done] of Object.entries(await commands(bytes)))
      expect([command, done]).toEqual([
        command,
        expect.stringMatching(/^CORRUPT .*which no basket can have/),
      ]);
  });

  test('has no clusters that are counted one by one', () => {
    const none = {
      firstEntry: new Float64Array(0),
      autoFlush: 1,
      clusterRangeEnd: Float64Array.of(2 ** 62),
      clusterSize: Float64Array.of(2 ** 62),
    };
    expect(treeClusters(none as never, 2 ** 62 + 4096)).toEqual(new Float64Array(0));
  });
});

describe('a small file makes no large one', () => {
  /** The fixture with a branch of this name and this number of elements in an entry in place of its first. */
  const withBranch = (name: string, elements: number) =>
    claim('clusters', (tree) => {
      const [first] = branchesOf(tree);
      const [leaf] = objectsOf(first?.branch ?? {}, 'fLeaves');
      Object.assign(first?.branch ?? {}, { fName: name, fTitle: `${name}[${elements}]/F` });
      Object.assign(leaf ?? {}, { fName: name, fTitle: `${name}[${elements}]`, fLen: elements });
    });

  test('by zeros of a branch that a file lacks: the branch is named', async () => {
    const done = await merge([fixtureBytes('clusters'), withBranch('large', 4_250_000)], 'union');
    expect(done).toMatch(/^UNSUPPORTED 0.root: Branch large of t .*more than/);
    expect(await merge([fixtureBytes('clusters'), withBranch('small', 10)], 'union')).toBeLessThan(60_000);
  });

  test.each([2 ** 28, -1])('by an entry that a branch claims: %d elements', async (elements) => {
    const done = await merge([fixtureBytes('clusters'), withBranch('large', elements)], 'union');
    expect(done).toMatch(/^UNSUPPORTED 0.root: Branch large .*bytes in an entry/);
  });

  test('by zeros whose lengths a counter says', async () => {
    const many = claim('arrays', (tree) => {
      for (const { branch } of branchesOf(tree))
        for (const leaf of objectsOf(branch, 'fLeaves')) if (leaf.fLeafCount) leaf.fLen = 1_000_000;
    });
    const lacking = claim('arrays', (tree) => {
      const isCounted = (one: Data) => objectsOf(one, 'fLeaves').some(({ fLeafCount }) => fLeafCount);
      const kept = branchesOf(tree).flatMap(({ branch }) => (isCounted(branch) ? [] : [branch]));
      Object.assign(tree.fBranches as object, { arr: kept });
      Object.assign(tree.fLeaves as object, { arr: kept.flatMap((branch) => objectsOf(branch, 'fLeaves')) });
    });
    expect(await merge([many, lacking], 'union')).toMatch(
      /^UNSUPPORTED 1.root: Branch counted_\w+ of t .*more than/,
    );
  });

  test('by bytes that branches claim: baskets are cut by what is stored', async () => {
    const bytes = claim('clusters', (tree) => {
      for (const { branch } of branchesOf(tree)) branch.fTotBytes = BigInt(2 ** 62);
    });
    const info = await open(bytes);
    const done = await bytesOrError((sink) =>
      healFile(reader, info, sink, { ...options(), level: 'rebasket' }),
    );
    expect(done).toBeLessThan(2 * bytes.length);
  });

  test('by clusters of fewer bytes than the keys in them', async () => {
    const bytes = fixtureBytes('leaves');
    const info = await open(bytes);
    const done = await bytesOrError((sink) =>
      healFile(reader, info, sink, { ...options(), level: 'rebasket', clusterBytes: 1 }),
    );
    expect(done).toBeLessThan(2 * bytes.length);
  });

  test('by baskets that all branches name', async () => {
    const bytes = claim('arrays', (tree) => {
      const branches = branchesOf(tree).map(({ branch }) => branch);
      const sizeOf = ({ fBasketBytes }: Data) => Math.max(...(fBasketBytes as Int32Array));
      const first = branches.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
      const members = ['fBasketSeek', 'fBasketBytes', 'fBasketEntry', 'fWriteBasket', 'fMaxBaskets'];
      for (const branch of branches) {
        for (const name of members) branch[name] = first?.[name] ?? null;
        Object.assign(branch.fBaskets as object, { arr: [] });
      }
    });
    const done = await commands(bytes);
    expect(done).toMatchObject({
      order: expect.any(Number),
      codec: expect.any(Number),
      merge: expect.any(Number),
    });
    const { rebasket, ...others } = done;
    expect(rebasket).toEqual(expect.any(String));
    for (const size of Object.values(others)) expect(size).toBeLessThan(2 * bytes.length);
  });

  test('by keys that name one record', async () => {
    const keys = 50;
    const bytes = withKeys(modules, fixtureBytes('graphs'), keys);
    const info = await open(bytes);
    expect(await reader.keys(info.id)).toHaveLength(keys);
    const done = await commands(bytes);
    expect(done).toMatchObject({ order: expect.any(Number), merge: expect.any(Number) });
    for (const size of Object.values(done)) expect(size).toBeLessThan(2 * bytes.length);
    const named = await open(withKeys(modules, fixtureBytes('clusters'), 20, 't'));
    const toNtuple = (sink: ReturnType<typeof smallSink>) =>
      skimFile(reader, named, sink, { ...options(), to: 'rntuple' });
    expect(await bytesOrError(toNtuple)).toMatch(/^CORRUPT .* names the record at byte .* another key names/);
    // It is decoded once, also by salvage, which checks a file first.
    expect((await reader.check(info.id)).counts).toMatchObject({ keys, objects: 1 });
    const { lost } = await salvageFile(reader, info, memorySink(), options());
    expect(lost.filter(({ why }) => why.startsWith('The cycle of'))).toHaveLength(keys - 1);
  });
});

test('a tree whose branches lack their sums is refused with a type, and left out by salvage', async () => {
  // The description of TBranch has no fTotBytes any more.
  const { bytes } = openMetadata(modules, fixtureBytes('clusters'), ({ name, object }) => {
    if (name !== 'StreamerInfo') return undefined;
    const changed = Buffer.from(object);
    changed[changed.lastIndexOf('fTotBytes')] = 0x67;
    return new Uint8Array(changed);
  });
  const { skim, order, rebasket } = await commands(bytes);
  for (const done of [skim, order, rebasket]) expect(done).toMatch(/^CORRUPT .*fTotBytes would be NaN/);
  const sink = memorySink();
  const { lost, verify } = await salvageFile(reader, await open(bytes), sink, options());
  await verify(await open(sink.bytes()));
  expect(lost.map(({ why }) => why)).toEqual(expect.arrayContaining([expect.stringContaining('fTotBytes')]));
});

test('a branch without the baskets of its entries is named when its tree becomes an RNTuple', async () => {
  const bytes = claim('clusters', (tree) => {
    const branch = branchesOf(tree)[0]?.branch ?? {};
    branch.fWriteBasket = 0;
  });
  const info = await open(bytes);
  const done = await bytesOrError((sink) => skimFile(reader, info, sink, { ...options(), to: 'rntuple' }));
  expect(done).toMatch(/^CORRUPT The baskets of x have fewer entries/);
});

test('baskets that all lie at one place are not written again and again', async () => {
  const bytes = claim('clusters', (tree) => {
    const places = branchesOf(tree).flatMap(({ branch }) => {
      const [seek, size] = [branch.fBasketSeek, branch.fBasketBytes] as [BigInt64Array, Int32Array];
      return Array.from(size, (length, i) => ({ at: seek[i] ?? 0n, length }));
    });
    const largest = places.reduce((a, b) => (b.length > a.length ? b : a));
    for (const { branch } of branchesOf(tree)) {
      for (let i = 0; i < Number(branch.fWriteBasket); i++) {
        (branch.fBasketSeek as BigInt64Array)[i] = largest.at;
        (branch.fBasketBytes as Int32Array)[i] = 4 * largest.length;
      }
    }
  });
  const info = await open(bytes);
  const skim = bytesOrError((sink) => skimFile(reader, info, sink, { ...options(), entries: [1, 300] }));
  expect(await skim).toMatch(/CORRUPT .*lie over each other/);
});
