// Needs features: all.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Drawn, openRoot } from '../../web/node';
import { fixtureFolder } from '../engine/fixtures';
import { withReader } from '../engine-reader';
import { run } from './support';

/*
 * Entries that were asked for and are not there: each verb says so, and none shows 0, NaN, an empty list or an empty
 * histogram as if that were what the file holds. The rows are kinds of loss, the columns verbs; every file has a number y, a
 * list v, a text s and (trees only) an object o with the loss, and a whole branch x.
 */

const folder = mkdtempSync(join(tmpdir(), 'xylem-missing-'));
const selector = join(folder, 'selector.mjs');
const fixture = (name: string) => join(fixtureFolder, 'missing', `${name}.root`);
const reader = withReader();
/** Codes of errors of a loss. */
const TYPED = /^(ARGUMENT|CHECKSUM|COMPRESSION|CORRUPT|NOT_FOUND|NOT_ROOT|TRUNCATED)$/;

beforeAll(async () => {
  writeFileSync(
    selector,
    `export default {
      branches: { x: 'x', y: 'y' },
      begin: (job) => ({ y: job.hist([7, 0, 7]) }),
      process: ({ y }, out) => out.y.fill(y.values),
    };`,
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A copy of the whole file with other bytes. */
async function changed(
  name: string,
  tree: string,
  change: (view: DataView, basket: { offset: number; stored: number }, record: [number, number]) => void,
): Promise<string> {
  const path = join(folder, name);
  copyFileSync(fixture('whole'), path);
  const bytes = new Uint8Array(readFileSync(path));
  await using file = await openRoot(fixture('whole'), { reader });
  const layout = await reader.layout(file.info.id, tree);
  const view = new DataView(bytes.buffer);
  for (const branch of layout.tree.branches) {
    if (branch.path === 'x' || branch.kind === 'group') continue;
    const [from = 0, end = 0] = layout.basketStart.subarray(branch.index, branch.index + 2);
    const at = from + Math.floor((end - from) / 2);
    const [offset = 0, stored = 0] = [layout.offset[at], layout.storedBytes[at]];
    if (end > from) change(view, { offset, stored }, [layout.record.offset, layout.record.length]);
  }
  writeFileSync(path, bytes);
  return path;
}

/** Puts another place for a basket into the record of a tree. */
function moveTo(place: (offset: number) => number) {
  return (view: DataView, { offset }: { offset: number }, [start, length]: [number, number]): void => {
    let found = 0;
    for (let at = start; at < start + length - 8; at++) {
      if (view.getBigInt64(at) !== BigInt(offset)) continue;
      view.setBigInt64(at, BigInt(place(offset)));
      found++;
    }
    if (found !== 1) throw new Error(`The place ${offset} is ${found} times in the record.`);
  };
}

function zeroed(view: DataView, { offset, stored }: { offset: number; stored: number }): void {
  new Uint8Array(view.buffer).fill(0, offset, offset + stored);
}

/** Files with a loss, by what is lost. */
const TREES: Record<string, () => Promise<string> | string> = {
  'no basket': () => fixture('none'),
  'no basket, and no entry counted': () => fixture('unfilled'),
  'baskets for 40 of 60 entries': () => fixture('claimed'),
  '40 entries of 60 counted': () => fixture('short'),
  'a basket in the middle without a place': () =>
    changed(
      'hole.root',
      't',
      moveTo(() => 0),
    ),
  'a basket in the middle beyond the file': () =>
    changed(
      'beyond.root',
      't',
      moveTo(() => 1e9),
    ),
  'a basket in the middle of zeros': () => changed('zeroed.root', 't', zeroed),
  'the second file of a chain without baskets': () => `${fixture('whole')},${fixture('none')}`,
  'the second file of a chain short': () => `${fixture('whole')},${fixture('short')}`,
  'a file of a chain not there': () => `${fixture('whole')},${join(folder, 'nowhere.root')}`,
  'a file cut off': () => {
    const path = join(folder, 'cut.root');
    writeFileSync(path, readFileSync(fixture('whole')).subarray(0, 2500));
    return path;
  },
};

const NTUPLES: Record<string, () => Promise<string> | string> = {
  'a page of zeros': () => changed('page.root', 'n', zeroed),
  'a page list of zeros': async () => {
    const path = join(folder, 'list.root');
    const bytes = readFileSync(fixture('whole'));
    await using file = await openRoot(fixture('whole'), { reader });
    const { parts } = await reader.layout(file.info.id, 'n');
    for (const { name, offset, length } of parts)
      if (name.startsWith('page list')) bytes.fill(0, offset, offset + length);
    writeFileSync(path, bytes);
    return path;
  },
};

/** Lines of command with the file and the tree; of a tree also those of objects. */
const VERBS = (file: string, tree: string): string[][] => [
  ...[
    ['y'],
    ['x+y'],
    ['x', 'y==0'],
    ['x', 'Sum$(v)>=0'],
    ['v'],
    ['s'],
    ['y:x'],
    ['x>>h(4,0,60)', 'y>=0'],
  ].map((query) => ['draw', file, tree, ...query]),
  ...[['x:y'], ['x:v'], ['x:s'], ['x', 'y==0']].map((query) => [
    'scan',
    file,
    tree,
    ...query,
    '--limit',
    '1000',
  ]),
  ...['y', 'v', 's'].map((branch) => ['values', file, tree, '--branches', branch, '--entries', ':']),
  ['values', file, tree, '--branches', 'y,v,s', '--entries', ':', '--json'],
  ['values', file, tree, '--branches', 'x,y', '--entries', '15:200'],
  ['summary', file, tree, '--branches', 'y,v'],
  ['summary', file, tree, '--json'],
  ['process', selector, file, tree],
  ['export', file, tree, '--format', 'csv', '--out', join(folder, 'out.csv'), '--force'],
  [
    'export',
    file,
    tree,
    '--format',
    'jsonl',
    '--branches',
    's',
    '--out',
    join(folder, 'out.jsonl'),
    '--force',
  ],
  ...['y', 'x+y', 's'].map((plot) => ['wall', file, '--tree', tree, plot, '--json']),
  ['draw', file, tree, 'y>>h(7,0,7)', '--json'],
  ...(tree === 't'
    ? [
        ['draw', file, tree, 'o.fName'],
        ['draw', file, tree, 'x', 'o.fName!="name 3"'],
        ['scan', file, tree, 'x:o.fName', '--limit', '1000'],
        ['values', file, tree, '--branches', 'x,o', '--entries', ':'],
      ]
    : []),
];

/** Whether a verb says that something is missing: by an error with its code, or in the field of a result. */
function says(args: string[], { status, out, err }: { status: number; out: string; err: string }): boolean {
  if (/INTERNAL|CORE_LOST|There is no (function|branch|option)/.test(out + err)) return false;
  if (args.includes('--json') && /"(error|missing|partial)": ?["{]/.test(out)) return true;
  const named = /\[(ARGUMENT|CHECKSUM|COMPRESSION|CORRUPT|NOT_FOUND|NOT_ROOT|TRUNCATED)\]/.test(out + err);
  const isShort = args[0] === 'summary' && /has only \d+/.test(out);
  return isShort || (status === 1 && named);
}

async function silent(verbs: string[][]): Promise<string[]> {
  const found: string[] = [];
  for (const args of verbs) {
    const ran = await run(reader, ...args);
    if (!says(args, ran))
      found.push(`${args.join(' ')} -> ${ran.status}: ${(ran.err + ran.out).slice(0, 160)}`);
  }
  return found;
}

/** Kinds that a chain has only. */
const isChain = (name: string): boolean => name.includes('chain');

describe.each([
  ['t', TREES],
  ['n', NTUPLES],
] as const)('of %s', (tree, kinds) => {
  test.each(Object.entries(kinds))('%s: every verb says so', async (_, make) => {
    expect(await silent(VERBS(await make(), tree))).toEqual([]);
  });

  test.each(Object.entries(kinds).filter(([name]) => !isChain(name)))(
    '%s: results that add up say so, and so does their sum',
    async (_, make) => {
      const file = await make();
      const partial = join(folder, 'partial.json');
      const verbs = [
        ['draw', file, tree, 'y>>h(7,0,7)'],
        ['draw', file, tree, 'x>>h(4,0,60)', 'y>=0'],
        ['summary', file, tree, '--branches', 'y'],
        ['scan', file, tree, 'x', 'y==0'],
        ['process', selector, file, tree],
      ];
      for (const args of verbs) {
        rmSync(partial, { force: true });
        const read = await run(reader, ...args, '--partial', partial);
        const combined = await run(reader, 'combine', partial);
        const texts = [read, combined].map(({ err, out }) => err + out);
        expect.soft([args[0], says(args, read), texts[0]]).toEqual([args[0], true, texts[0]]);
        expect.soft([args[0], says(args, combined), texts[1]]).toEqual([args[0], true, texts[1]]);
      }
    },
  );

  test.each(Object.entries(kinds).filter(([name]) => !isChain(name) && !name.includes('cut off')))(
    '%s: calls of the library are typed errors, or tell a part',
    async (_, make) => {
      await using file = await openRoot(await make(), { reader });
      const found = await file.tree(tree).catch((error: unknown) => error);
      if (found instanceof Error) {
        expect(found).toMatchObject({ code: expect.stringMatching(TYPED) });
        return;
      }
      const there = found as Awaited<ReturnType<typeof file.tree>>;
      for (const name of ['y', 'v', 's', 'x+y', 'Sum$(v)']) {
        await expect
          .soft(there.arrays(['x', name]))
          .rejects.toMatchObject({ code: expect.stringMatching(TYPED) });
        await expect.soft(there.arrays([name])).rejects.toMatchObject({ code: expect.stringMatching(TYPED) });
        const chunks = async (): Promise<void> => {
          for await (const chunk of there.chunks(['x', name])) expect(Object.keys(chunk)).toHaveLength(2);
        };
        await expect.soft(chunks()).rejects.toMatchObject({ code: expect.stringMatching(TYPED) });
        const drawn = await there.draw(name).catch((error: unknown) => error);
        if (drawn instanceof Error) expect.soft(drawn).toMatchObject({ code: expect.stringMatching(TYPED) });
        else expect.soft(drawn).toMatchObject({ partial: { failed: expect.any(Number) } });
      }
    },
  );
});

describe.each([
  ['t', TREES],
  ['n', NTUPLES],
] as const)('together, of %s', (tree, kinds) => {
  test.each(Object.entries(kinds).filter(([name]) => !/list of zeros|cut off/.test(name)))(
    '%s: a drawing has what it has alone',
    async (_, make) => {
      await using file = await openRoot((await make()).split(','), { reader });
      const there = await file.tree(tree);
      const draws = [
        ...[
          { expr: 'x' },
          { expr: 'x', cut: 'y>=0' },
          { expr: 'x+1', cut: 'y>=0' },
          { expr: 'x', cut: 'x>3' },
        ],
        ...[{ expr: 'y+x' }, { expr: 'x', cut: 'Sum$(v)>=0' }, { expr: 'x+0' }, { expr: 'v' }],
      ].map((one) => ({ ...one, bins: 8, range: [0, 80] as [number, number] }));
      const numbers = (one: Drawn) => [[...one.counts], one.fills, one.partial !== undefined];
      const told = (error: unknown): string => (error as { code: string }).code;
      const alone = await Promise.all(
        draws.map(({ expr, ...more }) => there.draw(expr, more).then(numbers, told)),
      );
      const able = draws.filter((_one, i) => Array.isArray(alone[i]));
      expect(able.length).toBeGreaterThan(3);
      const drawn = (await there.draw(able)).map(numbers);
      expect(drawn).toEqual(alone.filter(Array.isArray));
      expect((await there.draw([...able].reverse())).map(numbers).reverse()).toEqual(drawn);
    },
  );
});

test('expressions of entries that a branch lacks have the error of the branch', async () => {
  await using file = await openRoot(fixture('short'), { reader });
  const tree = await file.tree('t');
  const firstOf = <T>(rows: AsyncIterable<T>) => rows[Symbol.asyncIterator]().next();
  const short = {
    code: 'ARGUMENT',
    message: "y has only 40 of the tree's 60 entries.",
    where: { path: 't/y' },
  };
  await expect.soft(tree.arrays('y')).rejects.toMatchObject(short);
  await expect.soft(tree.arrays(['y*2'])).rejects.toMatchObject(short);
  await expect.soft(tree.arrays(['x'], { cut: 'y>3' })).rejects.toMatchObject(short);
  await expect.soft(tree.entryNumbers('y>3')).rejects.toMatchObject(short);
  await expect.soft(firstOf(tree.chunks(['y+1']))).rejects.toMatchObject(short);
  await expect.soft(firstOf(tree.scan('y+1', { entries: [39, 41] }))).rejects.toMatchObject(short);
  for (const args of [['y*2'], ['x', 'y>3']]) {
    const { err } = await run(reader, 'export', fixture('short'), 't', ...args, '--format', 'csv');
    expect
      .soft(err)
      .toBe(`xylem: ${short.message} Leave it out, or ask for entries that all branches have. [ARGUMENT]\n`);
  }
});

test('the doctor finds what the record of the tree alone shows', async () => {
  for (const name of ['none', 'claimed']) {
    const { out } = await run(reader, 'doctor', fixture(name));
    expect(out).toMatch(
      /bad {2}.* {2}missing-entries in t\n {2}No basket holds [26]0 of the entries that y counts \(.*: 4\)/,
    );
  }
  expect((await run(reader, 'doctor', fixture('short'))).out).toContain(
    "y has 40 of the tree's 60 entries (branches with fewer: 4)",
  );
  expect((await run(reader, 'doctor', fixture('whole'))).out).not.toMatch(/missing-entries|short-branches/);
});

test('the doctor finds a tree that cannot be read', async () => {
  const list = await NTUPLES['a page list of zeros']?.();
  const record = join(folder, 'record.root');
  const bytes = readFileSync(fixture('whole'));
  const at = bytes.indexOf('numbers, lists, texts and objects', bytes.indexOf('TTree'));
  writeFileSync(record, bytes.fill(255, at + 40, at + 200));
  for (const [file = '', tree] of [
    [list, 'n'],
    [record, 't'],
  ]) {
    const { out } = await run(reader, 'doctor', file);
    expect.soft(out).toMatch(/^bad {2}.* {2}Laid out badly for reading: a tree whose description is damaged/);
    expect.soft(out).toContain(`unread-tree in ${tree}`);
  }
});

test('the check says how many entries the baskets hold', async () => {
  const { status, out } = await run(reader, 'check', fixture('none'));
  expect(status).toBe(1);
  expect(out).toMatch(/entries-mismatch .* The baskets of y hold 0 entries; the branch counts 60\./);
  expect(out).not.toContain('basket-damaged');
});

describe('what is there is read as ever', () => {
  const read = async (...args: string[]) => {
    const { status, out, err } = await run(reader, ...args);
    return [status, err.replace(/^more: .*\n/, ''), out];
  };

  test('branches that are whole', async () => {
    const whole = await read('values', fixture('whole'), 't', '--branches', 'x', '--entries', ':');
    for (const name of ['none', 'unfilled', 'claimed', 'short'])
      expect(await read('values', fixture(name), 't', '--branches', 'x', '--entries', ':')).toEqual(whole);
    expect((await run(reader, 'draw', fixture('none'), 't', 'x')).status).toBe(0);
  });

  test('entries that are within what a branch has', async () => {
    for (const args of [
      ['values', '--entries', '0:40'],
      ['values', '--entries', '0:40', '--json'],
      ['export', '--entries', '0:40', '--format', 'csv', '--branches', 'x,y,v,s'],
    ]) {
      const [verb = '', ...more] = args;
      const whole = await read(verb, fixture('whole'), 't', ...more);
      expect([args[0], ...whole.slice(0, 2)]).toEqual([args[0], 0, '']);
      for (const name of ['claimed', 'short'])
        expect(await read(verb, fixture(name), 't', ...more)).toEqual(whole);
    }
    for (const query of [['x+y'], ['y'], ['x', 'Sum$(v)>3'], ['s'], ['o.fName']]) {
      const whole = await read('draw', fixture('whole'), 't', ...query, '--entries', '5:40');
      expect([query, ...whole.slice(0, 2)]).toEqual([query, 0, '']);
      for (const name of ['claimed', 'short'])
        expect(await read('draw', fixture(name), 't', ...query, '--entries', '5:40')).toEqual(whole);
    }
  });

  test('values of entries that are there stand beside those that are not', async () => {
    const { status, out, err } = await run(
      reader,
      ...['values', fixture('short'), 't', '--branches', 'x,y,v,s,o', '--entries', '39:41'],
    );
    expect(status).toBe(1);
    expect(out).toBe(
      'entry\tx\ty\tv\ts\to\n39\t39\t4\t[39,39,39]\t"text 39"\t{"fName":"name 39","fTitle":""}\n40\t40\t?\t?\t?\t?\n',
    );
    expect(err.split('\n')).toHaveLength(5);
    expect(err).toContain("y has only 40 of the tree's 60 entries. [ARGUMENT]");
  });

  test('a sum over the entries that both have', async () => {
    const drawn = await run(reader, 'draw', fixture('short'), 't', 'x+y', '--json');
    const { fills, partial } = JSON.parse(drawn.out) as { fills: number; partial: unknown };
    expect(drawn.status).toBe(1);
    expect(partial).toMatchObject({ failed: 1, total: 6 });
    expect(fills).toBe(40);
  });
});

test('values of a chain name the file that lacks entries', async () => {
  const chain = `${fixture('whole')},${fixture('short')}`;
  const ran = await run(reader, 'values', chain, 't', '--branches', 'y', '--entries', '55:65');
  expect([ran.status, ran.err]).toEqual([0, '']);
  const { status, err } = await run(reader, 'values', chain, 't', '--branches', 'y', '--entries', '95:105');
  expect(status).toBe(1);
  expect(err).toContain("short.root: y has only 40 of the tree's 60 entries. [ARGUMENT]");
});

test('a digest of a branch that has fewer entries says so', async () => {
  const digest = (name: string, ...more: string[]) =>
    run(reader, 'values', fixture(name), 't', '--branches', 'x,y', '--digest', ...more);
  const { status, err, out } = await digest('short');
  expect([status, err]).toEqual([1, expect.stringContaining("y has only 40 of the tree's 60 entries.")]);
  expect(out).toMatch(/^y\t<f4\t40\t/m);
  const { branches } = JSON.parse((await digest('short', '--json')).out) as {
    branches: Record<string, { missing?: string }>;
  };
  expect(branches.y?.missing).toBe("y has only 40 of the tree's 60 entries.");
  expect(branches.x?.missing).toBeUndefined();
  const whole = await digest('whole');
  expect([whole.status, whole.err]).toEqual([0, '']);
});

test('a friend with a branch that lacks entries is told, one that is shorter as a whole has no values there', async () => {
  const friend = (name: string) => ['--friend', `f=${fixture(name)}#t`];
  for (const name of ['none', 'claimed', 'short', 'unfilled']) {
    for (const query of ['x+f.y', 'f.y']) {
      const ran = await run(reader, 'draw', fixture('whole'), 't', query, ...friend(name));
      expect.soft([name, query, ran.status, says(['draw'], ran)]).toEqual([name, query, 1, true]);
    }
    expect((await run(reader, 'draw', fixture('whole'), 't', 'x+f.x', ...friend(name))).status).toBe(0);
  }
});

describe('numbers of entries that a file only claims', () => {
  /** A copy of the whole file in which the tree, or also its branches, claim 2^52 entries; or its branches 2^60 bytes. */
  function claiming(what: 'tree' | 'branches' | 'bytes'): string {
    const path = join(folder, `claims-${what}.root`);
    const bytes = readFileSync(fixture('short'));
    const record = bytes.indexOf('numbers, lists, texts and objects');
    // fEntries of the tree are the first 60 behind its title; each branch has its own after the name and the settings.
    const end = bytes.indexOf('StreamerInfo', record);
    let first = true;
    for (let at = record; at < (end < 0 ? bytes.length : end) - 8; at++) {
      const number = bytes.readBigUInt64BE(at);
      const isTotal = what === 'bytes' && [290n, 435n, 946n].includes(number);
      if (!isTotal && (what === 'bytes' || number !== 60n || (what === 'tree' && !first))) continue;
      bytes.writeBigUInt64BE(isTotal ? 2n ** 60n : 2n ** 52n, at);
      first = false;
      at += 7;
    }
    if (first) throw new Error('Nothing was changed.');
    writeFileSync(path, bytes);
    return path;
  }

  test.each(['tree', 'branches', 'bytes'] as const)(
    'by the %s: no verb loops or reserves by them',
    async (what) => {
      const file = claiming(what);
      for (const args of [
        ['tree'],
        ['perf'],
        ['perf', '--json'],
        ['layout'],
        ['whatif'],
        ['map'],
        ['doctor'],
        ['doctor', '--deep'],
        ['summary'],
        ['check'],
        ['values', '--entries', ':'],
        ['values', '--json'],
        ['values', '--digest'],
        ['export', '--format', 'csv'],
      ]) {
        const [verb = '', ...more] = args;
        const ran = await run(reader, verb, file, ...more);
        expect([args, ran.err]).not.toEqual([args, expect.stringMatching(/INTERNAL|CORE_LOST|BUDGET/)]);
        expect(ran.out.length).toBeLessThan(10_000_000);
      }
      for (const query of [['x'], ['x+y'], ['x', 'y>3'], ['s']]) {
        const ran = await run(reader, 'draw', file, 't', ...query);
        expect(ran.err).not.toMatch(/INTERNAL|CORE_LOST|BUDGET/);
      }
      expect((await run(reader, 'diff', file, fixture('short'))).err).not.toMatch(
        /INTERNAL|CORE_LOST|BUDGET/,
      );
      expect((await run(reader, 'dataset', file)).err).not.toMatch(/INTERNAL|CORE_LOST|BUDGET/);
    },
    20_000,
  );
});

test('entries are not chosen of a tree while an RNTuple beside it is copied whole', async () => {
  const skim = (...more: string[]) =>
    run(reader, 'skim', fixture('whole'), join(folder, 'skim.root'), '--force', ...more);
  const refused = await skim('--cut', 'x<3');
  expect(refused.status).toBe(1);
  expect(refused.err).toContain('Entries can be chosen of one tree, and 2 are copied: t, n.');
  expect((await skim('--entries', '0:3')).status).toBe(1);
  const named = await skim('--cut', 'x<3', '--entries-of', 't');
  expect([named.status, named.err]).toEqual([0, expect.stringContaining(': 3 of 60 entries')]);
  expect((await skim('--cut', 'x<3', '--tree', 't')).status).toBe(0);
});
