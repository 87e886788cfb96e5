import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { program, programWith } from '../../cli/program';
import { lacks } from '../../needs';

const adapters = resolve(import.meta.dirname, '../../../adapters');
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const python = spawnSync('python3', ['--version']).status === 0;
const without = lacks('the built program', existsSync(program));
let folder: string;
const at = (name: string): string => join(folder, name);
const children: ChildProcess[] = [];

// Each test starts several processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-worker-'));
  for (const name of ['a.root', 'b.root', 'c.root']) copyFileSync(sample, at(name));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a process, and returns what sends it a line and takes its answer. */
function living(...more: string[]) {
  const child = spawn(process.execPath, [program, 'worker', ...more], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, XDG_CACHE_HOME: folder, XYLEM_WORKERS: '1' },
  });
  children.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const ask = async (line: unknown) => {
    child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    return await next();
  };
  return { child, next, ask };
}

const DRAW = ['draw', 'a.root', 'Events', 'Muon_pt', '--hist', '5,0,100', '--partial', '-'];

test.skipIf(without)('a living process answers each line as a process of its own would', async () => {
  const { ask, next, child } = living();
  expect(await next()).toMatchObject({ protocol: 1, pid: child.pid });
  const { run } = programWith(folder);
  const args = [...DRAW];
  args[1] = at('a.root');
  const one = await run(args);
  for (const id of [1, 'two', null]) {
    const answer = await ask({ id, args });
    expect(answer).toEqual({ id, status: 0, out: one.out, err: one.err });
  }
  expect(await ask({ id: 4, args: ['draw', 'a.root', 'Evnts', 'Muon_pt'] })).toMatchObject({
    ...{ id: 4, status: 1, out: '' },
    error: { code: 'NOT_FOUND', fix: 'Did you mean "Events"?' },
  });
  expect(await ask({ id: 5, args: ['draw'] })).toMatchObject({
    id: 5,
    status: 2,
    error: { code: 'ARGUMENT' },
  });
  for (const line of ['no JSON', '[]', '{"id": 6}', '{"id": 6, "args": [1]}'])
    expect(await ask(line)).toMatchObject({ status: 2, error: { code: 'ARGUMENT' } });
  for (const name of ['worker', 'serve', 'mcp'])
    expect((await ask({ id: 7, args: [name] })).error.message).toContain('a process of its own');
  expect((await ask({ id: 8, args: ['combine', '-'] })).error.message).toContain('standard input');
  // A file takes what is printed, and one that cannot be written is an error.
  expect(await ask({ id: 9, args, out: at('printed') })).toEqual({ id: 9, status: 0, out: '', err: one.err });
  expect(readFileSync(at('printed'), 'utf8')).toBe(one.out);
  for (const out of [at('nowhere/printed'), '', 1])
    expect(await ask({ id: 9, args, out })).toMatchObject({
      out: '',
      error: { message: expect.any(String) },
    });
  // An answer has what a command says besides its data, such as the files that failed.
  const some = ['draw', `${at('a.root')},${at('none.root')}`, ...DRAW.slice(2)];
  expect(await ask({ id: 10, args: some })).toMatchObject({
    ...{ status: 1, err: expect.stringContaining('partial: 1 of 2 files unreadable') },
  });
  if (existsSync('/dev/full'))
    expect(await ask({ id: 11, args, out: '/dev/full' })).toMatchObject({ status: 1, error: { code: 'IO' } });
  // It still works, and ends with its input.
  expect((await ask({ id: 9, args })).out).toBe(one.out);
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.skipIf(without)('what a selector prints is in no answer, and one that changed is refused', async () => {
  const selector = (low: number) => `import { low } from './low.mjs';
console.log('{"id": 1, "status": 0, "out": "wrong", "err": ""}');
export default { branches: { n: 'nMuon' }, begin: (job) => ({ sum: job.counter() }),
  process({ n }, { sum }) { console.log('in a thread'); for (const one of n) if (one > ${low} + low) sum.add(); } };`;
  writeFileSync(at('low.mjs'), 'export const low = 0;');
  writeFileSync(at('count.mjs'), selector(0));
  const { ask, next } = living();
  await next();
  const args = ['process', 'count.mjs', 'a.root', 'Events', '--json'];
  const first = await ask({ id: 1, args });
  expect(first).toMatchObject({ id: 1, status: 0 });
  expect(await ask({ id: 2, args })).toEqual({ ...first, id: 2 });
  const kept = [...args.slice(0, 4), '--partial', '-'];
  const { files } = JSON.parse((await ask({ id: 3, args: kept })).out).query;
  expect(files).toMatchObject([{ name: 'low.mjs' }]);
  writeFileSync(at('low.mjs'), 'export const low = 1;');
  for (const one of [args, kept]) {
    const answer = await ask({ id: 4, args: one });
    expect(answer).toMatchObject({ status: 1, error: { code: 'FILE_CHANGED' } });
    expect(answer.error.message).toContain('low.mjs');
  }
});

test.skipIf(without)('a living process ends when it has nothing to do', async () => {
  const { next, child } = living('--idle', '1');
  await next();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** Runs a program that uses the adapters, and returns what it prints. */
function shared(code: string) {
  const text = `import json, os, signal, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
import xylem_futures, xylem_tasks as x
program = sys.argv[1:3]
${code}`;
  return spawnSync('python3', ['-c', text, process.execPath, program], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: adapters, XDG_CACHE_HOME: folder, PYTHONDONTWRITEBYTECODE: '1' },
  });
}

const query = '"Events", "Muon_pt", "nMuon*0.3", hist="5,0,100", xylem=program';

test.skipIf(without || lacks('python3', python))(
  'slots of an executor keep their processes, and the result has the bytes of one process, whatever the tree',
  async () => {
    writeFileSync(at('files.txt'), ['a.root', 'none.root', 'b.root', 'c.root'].join('\n'));
    const { stdout, stderr } = shared(`x.AT_ONCE = 2
with ThreadPoolExecutor(2) as pool:
    result = xylem_futures.draw(pool, "@files.txt", ${query}, tasks=7)
living = x._living()
print(len(living.all), max(one.tasks for one in living.all) > 3, result.write_failed("again.txt"))
open("futures.json", "w").write(result.text)`);
    expect(stderr).toBe('');
    // One of them adds the results.
    expect(stdout.trim()).toMatch(/^[23] True 1$/);
    const { run } = programWith(folder);
    const words = ['Events', 'Muon_pt', 'nMuon*0.3', '--hist', '5,0,100', '--partial', at('whole.json')];
    const { status } = await run(['draw', `@${at('files.txt')}`, ...words]);
    expect(status).toBe(1);
    const [futures, whole] = ['futures.json', 'whole.json'].map((name) =>
      JSON.parse(readFileSync(at(name), 'utf8')),
    );
    expect(futures.histogram).toEqual(whole.histogram);
    expect(futures.failed).toEqual(whole.failed);
    expect(readFileSync(at('again.txt'), 'utf8')).toBe(`${at('none.root')}?#Events\n`);
  },
);

test.skipIf(without || lacks('python3', python))(
  'a failure in the code of a selector has the file, the entry and the calls; only errors that may pass are read again',
  () => {
    writeFileSync(
      at('cuts.mjs'),
      "export const lead = (pt) => {\n  if (pt.length > 3) throw new RangeError('too many');\n  return pt[0];\n};",
    );
    writeFileSync(
      at('throws.mjs'),
      `import { lead } from './cuts.mjs';
export default { branches: { pt: 'Muon_pt' }, begin: (job) => ({ h: job.hist([5, 0, 100]) }),
  entry({ pt }, { h }) { if (pt.length > 0) h.fill(lead(pt)); } };`,
    );
    writeFileSync(at('files.txt'), ['a.root', 'none.root'].join('\n'));
    const { stdout, stderr } = shared(`calls = []
with ThreadPoolExecutor(1) as pool:
    def run():
        return xylem_futures.process(pool, "throws.mjs", "@files.txt", "Events", tasks=1, retries=1, xylem=program,
                                     progress=lambda *now: calls.append(now))
    result = run()
    print(json.dumps([result.failed, calls]))
    # The process that planned knows the code as it was.
    with open("throws.mjs", "a") as file:
        file.write("// other\\n")
    with open("cuts.mjs", "w") as file:
        file.write("export const lead = (pt) => pt[0];")
    print(json.dumps([len(run().failed)]))`);
    expect(stderr).toBe('');
    const [first, second] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [failed, calls] = first;
    expect(failed).toMatchObject([{ file: at('a.root') }, { file: at('none.root') }]);
    expect(failed[0].error.message).toMatch(
      /^The selector throws\.mjs:3:\d+ failed at entry \d+ of "Events" in .*a\.root: RangeError: too many\. It was thrown in lead \(cuts\.mjs:2:\d+\), called by entry \(throws\.mjs:3:\d+\)\.$/,
    );
    expect(calls).toEqual([[1, 1, 1]]);
    expect(second).toEqual([1]);
  },
);

test.skipIf(without || lacks('python3', python))('limits of requests are divided among slots', () => {
  const { stdout } = shared(`print(x.share("a.example=64, *.b.example=17", 16))
try:
    x.share("a.example=3", 4)
except ValueError as error:
    print(error)`);
  expect(stdout.trim().split('\n')).toEqual([
    'a.example=4,*.b.example=1',
    'a.example=3: 4 slots would send more requests at once; take fewer slots.',
  ]);
});

test.skipIf(without || lacks('python3', python))(
  'a file that ends the process that reads it twice is a failed one by name, and others are read',
  () => {
    // The selector ends its process as a lack of memory would, at one file.
    writeFileSync(
      at('kills.mjs'),
      `export default { branches: { n: 'nMuon' }, begin: (job) => ({ sum: job.counter() }),
  process({ n }, { sum }, { file }) {
    if (file.endsWith('b.root')) process.kill(process.pid, 'SIGKILL');
    for (const one of n) sum.add(one);
  } };`,
    );
    const { stdout, stderr } = shared(`with ThreadPoolExecutor(1) as pool:
    result = xylem_futures.process(pool, "kills.mjs", "a.root,b.root,c.root", "Events", tasks=1, retries=0, xylem=program)
print(json.dumps([result.failed, len(result.partial["inputs"]), result.partial["made"]["entries"]]))`);
    expect(stderr).toBe('');
    const [failed, inputs, entries] = JSON.parse(stdout);
    expect([inputs, entries]).toEqual([2, 4800]);
    expect(failed).toMatchObject([{ file: at('b.root'), tree: 'Events', error: { code: 'INTERNAL' } }]);
    expect(failed[0].error.message).toContain(
      '2 processes that read it ended: the process of xylem was ended by signal 9',
    );
  },
);

test.skipIf(without || lacks('python3', python))(
  'a process that is killed from outside is started again, and an error of a task is whole',
  () => {
    const { stdout, stderr } = shared(`job = x.draw_job("Muon_pt", "", "5,0,100")
with x.Living(program) as one:
    pid = one.process.pid
os.kill(pid, signal.SIGKILL)
time.sleep(0.2)
inputs = [{"file": os.path.abspath("a.root"), "tree": "Events"}]
assert x.read(program, inputs, "Events", job)["text"]
assert not x.read(program, inputs, "Events", job)["failed"]
try:
    x.read(("/nowhere/xylem",), inputs, "Events", job)
except x.TaskError as error:
    assert "cannot be started on" in str(error) and "PATH" in str(error)
else:
    assert False
try:
    x.read(program, inputs, "Events", x.draw_job("Muon_pt", "", "5,0"))
except x.TaskError as error:
    import pickle
    error = pickle.loads(pickle.dumps(error))
    print(json.dumps([error.status, error.code, error.files, error.stderr, error.where, str(error)]))`);
    expect(stderr).toBe('');
    const [status, code, files, said, where, message] = JSON.parse(stdout);
    expect([status, code, files]).toEqual([2, 'ARGUMENT', [at('a.root')]]);
    expect(said).toContain('is not a list of axes');
    expect(where).toEqual({});
    expect(message).toContain(said.trim());
    expect(message).toContain(at('a.root'));
  },
);
