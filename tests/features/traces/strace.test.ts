import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Reading } from '../../../web/api/reading';
import { readTrace } from '../../../web/features/traces/work/formats/formats';

const fixtures = join(import.meta.dirname, '../../fixtures/reads');
const read = (name: string): Reading[] => readTrace(name, readFileSync(join(fixtures, name)));
const textOf = (text: string): Reading[] => readTrace('trace', new TextEncoder().encode(text));

/** Each read as "offset+length". */
const places = ({ reads }: Reading): string[] => reads.map(({ offset, length }) => `${offset}+${length}`);

// As strace shows them of ROOT, with its default cache: head, keys, streamer infos, tree, and two fills.
const ROOTS = ['0+300', '148841+296', '142779+6062', '136427+1627', '15666+34296', '40815+89681'];

test('strace without names: the file is known by its first bytes', () => {
  const [reading, ...others] = read('root.strace');
  expect(others).toEqual([]);
  expect(reading && places(reading)).toEqual(ROOTS);
  expect(reading?.reads[4]?.started).toBeCloseTo(0.076986, 5);
});

test('strace with names and with the time of each call', () => {
  const [reading, ...others] = read('root-named.strace');
  expect(others).toEqual([]);
  expect(reading?.file).toMatch(/\/sample\.root$/);
  expect(reading && places(reading)).toEqual(ROOTS);
  const last = reading?.reads.at(-1);
  expect((last?.done ?? 0) - (last?.started ?? 0)).toBeGreaterThan(0);
});

test('strace of a program that opens the file again for each read', () => {
  const [reading, ...others] = read('uproot.strace');
  expect(others).toEqual([]);
  expect(reading?.file).toMatch(/\/sample\.root$/);
  expect(reading && places(reading)).toEqual([
    ...['0+4096', '148841+660', '136489+4096', '142779+4096', '142843+4096', '146939+2562'],
    ...['15666+114688', '130354+4096'],
  ]);
});

test('strace -y: the path of a relative name is that of the result', () => {
  const lines = (path: string) => [
    `openat(AT_FDCWD, "d/a.root", O_RDONLY) = 5${path}`,
    `pread64(5${path}, "root\\0\\0", 300, 0) = 300`,
    `close(5${path}) = 0`,
    `openat(AT_FDCWD, "d/a.root", O_RDONLY) = 5${path}`,
    `pread64(5${path}, "..", 100, 7000) = 100`,
  ];
  for (const [path, name] of [
    ['', 'd/a.root'],
    ['</home/d/a.root>', '/home/d/a.root'],
  ] as const) {
    const [reading, ...others] = textOf(lines(path).join('\n'));
    expect(others).toEqual([]);
    expect(reading && [reading.file, ...places(reading)]).toEqual([name, '0+300', '7000+100']);
  }
});

test('strace: calls that others interrupt, pread64, a number that is given to another file', () => {
  const [a, b, ...others] = textOf(
    [
      '[pid 7] openat(AT_FDCWD, "/d/a.root", O_RDONLY) = 5',
      '[pid 7] read(5, "root\\0\\0", 300) = 300',
      '[pid 7] pread64(5,  <unfinished ...>',
      '[pid 8] lseek(5, 1000, SEEK_SET) = 1000',
      '[pid 7] <... pread64 resumed>"a, 12) = 3", 50, 7000) = 50',
      '[pid 8] read(5, "", 100) = -1 EIO (Input/output error)',
      '[pid 8] preadv(5, [{iov_base="x", iov_len=10}, {iov_base="y", iov_len=20}], 2, 2000) = 30',
      '[pid 8] read(5, "..", 10) = 10',
      '[pid 8] close(5) = 0',
      '[pid 8] openat(AT_FDCWD, "/d/b.root", O_RDONLY) = 5',
      '[pid 8] read(5, "root\\0\\0", 200) = 200',
    ].join('\n'),
  );
  expect(others).toEqual([]);
  expect(a && [a.file, ...places(a)]).toEqual(['/d/a.root', '0+300', '7000+50', '2000+30', '1000+10']);
  expect(b && [b.file, ...places(b)]).toEqual(['/d/b.root', '0+200']);
});

