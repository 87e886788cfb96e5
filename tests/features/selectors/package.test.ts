import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shellWords } from '../../../web/features/selectors/cli/shell-words';
import { program, programWith } from '../../cli/program';
import { lacks } from '../../needs';

const folder = mkdtempSync(join(tmpdir(), 'xylem-package-'));
const at = (...names: string[]): string => join(folder, ...names);
const { run, built } = programWith(at('.caches'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};

/** A selector with a module above it, a package of node_modules, and two files; one depends on the settings. */
const SELECTOR = `import { least } from '../lib/cuts.mjs';
import { twice } from 'twice';
export default {
  files: { sf: 'data/sf.json.gz', runs: 'data/runs.json' },
  branches: { pt: 'Muon_pt', n: 'nMuon' },
  begin: (job) => {
    if (job.files.runs.json().good !== true) throw new Error('runs');
    return { pt: job.hist([20, 0, 100]), n: job.counter() };
  },
  entry({ pt, n }, out, { files }) {
    for (const one of pt) if (one > least) out.pt.fill(one, scale(files)[n % 3]);
    out.n.add(twice(n));
  },
};
let table;
const scale = (files) => (table ??= files.sf.json());`;

beforeAll(() => {
  const sample = resolve(import.meta.dirname, '../../../public/sample.root');
  for (const name of ['a', 'b']) {
    mkdirSync(at('files'), { recursive: true });
    cpSync(sample, at('files', `${name}.root`));
  }
  write(at('work/ana/z peak.mjs'), SELECTOR);
  write(at('work/lib/cuts.mjs'), 'export const least = 20;');
  write(at('work/ana/data/sf.json.gz'), gzipSync('[0.97, 1.02, 1.1]'));
  write(at('work/ana/data/runs.json'), '{"good": true}');
  write(
    at('work/node_modules/twice/package.json'),
    '{"name": "twice", "type": "module", "exports": "./lib/index.js"}',
  );
  write(at('work/node_modules/twice/lib/index.js'), 'export const twice = (n) => 2 * n;');
});

const selector = at('work/ana/z peak.mjs');
const plan = async (...more: string[]) =>
  await run([
    ...['plan', at('files/*.root'), 'Events', '--tasks', '3', '--out', at('tasks')],
    ...['--process', `'${selector}' --set low=2`, ...more],
  ]);
const shell = (line: string) =>
  spawnSync('sh', ['-c', line.replace(/^xylem/, `"${process.execPath}" "${program}"`)], { encoding: 'utf8' });

built(
  'a plan takes the selector along, with all that it imports and reads, and the lines add up to one run',
  async () => {
    await run([
      'process',
      selector,
      at('files/*.root'),
      'Events',
      '--set',
      'low=2',
      '--partial',
      at('whole.json'),
    ]);
    const { out, err, status } = await plan();
    expect([err.split('\n')[0], status]).toEqual([expect.stringContaining('3 tasks'), 0]);
    const packed = readdirSync(at('tasks/selector'), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name).slice(at('tasks/selector/').length));
    expect(packed.sort()).toEqual(
      [
        ...[
          'ana/z peak.mjs',
          'ana/data/sf.json.gz',
          'ana/data/runs.json',
          'lib/cuts.mjs',
          'xylem-selector.json',
        ],
        ...['node_modules/twice/package.json', 'node_modules/twice/lib/index.js'],
      ].sort(),
    );
    // On a machine that has the tasks only.
    rmSync(at('elsewhere'), { recursive: true, force: true });
    cpSync(at('work'), at('elsewhere'), { recursive: true });
    rmSync(at('work'), { recursive: true });
    try {
      for (const line of out.trim().split('\n')) expect(shell(line)).toMatchObject({ status: 0 });
    } finally {
      cpSync(at('elsewhere'), at('work'), { recursive: true });
    }
    expect((await run(['combine', at('tasks/task-*.json'), '--partial', at('sum.json')])).status).toBe(0);
    const { made, query } = JSON.parse(readFileSync(at('sum.json'), 'utf8'));
    const whole = JSON.parse(readFileSync(at('whole.json'), 'utf8'));
    expect(made).toEqual(whole.made);
    expect(query).toEqual(whole.query);
    expect(query.files.map(({ name }: { name: string }) => name)).toEqual([
      'cuts.mjs',
      'runs.json',
      'sf.json.gz',
      'twice',
    ]);
    expect(made.state.pt.fills).toBeGreaterThan(0);
  },
);

