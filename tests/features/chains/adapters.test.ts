import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from '../../cli/program';
import { lacks } from '../../needs';

const adapters = resolve(import.meta.dirname, '../../../adapters');
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const built = existsSync(program);
const make = spawnSync('make', ['--version']).status === 0;
const python = spawnSync('python3', ['--version']).status === 0;
const environment = { ...process.env, XYLEM: `${process.execPath} ${program}`, TMPDIR: tmpdir() };
const draw = "Muon_pt 'nMuon==2' --hist 5,0,100";
let folder: string;
const at = (name: string): string => join(folder, name);
/** A selector that makes what `draw` does. */
const selector = `export default {
  branches: { pt: 'Muon_pt' }, where: 'nMuon==2', begin: (job) => ({ h: job.hist([5, 0, Number(job.set.high)]) }),
  process: ({ pt }, { h }) => h.fill(pt.values),
};`;
const madeBy = (name: string) => JSON.parse(readFileSync(at(name), 'utf8')).made;
const fillsOf = (name: string): number => JSON.parse(readFileSync(at(name), 'utf8')).histogram.fills;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-adapters-'));
  copyFileSync(sample, at('a.root'));
  writeFileSync(at('pt.mjs'), selector);
  writeFileSync(at('files.txt'), 'a.root\n');
  writeFileSync(at('two.txt'), 'a.root\nb.root\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

test.skipIf(lacks('the built program', built) || lacks('make', make))(
  'make draws a plan, and tells what failed',
  () => {
    const run = (files: string, what: string, out: string) => {
      const given = [`FILES=@${files}`, 'TREE=Events', what, 'TASKS=2', `OUT=${out}`];
      return spawnSync('make', ['-j2', '-k', '-f', join(adapters, 'Makefile'), ...given], {
        cwd: folder,
        env: environment,
        encoding: 'utf8',
      });
    };
    const failed = run('two.txt', `DRAW=${draw}`, 'out');
    expect(failed.status).not.toBe(0);
    expect(failed.stderr).toContain(`missing: ${at('b.root')}`);
    const whole = fillsOf('out/all.json');
    expect(whole).toBeGreaterThan(0);
    expect(whole).toBe(fillsOf('out/task-0001.json') + fillsOf('out/task-0002.json'));
    expect(run('files.txt', 'PROCESS=pt.mjs --set high=100', 'made').status).toBe(0);
    // The tasks run the copy of the plan, with its imports; rows are beside the results.
    expect(existsSync(at('made/selector/pt.mjs'))).toBe(true);
    mkdirSync(at('lib'), { recursive: true });
    writeFileSync(at('lib/twice.mjs'), 'export const twice = (x) => 2 * x;');
    writeFileSync(
      at('rows.mjs'),
      `import { twice } from './lib/twice.mjs';
export default { branches: { pt: 'Muon_pt' }, begin: (job) => ({ rows: job.table({ pt: 'number' }) }),
  entry({ pt }, { rows }, { set }) { for (const one of pt) rows.row({ pt: twice(one) * Number(set.k) }); } };`,
    );
    expect(run('files.txt', "PROCESS=rows.mjs --set 'k= 2'", 'rows').status).toBe(0);
    expect(existsSync(at('rows/selector/lib/twice.mjs'))).toBe(true);
    expect(readdirSync(at('rows/tables')).length).toBeGreaterThan(0);
    const xylem = (...args: string[]) =>
      execFileSync(process.execPath, [program, ...args], { cwd: folder, stdio: 'pipe' });
    xylem('combine', 'rows/all.json', '--parquet', 'made.parquet');
    xylem('process', 'rows.mjs', 'a.root', 'Events', '--set', 'k= 2', '--parquet', 'one.parquet');
    expect(readFileSync(at('made.parquet')).equals(readFileSync(at('one.parquet')))).toBe(true);
    expect(madeBy('made/all.json')).toMatchObject({ entries: 2400, state: { h: { fills: whole } } });
    expect(readFileSync(at('out/failed.txt'), 'utf8')).toBe(`${at('b.root')}?#Events\n`);
    // More tasks than are added at once: the sum of sums has the same bytes.
    const many = spawnSync(
      'make',
      [
        '-j2',
        '-f',
        join(adapters, 'Makefile'),
        'FILES=@files.txt',
        'TREE=Events',
        `DRAW=${draw}`,
        'TASKS=40',
        'OUT=many',
      ],
      { cwd: folder, env: environment, encoding: 'utf8' },
    );
    expect(many.status, many.stderr).toBe(0);
    const tasks = readdirSync(at('many')).filter((name) => /^task-.*json$/.test(name));
    expect(readdirSync(at('many')).filter((name) => /^sum-.*json$/.test(name))).toHaveLength(
      Math.ceil(tasks.length / 32),
    );
    expect(JSON.parse(readFileSync(at('many/all.json'), 'utf8')).histogram).toEqual(
      JSON.parse(readFileSync(at('out/all.json'), 'utf8')).histogram,
    );
    // Results of other code are refused; those from before do not stand for them.
    utimesSync(at('made/task-0001.txt'), new Date(), new Date());
    const refused = run('files.txt', 'PROCESS=pt.mjs --set high=50', 'made');
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('is a partial result of another query');
  },
  120_000,
);

const snakemake = spawnSync('snakemake', ['--version']).status === 0;

test.skipIf(lacks('the built program', built) || lacks('snakemake', snakemake))(
  'Snakemake runs a selector, and has the bytes of one process and the list of failed files',
  () => {
    const config = ['files=@two.txt', 'tree=Events', 'process=pt.mjs --set high=100', 'tasks=3', 'out=smk'];
    const words = ['-q', 'all', '-s', join(adapters, 'Snakefile'), '-c2', '--config', ...config];
    const { status, stderr } = spawnSync('snakemake', [...words, `xylem=${environment.XYLEM}`], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    execFileSync(
      process.execPath,
      [program, 'process', 'pt.mjs', 'a.root', 'Events', '--set', 'high=100', '--partial', 'one.json'],
      { cwd: folder, stdio: 'pipe' },
    );
    expect(madeBy('smk/all.json')).toEqual(madeBy('one.json'));
    expect(readFileSync(at('smk/failed.txt'), 'utf8')).toBe(`${at('b.root')}?#Events\n`);
  },
  180_000,
);

test.skipIf(lacks('the built program', built))('the array job of Slurm draws its task', () => {
  const xylem = (...args: string[]) =>
    execFileSync(process.execPath, [program, ...args], { cwd: folder, stdio: 'pipe' });
  xylem('plan', '@files.txt', 'Events', '--tasks', '2', '--out', 'tasks');
  for (const id of ['1', '2', '3']) {
    const env = { ...environment, SLURM_ARRAY_TASK_ID: id };
    const words = ['Events', 'Muon_pt', 'nMuon==2', '--hist', '5,0,100'];
    execFileSync(join(adapters, 'slurm.sh'), words, { cwd: folder, env, stdio: 'pipe' });
  }
  xylem('combine', 'tasks/*.json', '--partial', 'sum.json');
  expect(JSON.parse(readFileSync(at('sum.json'), 'utf8')).histogram.entries).toBe(2400);
  expect(existsSync(at('tasks/task-0003.json'))).toBe(false);

  // The same, with a selector.
  xylem('plan', '@files.txt', 'Events', '--tasks', '2', '--out', 'made-tasks');
  for (const id of ['1', '2']) {
    const env = { ...environment, SLURM_ARRAY_TASK_ID: id, OUT: 'made-tasks', SELECTOR: 'pt.mjs' };
    const words = ['Events', '--set', 'high=100'];
    execFileSync(join(adapters, 'slurm.sh'), words, { cwd: folder, env, stdio: 'pipe' });
  }
  xylem('combine', 'made-tasks/*.json', '--partial', 'made.json');
  expect(madeBy('made.json').state.h.fills).toBe(fillsOf('sum.json'));
});

test.skipIf(lacks('the built program', built))('the lines of a plan run a selector', () => {
  const xylem = (...args: string[]) =>
    execFileSync(process.execPath, [program, ...args], { cwd: folder, stdio: 'pipe', encoding: 'utf8' });
  const words = ['--tasks', '2', '--out', 'lines', '--process', 'pt.mjs --set high=100'];
  const lines = xylem('plan', '@files.txt', 'Events', ...words)
    .trim()
    .split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines)
    execFileSync('sh', ['-c', line.replace(/^xylem/, environment.XYLEM)], { cwd: folder, stdio: 'pipe' });
  xylem('combine', 'lines/*.json', '--partial', 'lines.json');
  xylem('process', 'pt.mjs', 'a.root', 'Events', '--set', 'high=100', '--partial', 'whole.json');
  expect(madeBy('lines.json')).toEqual(madeBy('whole.json'));
});

test.skipIf(lacks('the built program', built) || lacks('python3', python))(
  'a worker of Dask reads the files of its task, whatever their names, and words that begin with a minus',
  () => {
    const secret = at('secret.root');
    copyFileSync(sample, secret);
    const lure = at(`nl\n${secret}?#Events\nrest`);
    mkdirSync(lure, { recursive: true });
    const names = [join(lure, 'a.root'), at('b,[c] *.root')];
    for (const name of names) copyFileSync(sample, name);
    const read = (file: string, tree: string) => {
      const code = `import json, sys, xylem_tasks
program, inputs = sys.argv[1:3], json.loads(sys.argv[3])
print(xylem_tasks.read(program, inputs, "Events", xylem_tasks.draw_job("-Muon_pt", "nMuon==2", "5,-100,0"))["text"])`;
      const inputs = JSON.stringify([{ file, tree, entries: [0, 100] }]);
      const args = ['-c', code, process.execPath, program, inputs];
      return spawnSync('python3', args, {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PYTHONPATH: adapters },
      });
    };
    for (const name of names) {
      const { stdout, stderr } = read(name, 'Events');
      expect(stderr).not.toContain('Traceback');
      const { inputs, histogram } = JSON.parse(stdout);
      expect(inputs).toMatchObject([{ file: name, read: [0, 100] }]);
      expect(histogram.fills).toBeGreaterThan(0);
    }
    expect(read(at('a.root'), `Events\n${secret}?#Events`).stderr).toContain(
      'ValueError: a name with a line break',
    );
  },
);