test('strace: results of short calls stand in a column', () => {
  const [reading] = textOf(
    [
      'openat(AT_FDCWD, "a.root", O_RDONLY)    = 3',
      'read(3, "root\\0\\0", 300)             = 300',
      'lseek(3, 5000, SEEK_SET)                = 5000',
      'read(3, ".. ) = 7", 100)                = 100',
      'close(3)                                = 0',
      'openat(AT_FDCWD, "b.txt", O_RDONLY)     = 3',
      'read(3, "", 100)                        = 80',
    ].join('\n'),
  );
  expect(reading && places(reading)).toEqual(['0+300', '5000+100']);
});

test('strace -f: processes have numbers of their own, which mean other files', () => {
  // As multiprocessing.Pool(2) does, without clone in the trace.
  const [a, b, ...others] = textOf(
    [
      '7 openat(AT_FDCWD, "x.so", O_RDONLY) = 4',
      '7 close(4)          = 0',
      '8 openat(AT_FDCWD, "b.root", O_RDONLY <unfinished ...>',
      '9 openat(AT_FDCWD, "a.root", O_RDONLY) = 4',
      '8 <... openat resumed>) = 4',
      '9 pread64(4, "root\\0\\0", 300, 0) = 300',
      '8 pread64(4, "root\\0\\0", 200, 0) = 200',
      '9 lseek(4, 10000, SEEK_SET) = 10000',
      '8 lseek(4, 4000, SEEK_SET) = 4000',
      '9 read(4, "..", 1000) = 1000',
      '8 read(4, "..", 50) = 50',
      '8 close(4)          = 0',
      '9 read(4, "..", 1000) = 1000',
    ].join('\n'),
  );
  expect(others).toEqual([]);
  const found = [a, b].map((one) => one && [one.file, ...places(one)]);
  expect(found.sort()).toEqual([
    ['a.root', '0+300', '10000+1000', '11000+1000'],
    ['b.root', '0+200', '4000+50'],
  ]);
});

test.each([
  ['', ''],
  ['7 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD) = 8', ''],
  [
    '7 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD <unfinished ...>',
    '7 <... clone resumed>) = 8',
  ],
  ['7 vfork( <unfinished ...>', '7 <... vfork resumed>) = 8'],
])('strace -f: a child closes its copy of a descriptor (%s)', (forks, forked) => {
  const [reading, ...others] = textOf(
    [
      '7 openat(AT_FDCWD, "a.root", O_RDONLY) = 3',
      '7 read(3, "root\\0\\0", 300) = 300',
      forks,
      '8 read(3, "..", 20) = 20',
      '8 close(3)          = 0',
      '8 openat(AT_FDCWD, "b.txt", O_RDONLY) = 3',
      forked,
      '7 read(3, "..", 100) = 100',
      '8 read(3, "text", 50) = 50',
      '7 close(3)          = 0',
    ].join('\n'),
  );
  expect(others).toEqual([]);
  expect(reading && [reading.file, ...places(reading)]).toEqual(['a.root', '0+300', '300+20', '320+100']);
});

test('strace -f: threads share their descriptors', () => {
  const [reading, ...others] = textOf(
    [
      '7 clone3({flags=CLONE_VM|CLONE_FILES|CLONE_THREAD}, 88) = 8',
      '8 openat(AT_FDCWD, "a.root", O_RDONLY) = 3',
      '7 pread64(3, "root\\0\\0", 300, 0) = 300',
      '8 close(3 <unfinished ...>',
      '7 openat(AT_FDCWD, "a.root", O_RDONLY) = 3',
      '8 <... close resumed>) = 0',
      '8 pread64(3, "..", 100, 7000) = 100',
    ].join('\n'),
  );
  expect(others).toEqual([]);
  expect(reading && places(reading)).toEqual(['0+300', '7000+100']);
});

test.each([
  ['7 dup(3)            = 5', ''],
  ['7 dup2(3, 5)        = 5', ''],
  ['7 dup3(3, 5, O_CLOEXEC) = 5', ''],
  ['7 fcntl(3, F_DUPFD_CLOEXEC, 0) = 5', ''],
  ['', '</d/a.root>'],
])('strace: a copy of a descriptor reads on at the same place (%s%s)', (copies, path) => {
  const [reading, ...others] = textOf(
    [
      `7 openat(AT_FDCWD, "a.root", O_RDONLY) = 3${path}`,
      `7 read(3${path}, "root\\0\\0", 300) = 300`,
      copies,
      `7 read(5${path}, "..", 100) = 100`,
      `7 close(3${path}) = 0`,
      `7 read(5${path}, "..", 100) = 100`,
    ].join('\n'),
  );
  expect(others).toEqual([]);
  expect(reading && places(reading)).toEqual(['0+300', '300+100', '400+100']);
});
