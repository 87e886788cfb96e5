// Needs features: all.
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../web/cli/commands/list';
import { fileSink, mergeRoot, openReader, openRoot } from '../../web/node';
import { saveFile } from '../../web/sinks/node-save-file';
import { fixtureBytes, makeEngine } from '../engine/fixtures';
import { withReader } from '../engine-reader';
import { lacks } from '../needs';
import { run } from './support';

const folder = mkdtempSync(join(tmpdir(), 'xylem-outputs-'));
const at = (name: string) => join(folder, name);
const source = fixtureBytes('clusters');
const reader = withReader(makeEngine);
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(at(name), { recursive: true });
  writeFileSync(at('in.root'), source);
  writeFileSync(at('other.root'), source);
});
afterAll(() => rmSync(folder, { recursive: true }));

const opened: number[] = [];
afterAll(() => {
  for (const file of opened) closeSync(file);
});

/** Names of one file: its own, a hard link, a symbolic link to a link, and that of an open file. */
function namesOf(path: string): string[] {
  const [hard, soft] = [at('hard'), at('soft')];
  for (const name of [hard, soft]) rmSync(name, { force: true });
  linkSync(path, hard);
  symlinkSync(hard, soft);
  const names = [path, hard, soft];
  if (!existsSync('/dev/fd')) return names;
  opened.push(openSync(path, 'r'));
  return [...names, `/dev/fd/${opened.at(-1)}`];
}

/**
 * Words of a command line for each command with outputs. "IN" stands for the input, a ROOT file within a file that is none,
 * because ROOT files are replaced by no other output anyway.
 */
const WORDS: Record<string, string[]> = {
  calc: ['h', '--file', 'IN', '--force'],
  calibrate: [],
  check: ['IN'],
  combine: ['partial.json', '--force'],
  dataset: ['IN'],
  process: ['sel.mjs', 'IN', 't', '--force'],
  doctor: ['IN'],
  diff: ['IN', 'other.root'],
  draw: ['IN', 't', 'x', '--hist', '10,0,10', '--force'],
  cutflow: ['IN', 't', 'x>3'],
  entry: ['IN', 't', '1'],
  export: ['IN', 't', '--force', '--format', 'csv'],
  fleet: ['model.json'],
  heal: ['IN', 'new.root'],
  hist: ['IN', 't', 'x', '--hist', '10,0,10', '--force'],
  keys: ['IN'],
  layout: ['IN', 't'],
  ls: ['IN'],
  map: ['IN'],
  merge: ['new.root', 'IN'],
  object: ['IN', 't'],
  perf: ['IN', 't'],
  plan: ['IN', 't'],
  salvage: ['IN', 'new.root'],
  scan: ['IN', 't', 'x'],
  skim: ['IN', 'new.root'],
  summary: ['IN', 't'],
  tree: ['IN', 't'],
  types: ['IN'],
  values: ['IN', 't'],
  wall: ['IN', '--reference', 'other.root'],
  whatif: ['IN', 't'],
};
describe('two outputs of a command are two files', () => {
  test('every pair of options, under each name of a file that is there, or is not', async () => {
    mkdirSync(at('sub'));
    symlinkSync(at('sub'), at('way'));
    writeFileSync(at('there'), 'text');
    linkSync(at('there'), at('hard'));
    symlinkSync('there', at('soft'));
    const names = [
      [at('new'), `${folder}/./new`, `${at('sub')}/../new`],
      [at('sub/new'), at('way/new')],
      [at('there'), at('hard'), at('soft')],
    ];
    let tried = 0;
    for (const [name, { load }] of Object.entries(commands)) {
      const { options } = await load();
      const outputs = Object.entries(options).filter(([, { value, keeps }]) => value === 'OUT' && !keeps);
      const words = (WORDS[name] ?? ['IN']).map((word) => (word === 'IN' ? at('in.root') : word));
      for (const [i, [one]] of outputs.entries())
        for (const [other] of outputs.slice(0, i)) {
          const [first = '', ...more] = names[tried % names.length] ?? [];
          const second = more[tried % more.length] ?? '';
          const { status, err } = await run(reader, name, ...words, `--${one}`, first, `--${other}`, second);
          expect([name, one, other, status, err]).toEqual([
            ...[name, one, other, 2],
            expect.stringContaining('name the same file'),
          ]);
          tried++;
        }
    }
    expect(tried).toBeGreaterThan(20);
    expect(existsSync(at('new')) || existsSync(at('sub/new'))).toBe(false);
    expect(readFileSync(at('there'), 'utf8')).toBe('text');
  });

  test.each([
    ['heal', ['IN', 'OUT']],
    ['skim', ['IN', 'OUT']],
    ['salvage', ['IN', 'OUT']],
    ['merge', ['OUT', 'IN']],
  ])('the word OUT of %s and an option, which is a link to the new file', async (name, words) => {
    symlinkSync(at('new.root'), at('link'));
    const line = words.map((word) => at(word === 'IN' ? 'in.root' : 'new.root'));
    const { status, err } = await run(reader, name, ...line, '--trace', at('link'));
    expect([status, err]).toEqual([2, expect.stringContaining('OUT and --trace name the same file')]);
    expect(existsSync(at('new.root'))).toBe(false);
  });

  test('devices take several outputs, and an option that is given twice counts once', async () => {
    const words = ['whatif', at('in.root'), 't'];
    const twice = await run(reader, ...words, '--svg', '/dev/null', '--report', '/dev/null');
    expect(twice).toMatchObject({ status: 0 });
    const again = await run(reader, ...words, '--report', at('a'), '--report', at('a'));
    expect(again).toMatchObject({ status: 0 });
  });
});