/** Calls a function of the code that all adapters share, as their workers do, and returns what it prints. */
function shared(code: string): { status: number | null; stdout: string; stderr: string } {
  const text = `import json, sys, xylem_tasks as x\nprogram = sys.argv[1:3]\n${code}`;
  return spawnSync('python3', ['-c', text, process.execPath, program], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: adapters },
  });
}

test.skipIf(lacks('the built program', built) || lacks('python3', python))(
  'an adapter passes on why a selector cannot run: a module that is not there, and code that throws in begin',
  () => {
    const cases = [
      ["import { min } from './cuts.mjs';\n", 'cuts.mjs'],
      [
        "import { readFileSync } from 'node:fs';\nreadFileSync(new URL('./golden.json', import.meta.url));\n",
        'golden.json',
      ],
      ["throw new Error('no licence');\n", 'no licence'],
    ] as const;
    for (const [before, named] of cases) {
      writeFileSync(at('broken.mjs'), before + selector);
      const { status, stderr } = shared(
        `x.plan(program, ${JSON.stringify(at('a.root'))}, "Events", 1, None, x.process_job("broken.mjs"))`,
      );
      expect(status).toBe(1);
      const last = stderr.slice(stderr.indexOf('TaskError:'));
      expect(last).toMatch(/xylem plan ended with status 1 and no result: .*The selector broken\.mjs/s);
      expect(last).toContain(named);
    }
    const { stderr } = shared('x.combine(program, ["{}", "{}"])');
    expect(stderr).toMatch(
      /TaskError: xylem combine ended with status 1 and no result: .*not a partial result/,
    );
  },
);

test.skipIf(lacks('the built program', built) || lacks('python3', python))(
  'a saved result has the files that could not be planned',
  () => {
    const { stdout, stderr } = shared(`job = x.draw_job("Muon_pt", "nMuon==2", "5,0,100")
planned = x.plan(program, "@two.txt", "Events", 1, None, job)
text = x.combine(program, [x.read(program, planned["tasks"][0]["inputs"], "Events", job)["text"]])
result = x.Result(program, text, planned["failed"])
assert result.failed == json.loads(result.text)["failed"]
print(x.combine(program, [result.text]))`);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      failed: [{ file: at('b.root'), tree: 'Events' }],
      inputs: [{ file: at('a.root') }],
    });
  },
);