built('a packed file that changed is refused by its name, and so are results of other files', async () => {
  const { out } = await plan();
  const [line = ''] = out.trim().split('\n');
  write(at('tasks/selector/ana/data/sf.json.gz'), gzipSync('[1, 1, 1]'));
  expect(shell(line)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /ana\/data\/sf\.json\.gz of the packed selector is not the file that was packed/,
    ),
  });
  rmSync(at('tasks/selector/lib/cuts.mjs'));
  write(at('tasks/selector/ana/data/sf.json.gz'), readFileSync(at('work/ana/data/sf.json.gz')));
  expect(shell(line).stderr).toMatch(/lib\/cuts\.mjs of the packed selector is missing/);
  const partial = (name: string, file: string) =>
    run(['process', selector, at('files', file), 'Events', '--partial', at(name)]);
  await partial('one.json', 'a.root');
  const before = readFileSync(at('work/ana/data/sf.json.gz'));
  write(at('work/ana/data/sf.json.gz'), gzipSync('[1, 1, 1]'));
  await partial('two.json', 'b.root');
  write(at('work/ana/data/sf.json.gz'), before);
  const { err, status } = await run(['combine', at('one.json'), at('two.json')]);
  expect([status, err]).toEqual([
    1,
    expect.stringMatching(/sf\.json\.gz, which z peak\.mjs imports or reads, is not the same/),
  ]);
});

built('what cannot travel is refused, and nothing of others is removed', async () => {
  const odd = async (text: string) => {
    write(at('odd/s.mjs'), text);
    return (
      await run([
        ...[
          'plan',
          at('files/a.root'),
          'Events',
          '--out',
          at('odd/tasks'),
          '--process',
          `${at('odd/s.mjs')}`,
        ],
      ])
    ).err;
  };
  const body = "branches: { n: 'nMuon' }, begin: (job) => ({ n: job.counter() }), entry() {}";
  const secret = at('work/ana/data/runs.json');
  expect(
    await odd(
      `import { readFileSync } from 'node:fs'; readFileSync('${secret}'); export default { ${body} };`,
    ),
  ).toMatch(/cannot travel: its copy reads .*runs\.json.*Declare the files/s);
  expect(await odd(`export default { files: { a: '${secret}' }, ${body} };`)).toMatch(
    /its file "a".*is not a path beside the selector/,
  );
  expect(await odd(`export default { files: { a: 'none.json' }, ${body} };`)).toMatch(
    /declares the file "none\.json", which cannot be read/,
  );
  expect(await odd(`export default { file: { a: 'none.json' }, ${body} };`)).toMatch(
    /no use for its member "file"/,
  );
  rmSync(at('odd/tasks'), { recursive: true });
  write(at('odd/tasks/selector/mine.txt'), 'kept');
  expect(await odd(`export default { ${body} };`)).toMatch(
    /has other files than those of a plan, and is kept/,
  );
  expect(existsSync(at('odd/tasks/selector/mine.txt'))).toBe(true);
  const { err } = await run([
    'plan',
    at('files/a.root'),
    'Events',
    '--out',
    at('x'),
    '--process',
    '$HOME/s.mjs',
  ]);
  expect(err).toMatch(/does not begin with the name of a selector/);
});

test.skipIf(
  lacks('python3', spawnSync('python3', ['--version']).status === 0) ||
    lacks('the built program', existsSync(program)),
)('a worker of an engine gets the whole selector with its task', async () => {
  await run([
    'process',
    selector,
    at('files/*.root'),
    'Events',
    '--set',
    'low=2',
    '--partial',
    at('whole.json'),
  ]);
  const code = `import json, os, sys, xylem_tasks as x
xylem, files, selector = sys.argv[1:3], sys.argv[3], sys.argv[4]
job = x.process_job(selector, {"low": 2})
planned = x.plan(xylem, files, "Events", 3, None, job)
os.rename(sys.argv[5], sys.argv[5] + "-gone")
try:
    texts = [x.read(xylem, task["inputs"], "Events", job)["text"] for task in planned["tasks"]]
finally:
    os.rename(sys.argv[5] + "-gone", sys.argv[5])
print(x.combine(xylem, texts))`;
  const env = { ...process.env, PYTHONPATH: resolve(import.meta.dirname, '../../../adapters') };
  const args = ['-c', code, process.execPath, program, at('files/*.root'), selector, at('work')];
  const { stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8', env });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout).made).toEqual(JSON.parse(readFileSync(at('whole.json'), 'utf8')).made);
});

test('words are those of a shell', () => {
  const words = (line: string) => {
    const args = spawnSync('sh', ['-c', `for one in ${line}; do printf '%s\\n' "$one"; done`], {
      encoding: 'utf8',
    });
    expect([line, shellWords(line).map(({ text }) => text)]).toEqual([
      line,
      args.stdout.split('\n').slice(0, -1),
    ]);
  };
  for (const line of [
    "a 'b c' d",
    `"a \\"b\\" c" --set='x y'`,
    'a\\ b c\\\\d',
    `'it'"'"'s' ""`,
    `  x   y `,
    `a"b 'c"d`,
  ])
    words(line);
  expect(shellWords('$a `b` "$c" \'$d\' "\\$e"').map(({ changes }) => changes)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
