import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programWith } from '../../cli/program';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const reader = withReader();
let folder: string;
const at = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(at(name), 'utf8');
const COUNT = 6;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-journal-'));
  for (let i = 0; i < COUNT; i++) copyFileSync(sample, at(`${i} ü.root`));
  writeFileSync(at('files.txt'), Array.from({ length: COUNT }, (_, i) => `${i} ü.root`).join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const draw = (files: string, ...more: string[]) =>
  run(reader, 'draw', files, 'Events', 'Muon_pt', 'nMuon*0.3', '--hist', '5,0,100', ...more);
const all = (...more: string[]) => draw(`@${at('files.txt')}`, ...more);

/** The journal of a run that was killed after `count` files: their partial results, a line each. */
async function journalOf(count: number): Promise<Buffer> {
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    await draw(at(`${i} ü.root`), '--partial', at('line.json'));
    lines.push(`${text('line.json').trim()}\n`);
  }
  return Buffer.from(lines.join(''));
}

test('a journal that is cut off at any byte gives the bytes of an uninterrupted run, and its last line is named', async () => {
  await all('--partial', at('whole.json'));
  const whole = text('whole.json');
  const journal = await journalOf(2);
  const ends = [journal.indexOf('\n'), journal.length - 1];
  const some = Array.from({ length: 40 }, (_, i) => Math.floor((i * journal.length) / 40));
  for (const bytes of [...some, ...ends.flatMap((end) => [end - 1, end, end + 1]), journal.length]) {
    writeFileSync(at('cut.json'), journal.subarray(0, bytes));
    const { err, status } = await all('--resume', at('cut.json'));
    expect(status, `${bytes} bytes: ${err}`).toBe(0);
    expect(text('cut.json').trim() === whole.trim(), `${bytes} bytes`).toBe(true);
    const isTorn = bytes > 0 && !ends.some((end) => bytes === end || bytes === end + 1);
    expect(err.includes('is incomplete'), `${bytes} bytes`).toBe(isTorn);
    if (isTorn && bytes > (ends[0] ?? 0) + 700) expect(err).toContain('1 ü.root');
  }
});

test('other files are left as they are, and a damaged line that is not the last one is refused', async () => {
  const notes = 'my notes {';
  writeFileSync(at('notes.txt'), notes);
  const { status, err } = await all('--resume', at('notes.txt'));
  expect(status).toBe(1);
  expect(err).toContain('is not a partial result');
  expect(text('notes.txt')).toBe(notes);

  const journal = (await journalOf(2)).toString();
  const damaged = journal.replace('"inputs"', '"inp');
  writeFileSync(at('damaged.json'), damaged);
  const refused = await all('--resume', at('damaged.json'));
  expect(refused.status).toBe(1);
  expect(text('damaged.json')).toBe(damaged);
});

test('a file that changed makes the journal begin anew', async () => {
  writeFileSync(at('old.json'), await journalOf(3));
  utimesSync(at('1 ü.root'), new Date(), new Date(2020, 1, 1));
  const { err } = await all('--resume', at('old.json'));
  expect(err).toContain('changed since they were read');
  await all('--partial', at('whole.json'));
  expect(text('old.json').trim()).toBe(text('whole.json').trim());
});

const { built, start } = programWith(tmpdir());

built(
  'a process that is killed while it reads leaves what it has read',
  async () => {
    writeFileSync(
      at('slow.mjs'),
      `export default { branches: { n: 'nMuon' }, begin: (job) => ({ sum: job.counter() }),
  process({ n }, { sum }) {
    const end = Date.now() + 400;
    while (Date.now() < end);
    for (const one of n) sum.add(one / 3);
  } };`,
    );
    const words = ['process', at('slow.mjs'), `@${at('files.txt')}`, 'Events', '--jobs', '1'];
    const ended = (child: ReturnType<typeof start>) => new Promise((done) => child.on('close', done));
    const first = start([...words, '--resume', at('killed.json')]);
    const end = ended(first);
    const lines = (): number => {
      const there = statSync(at('killed.json'), { throwIfNoEntry: false });
      return there === undefined ? 0 : text('killed.json').split('\n').length - 1;
    };
    while (lines() < 2 && first.exitCode === null) await sleep(20);
    first.kill('SIGKILL');
    await end;
    const kept = lines();
    expect(kept).toBeGreaterThanOrEqual(2);
    expect(kept).toBeLessThan(COUNT);
    const second = start([...words, '--resume', at('killed.json')]);
    expect(await ended(second)).toBe(0);
    expect(await ended(start([...words, '--partial', at('whole.json')]))).toBe(0);
    expect(text('killed.json').trim()).toBe(text('whole.json').trim());
  },
  60_000,
);