describe('no output of any command is written over an input', () => {
  test('every option that names an output, under each name of the file', async () => {
    const outer = Buffer.concat([Buffer.alloc(16), source]);
    writeFileSync(at('outer.bin'), outer);
    await run(reader, 'draw', at('in.root'), 't', 'x', '--hist', '10,0,10', '--partial', at('partial.json'));
    const partial = readFileSync(at('partial.json'));
    writeFileSync(
      at('sel.mjs'),
      `export default {
      branches: { x: 'x' }, begin: (job) => ({ h: job.hist([10, 0, 10]) }), process() {},
    };`,
    );
    let tried = 0;
    for (const [name, { load }] of Object.entries(commands)) {
      const { options } = await load();
      const outputs = Object.entries(options).filter(([, { value, updated }]) => value === 'OUT' || updated);
      if (outputs.length === 0 || ['calibrate', 'corrections', 'fleet', 'probe'].includes(name)) continue;
      const words = WORDS[name] ?? ['IN'];
      for (const [option] of outputs) {
        const input = words.includes('partial.json') ? at('partial.json') : at('outer.bin');
        for (const target of namesOf(input)) {
          const line = words.map((word) =>
            word === 'IN' ? `${input}@16` : /\./.test(word) ? at(word) : word,
          );
          const { status, err } = await run(reader, name, ...line, `--${option}`, target);
          expect([name, option, status, err]).toEqual([
            name,
            option,
            2,
            expect.stringContaining('is also an input'),
          ]);
          tried++;
        }
      }
    }
    expect(tried).toBeGreaterThan(100);
    expect(Buffer.compare(readFileSync(at('outer.bin')), outer)).toBe(0);
    expect(Buffer.compare(readFileSync(at('partial.json')), partial)).toBe(0);
  }, 60_000);

  test.each([
    ['heal', ['IN', 'OUT', '--force']],
    ['salvage', ['IN', 'OUT', '--force']],
    ['skim', ['IN', 'OUT', '--force']],
    ['skim', ['IN', 'other.root', 'OUT', '--force']],
    ['merge', ['OUT', 'other.root', 'IN', '--force']],
    ['merge', ['OUT', 'other.root', '@list.txt', '--force']],
    ['export', ['other.root,IN', 't', '--force', '-o', 'OUT']],
    ['draw', ['other.root', 't', 'x', '--friend', 'f=IN', '--force', '--root', 'OUT']],
  ])('%s %j', async (name, words) => {
    writeFileSync(at('list.txt'), `${at('in.root')}\n`);
    for (const target of namesOf(at('in.root'))) {
      const line = words.map((word) =>
        word
          .replace(/\b(other\.root|list\.txt)/, (file) => at(file))
          .replace(/\bIN$/, at('in.root'))
          .replace(/^OUT$/, target),
      );
      const { status, err } = await run(reader, name, ...line);
      expect([status, err]).toEqual([2, expect.stringContaining('is also an input')]);
    }
    expect(Buffer.compare(readFileSync(at('in.root')), source)).toBe(0);
  });

  test.each([
    ['draw', ['friends.root', 't', 'f.EXPR', '--force', '--root', 'friends_number.root']],
    ['draw', ['friends.root', 't', 'f.EXPR', '--layer', 'cut=1', '--force', '--root', 'friends_number.root']],
    ['export', ['friends.root', 't', 'f.EXPR', '--force', '-o', 'friends_number.root']],
    ['export', ['*.root', 't', 'f.EXPR', '--force', '-o', 'friends_index.root']],
  ])('the file of a friend that a tree names: %s %j', async (name, words) => {
    mkdirSync(at('f'));
    const files = resolve(import.meta.dirname, '../query/files');
    for (const file of ['friends', 'friends_number', 'friends_index'])
      copyFileSync(join(files, `${file}.root`), at(`f/${file}.root`));
    const output = words.at(-1) ?? '';
    const line = words.map((word) => (/\.root$/.test(word) ? at(`f/${word}`) : word.replace('EXPR', 'x')));
    const { status, err } = await run(reader, name, ...line);
    expect([status, err]).toEqual([2, expect.stringContaining('is also an input')]);
    expect(readFileSync(at(`f/${output}`))).toEqual(readFileSync(join(files, output)));
  });

  test('the model of a fleet', async () => {
    const { status, err } = await run(reader, 'fleet', at('model.json'), '--svg', at('model.json'));
    expect([status, err]).toEqual([1, expect.stringContaining('model.json')]);
    writeFileSync(at('model.json'), '{}');
    for (const target of namesOf(at('model.json'))) {
      const found = await run(reader, 'fleet', at('model.json'), '--svg', target);
      expect([found.status, found.err]).toEqual([2, expect.stringContaining('is also an input')]);
    }
    expect(readFileSync(at('model.json'), 'utf8')).toBe('{}');
  });

  test('a list of a plan does not replace the list of its files', async () => {
    mkdirSync(at('tasks'));
    const list = at('tasks/task-0001.txt');
    writeFileSync(list, `${at('in.root')}\n`);
    const { status, err } = await run(reader, 'plan', `@${list}`, 't', '--out', at('tasks'));
    expect([status, err]).toEqual([2, expect.stringContaining('--out is also an input')]);
    expect(readFileSync(list, 'utf8')).toBe(`${at('in.root')}\n`);
  });

  test('a file sink refuses what is read for it', async () => {
    const local = await openReader({ workers: 0 });
    const file = await openRoot(at('in.root'), { reader: local });
    for (const target of namesOf(at('in.root'))) {
      const sink = () => fileSink(target, { replace: true });
      const refused = { code: 'ARGUMENT', message: expect.stringContaining('is also an input') };
      await expect(file.heal(sink())).rejects.toMatchObject(refused);
      await expect(file.skim(sink())).rejects.toMatchObject(refused);
      await expect(
        mergeRoot([at('other.root'), at('in.root')], sink(), { reader: local }),
      ).rejects.toMatchObject(refused);
    }
    await file.close();
    local.terminate();
    expect(Buffer.compare(readFileSync(at('in.root')), source)).toBe(0);
  });
});

