import { inspect } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { objectsOf } from '../../../web/features/writer/work/encode/tree-edit';
import type { ObjectData } from '../../../web/features/writer/work/encode/types';
import { treePart } from '../../../web/features/writer/work/salvage/tree-part';
import { skimFile } from '../../../web/features/writer/work/verbs/skim';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, fixtureBytes, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { VERBS, valuesOf } from './all-verbs';
import { changedTree, closedCopy } from './changed';
import { bothModules, recordsOf } from './module';

const reader = withReader(makeEngine);
let writer: WebAssembly.Module;
let modules: Awaited<ReturnType<typeof bothModules>>;
beforeAll(async () => {
  writer = await nodeModules('write');
  modules = await bothModules();
});

/** Writes a file in one way, and compares the values of a tree with those of the source. */
async function compared(verb: (typeof VERBS)[number], bytes: Uint8Array<ArrayBuffer>, path: string) {
  const before = await valuesOf(reader, bytes, path);
  const written = await verb.write({ reader, writer, bytes });
  const after = await valuesOf(reader, written.bytes, path);
  expect([...after.keys()]).toEqual([...before.keys()]);
  expect(before.size).toBeGreaterThan(0);
  for (const [branch, rows] of before)
    expect(after.get(branch), branch).toEqual(verb.entries(rows.length).map((entry) => rows[entry]));
  return written;
}

describe('a record that also holds a basket that the file has', () => {
  let stale: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    const source = await closedCopy(reader, writer, fixtureBytes('crashed'));
    let copies = 0;
    stale = await changedTree(reader, modules, source, 't', (tree) => {
      for (const branch of objectsOf(tree, 'fBranches')) {
        const list = (branch.fBaskets as { arr: (ObjectData | null)[] }).arr;
        const last = list.at(-1);
        if (list.length < 2 || !last) continue;
        const old = structuredClone(last);
        // The data come last in it: the copy has another value.
        const bytes = old.$basket as Uint8Array;
        bytes[bytes.length - 1] = 1 ^ (bytes.at(-1) ?? 0);
        list[list.length - 2] = old;
        copies++;
      }
    });
    expect(copies).toBeGreaterThan(2);
    expect(await valuesOf(reader, stale, 't')).toEqual(await valuesOf(reader, source, 't'));
  });

  test.each(VERBS)('$name takes the one of the file', async (verb) => {
    const { lost } = await compared(verb, stale, 't');
    expect(lost).toEqual([]);
  });
});

describe('a stored TChain', () => {
  const chainOf = async (bytes: Uint8Array) => {
    const { id } = await reader.open(bufferSpec('chain', bytes));
    const chain = await reader.object(id, 'chain');
    await reader.close(id);
    return chain;
  };

  test.each(VERBS)('$name copies it as an object', async (verb) => {
    const bytes = fixtureBytes('written/chain').slice();
    const before = await chainOf(bytes);
    expect(inspect(before.fFiles, { depth: 4 })).toContain('two.root');
    const { bytes: after, lost } = await compared(verb, bytes, 't');
    const line = expect.stringMatching(/^chain of one.root is not added: .*TChain.* kept as a cycle\.$/);
    expect(lost).toEqual(verb.name === 'merge' ? [line] : []);
    expect(await chainOf(after)).toEqual(before);
  });
});