test('a file in the folder of shared memory is a file like others, and no stream', async () => {
  const shared = mkdtempSync('/dev/shm/xylem-outputs-');
  const path = join(shared, 'in.root');
  writeFileSync(path, source);
  const { status, err } = await run(reader, 'heal', path, path);
  expect([status, err]).toEqual([2, expect.stringContaining('is also an input')]);
  expect((await run(reader, 'skim', at('in.root'), path)).status).toBe(2);
  expect(readFileSync(path)).toEqual(Buffer.from(source));
  rmSync(shared, { recursive: true });
});

describe('a file that is there is kept', () => {
  test.each([
    ['heal', ['in.root', 'OUT']],
    ['salvage', ['in.root', 'OUT']],
    ['skim', ['in.root', 'OUT']],
    ['skim', ['in.root', 'other.root', 'OUT']],
    ['skim', ['in.root', 'OUT', '--to', 'rntuple']],
    ['merge', ['OUT', 'in.root', 'other.root']],
    ['merge', ['OUT', 'in.root', 'other.root', '--resume']],
    ['export', ['in.root', 't', '-o', 'OUT', '--format', 'csv']],
    ['export', ['in.root', 't', '-o', 'OUT', '--format', 'root']],
    ['draw', ['in.root', 't', 'x', '--root', 'OUT']],
  ])('%s %j, unless --force is given or it is empty', async (name, words) => {
    const out = at('precious');
    const line = words.map((word) => (word === 'OUT' ? out : /\.root$/.test(word) ? at(word) : word));
    writeFileSync(out, 'precious');
    const { status, err } = await run(reader, name, ...line);
    expect([status, err]).toEqual([2, expect.stringMatching(/exists already.*--force/)]);
    expect(readFileSync(out, 'utf8')).toBe('precious');
    expect((await run(reader, name, ...line, '--force')).status).toBe(0);
    const made = readFileSync(out);
    expect(made.length).toBeGreaterThan(8);
    writeFileSync(out, '');
    expect((await run(reader, name, ...line)).status).toBe(0);
    expect(statSync(out).size).toBe(made.length);
    expect(readdirSync(folder).sort()).toEqual(['in.root', 'other.root', 'precious']);
  });

  test('--in-place replaces its input without --force', async () => {
    expect((await run(reader, 'heal', at('in.root'), '--in-place')).status).toBe(0);
    expect((await run(reader, 'heal', at('in.root'), '--in-place', '--force')).status).toBe(2);
  });

  test.each(['--svg', '--csv', '--partial', '--trace'])(
    'a ROOT file by %s, which replaces others',
    async (option) => {
      const line = ['draw', at('in.root'), 't', 'x', '--hist', '10,0,10', option];
      const command = option === '--trace' ? [...line.slice(0, 4), option] : line;
      const { status, err } = await run(reader, ...command, at('other.root'));
      expect([status, err]).toEqual([2, expect.stringContaining('is a ROOT file')]);
      expect(Buffer.compare(readFileSync(at('other.root')), source)).toBe(0);
      writeFileSync(at('old'), 'old');
      expect((await run(reader, ...command, at('old'))).status).toBe(0);
      expect(readFileSync(at('old'), 'utf8')).not.toBe('old');
    },
  );

  test('by a file sink, unless it may replace', async () => {
    const file = await openRoot(at('in.root'), { workers: 0 });
    await expect(file.skim(fileSink(at('other.root')))).rejects.toMatchObject({
      code: 'ARGUMENT',
      message: expect.stringContaining('exists already'),
      fix: expect.stringContaining('replace: true'),
    });
    expect(Buffer.compare(readFileSync(at('other.root')), source)).toBe(0);
    await file.skim(fileSink(at('other.root'), { replace: true }));
    expect(Buffer.compare(readFileSync(at('other.root')), source)).not.toBe(0);
    await file.close();
  });

  test('that another program made while the new one was written', async () => {
    const out = at('out');
    const save = saveFile(
      out,
      async (put) => {
        await put('new');
        writeFileSync(out, 'precious');
      },
      { replaces: 'nothing' },
    );
    await expect(save).rejects.toMatchObject({
      code: 'IO',
      message: expect.stringContaining('exists already'),
    });
    expect(readFileSync(out, 'utf8')).toBe('precious');
    expect(readdirSync(folder).sort()).toEqual(['in.root', 'other.root', 'out']);
  });
});

describe('merge --resume', () => {
  const merge = (...more: string[]) =>
    run(reader, 'merge', at('out.root'), ...more, at('other.root'), '--resume', '--reproducible');

  test.each(['out.root.partial', 'out.root.partial.journal'])(
    'an input called %s is refused, and stays',
    async (name) => {
      for (const make of [
        () => writeFileSync(at(name), source),
        () => linkSync(at('in.root'), at(name)),
        () => symlinkSync(at('in.root'), at(name)),
      ]) {
        make();
        for (const input of [name, 'in.root']) {
          const { status } = await merge(at(input));
          expect(status).toBeGreaterThan(0);
          expect(Buffer.compare(readFileSync(at(name)), source)).toBe(0);
          expect(Buffer.compare(readFileSync(at('in.root')), source)).toBe(0);
        }
        expect((await merge(at(name))).err).toContain('is also an input');
        rmSync(at(name));
      }
      expect(existsSync(at('out.root'))).toBe(false);
    },
  );

  const PIPES: [what: string, name: string, make: () => void][] = [
    [
      'a pipe as journal',
      'out.root.partial.journal',
      () => execFileSync('mkfifo', [at('out.root.partial.journal')]),
    ],
    ['a pipe at OUT.partial', 'out.root.partial', () => execFileSync('mkfifo', [at('out.root.partial')])],
  ];
  const FOREIGN: [what: string, name: string, make: () => void][] = [
    ...(lacks('pipes with names', process.platform !== 'win32') ? [] : PIPES),
    [
      'a file of somebody else at OUT.partial',
      'out.root.partial',
      () => writeFileSync(at('out.root.partial'), 'data'),
    ],
    ['a folder as journal', 'out.root.partial.journal', () => mkdirSync(at('out.root.partial.journal'))],
    [
      'another text as journal',
      'out.root.partial.journal',
      () => writeFileSync(at('out.root.partial.journal'), 'notes\n'),
    ],
    ...[
      '{"inputs":1,"uuid":5}',
      '{"inputs":[{}],"uuid":"00"}',
      'null',
      '[]',
      '{"inputs":[],"uuid":"","date":1}',
    ].map((text): [string, string, () => void] => [
      `the journal ${text}`,
      'out.root.partial.journal',
      () => writeFileSync(at('out.root.partial.journal'), `${text}\n{"done":100}\n`),
    ]),
  ];

  test.each(FOREIGN)('%s is refused with a type, and stays', async (_, name, make) => {
    make();
    const before = statSync(at(name));
    const { status, err } = await merge(at('in.root'));
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/was not written by a merge of yours.*\[ARGUMENT\]/),
    ]);
    const after = statSync(at(name));
    expect([after.ino, after.size, after.mtimeMs]).toEqual([before.ino, before.size, before.mtimeMs]);
    expect(existsSync(at('out.root'))).toBe(false);
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'files of another user are neither read as journals nor written',
  async () => {
    // Only root can give files away.
    const { resumableFile } = await import('../../web/sinks/node-resumable-file');
    const settings = { name: 'o', reproducible: true, schema: 'strict', inputs: [] };
    const fresh = { date: 1, uuid: new Uint8Array(16) };
    const begun = async () => {
      const sink = resumableFile(at('out.root'), { version: '1', secrets: at('secrets') });
      await sink.journal.begin(settings, fresh);
      await sink.abort?.();
    };
    await begun();
    await begun();
    for (const name of ['out.root.partial', 'out.root.partial.journal']) {
      chownSync(at(name), 12345, 12345);
      await expect(begun()).rejects.toMatchObject({ code: 'ARGUMENT' });
      chownSync(at(name), 0, 0);
    }
    await begun();
    chownSync(at('secrets/secret'), 12345, 12345);
    await expect(begun()).rejects.toMatchObject({
      code: 'IO',
      message: expect.stringContaining('cannot be signed'),
    });
  },
);

describe('a stored histogram', () => {
  test.each([
    ['csv', /low.*high/],
    ['uhi', /"storage"|"axes"/],
    ['root-json', /"_typename"\s*:\s*"TH1/],
    ['root', /^root/],
  ])('is written by --%s', async (form, content) => {
    writeFileSync(at('in.root'), fixtureBytes('histograms'));
    const { status, err } = await run(reader, 'draw', at('in.root'), 'TH1F', `--${form}`, at('out'));
    expect(err).not.toContain('INTERNAL');
    expect(status).toBe(0);
    expect(readFileSync(at('out'), 'latin1')).toMatch(content);
  });
});