describe('baskets of a branch in another file', () => {
  /** The name of the file, and the places of its baskets there. */
  const places = (bytes: Uint8Array) => {
    const { records, classes } = recordsOf(modules, bytes);
    const key = records.findLast(({ className }) => className === 'TTree');
    if (!key) throw new Error('there is no tree');
    const tree = classes.read(bytes.subarray(key.at, key.at + key.nbytes));
    classes.free();
    const far = objectsOf(tree, 'fBranches').find(({ fName }) => fName === 'far');
    return [far?.fFileName, far?.fEntries, far?.fWriteBasket, far?.fBasketSeek, far?.fBasketEntry].map(
      String,
    );
  };
  const moving = new Set(['skim --entries', 'skim --cut', 'merge']);

  test.each(VERBS.filter(({ name }) => !moving.has(name)))(
    '$name keeps their places and says so',
    async (verb) => {
      const bytes = fixtureBytes('edges/elsewhere').slice();
      const { bytes: after, notes } = await compared(verb, bytes, 't');
      expect(notes).toContain(
        't;1: baskets of far lie in another file, "other.root", which is not copied: it is still needed',
      );
      expect(places(after)).toEqual(places(bytes));
      expect(places(after)[0]).toBe('other.root');
    },
  );

  test.each(VERBS.filter(({ name }) => moving.has(name)))('$name refuses them', async (verb) => {
    const bytes = fixtureBytes('edges/elsewhere').slice();
    await expect(verb.write({ reader, writer, bytes })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('"t/far" lie in another file, "other.root"'),
    });
  });

  test('salvage leaves the branch out where entries of others are lost', async () => {
    const { id } = await reader.open(bufferSpec('clusters', fixtureBytes('clusters')));
    const layout = await reader.layout(id, 't');
    const [far, damaged] = layout.tree.branches;
    if (!far || !damaged) throw new Error('there are too few branches');
    far.otherFile = 'other.root';
    const finding = { severity: 'error', rule: 'basket-damaged', message: 'damaged' } as const;
    const { part, losses } = treePart(layout, [{ ...finding, path: `t/${damaged.path}`, entries: [25, 50] }]);
    expect(part?.without).toEqual(new Set([far.index]));
    expect(part?.chosen?.bounds(0, layout.tree.entries)?.rows).toBe(layout.tree.entries - 25);
    expect(losses.map(({ branches }) => branches)).toEqual([[damaged.path], [far.path]]);
    expect(treePart(layout, [])).toEqual({ losses: [] });
  });
});

describe('entries with pointers', () => {
  /** The baskets that list where their entries were before (fDisplacement), of all. */
  const displaced = (bytes: Uint8Array): [displaced: number, baskets: number] => {
    const { records, classes } = recordsOf(modules, bytes);
    const baskets = records.filter(({ className }) => className === 'TBasket');
    let found = 0;
    for (const { at, nbytes, keylen } of baskets) {
      const record = bytes.subarray(at, at + nbytes);
      const view = new DataView(record.buffer, record.byteOffset, keylen);
      const [entries, last] = [view.getInt32(keylen - 9), view.getInt32(keylen - 5)];
      // The data and one table: a count, an offset for each entry, and a last number.
      if (classes.unpack(record).length > last - keylen + 4 * (entries + 2)) found++;
    }
    classes.free();
    return [found, baskets.length];
  };

  // ROOT takes null pointers of entries that are listed so for others, and crashes.
  test.each(VERBS)(
    '$name keeps null pointers, and references where they are read without a list',
    async (verb) => {
      const bytes = fixtureBytes('written/pointers').slice();
      const { bytes: after, lost } = await compared(verb, bytes, 't');
      expect(lost).toEqual([]);
      const [found, baskets] = displaced(after);
      expect(found).toBe(0);
      expect(baskets).toBeGreaterThan(5);
    },
  );

  test('entries whose pointers cannot be found are not moved', async () => {
    // The list of streamer infos names another class in place of TNamed, which the entries hold by pointers.
    const plain = memorySink();
    const source = await reader.open(bufferSpec('pointers', fixtureBytes('written/pointers')));
    const codec = { algorithm: 'none', level: 0 } as const;
    await skimFile(reader, source, plain, { writer, name: 'plain.root', codec });
    const bytes = Buffer.from(plain.bytes());
    const named = Buffer.from('\xff\xff\xff\xffTNamed\0', 'latin1');
    let renamed = 0;
    for (let at = bytes.indexOf(named); at >= 0; at = bytes.indexOf(named, at + 1)) {
      bytes.write('TWrong', at + 4, 'latin1');
      renamed++;
    }
    expect(renamed).toBeGreaterThan(20);
    for (const { name, write } of VERBS) {
      const moves = /entries|cut|rebasket/.test(name);
      const written = write({ reader, writer, bytes: new Uint8Array(bytes) });
      if (!moves) await expect(written, name).resolves.toBeDefined();
      else
        await expect(written, name).rejects.toMatchObject({
          code: 'UNSUPPORTED',
          message: expect.stringMatching(
            /Entries of "t\/(array|list)" cannot be moved to other baskets: .*TWrong/,
          ),
        });
    }
  });
});
