import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { programWith } from '../../cli/program';

const folder = mkdtempSync(join(tmpdir(), 'xylem-process-code-'));
const files = [
  resolve(import.meta.dirname, '../../fixtures/files/page/adl.root'),
  resolve(import.meta.dirname, '../../../public/sample.root'),
] as const;
const { run, built } = programWith(join(folder, '.caches'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]): string => join(folder, ...names);
const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const counts = `branches: { met: 'MET_pt' }, begin: (job) => ({ n: job.counter() }),
  entry({ met }, out) { if (met > min) out.n.add(); },`;
const partial = (path: string, file: string, out: string) =>
  run(['process', path, file, 'Events', '--partial', out]);

/** How a selector may come to a number that is not in its text: its text, other files, the one that is changed, and its name. */
const kinds: [
  what: string,
  main: string,
  text: string,
  others: Record<string, string>,
  changed: string,
  name?: string,
][] = [
  [
    'a module',
    's.mjs',
    `import { min } from './cuts.mjs';\nexport default { ${counts} };`,
    { 'cuts.mjs': 'export const min = 20;' },
    'cuts.mjs',
  ],
  [
    'a module of a module',
    's.mjs',
    `import { min } from './lib/a.mjs';\nexport default { ${counts} };`,
    { 'lib/a.mjs': "export * from '../lib/cuts.mjs';", 'lib/cuts.mjs': 'export const min = 20;' },
    'lib/cuts.mjs',
    'cuts.mjs',
  ],
  [
    'a module that is imported later',
    's.mjs',
    `const { min } = await import('./cuts.mjs');\nexport default { ${counts} };`,
    { 'cuts.mjs': 'export const min = 20;' },
    'cuts.mjs',
  ],
  [
    'a module of CommonJS',
    's.cjs',
    `const { min } = require('./cuts.cjs');\nexports.default = { ${counts} };\nmodule.exports = exports.default;`,
    { 'cuts.cjs': 'exports.min = 20;' },
    'cuts.cjs',
  ],
  [
    'a module of CommonJS in one of ECMAScript',
    's.mjs',
    `import cuts from './cuts.cjs';\nconst { min } = cuts;\nexport default { ${counts} };`,
    { 'cuts.cjs': 'exports.min = 20;' },
    'cuts.cjs',
  ],
  [
    'JSON that is required',
    's.mjs',
    `import { createRequire } from 'node:module';\nconst { min } = createRequire(import.meta.url)('./cuts.json');\nexport default { ${counts} };`,
    { 'cuts.json': '{"min": 20}' },
    'cuts.json',
  ],
  [
    'JSON that is read',
    's.mjs',
    `import { readFileSync } from 'node:fs';\nconst { min } = JSON.parse(readFileSync(new URL('./cuts.json', import.meta.url)));\nexport default { ${counts} };`,
    { 'cuts.json': '{"min": 20}' },
    'cuts.json',
  ],
  [
    'JSON that is read by promises',
    's.mjs',
    `import { open } from 'node:fs/promises';\nconst file = await open(new URL('./cuts.json', import.meta.url));\nconst { min } = JSON.parse(await file.readFile('utf8'));\nawait file.close();\nexport default { ${counts} };`,
    { 'cuts.json': '{"min": 20}' },
    'cuts.json',
  ],
  [
    'JSON of a blob',
    's.mjs',
    `import { openAsBlob } from 'node:fs';\nconst { min } = JSON.parse(await (await openAsBlob(new URL('./cuts.json', import.meta.url))).text());\nexport default { ${counts} };`,
    { 'cuts.json': '{"min": 20}' },
    'cuts.json',
  ],
  [
    'JSON of a stream of an open file',
    's.mjs',
    `import { createReadStream, openSync } from 'node:fs';\nlet text = '';\nfor await (const part of createReadStream('', { fd: openSync(new URL('./cuts.json', import.meta.url)) })) text += part;\nconst { min } = JSON.parse(text);\nexport default { ${counts} };`,
    { 'cuts.json': '{"min": 20}' },
    'cuts.json',
  ],
  [
    'JSON that begin reads',
    's.mjs',
    `import fs from 'node:fs';\nlet min = 0;\nexport default { branches: { met: 'MET_pt' }, entry({ met }, out) { if (met > min) out.n.add(); },
      begin: (job) => { min = JSON.parse(fs.readFileSync(new URL('./cuts.json', import.meta.url), 'utf8')).min; return { n: job.counter() }; } };`,
    { 'cuts.json': '{"min": 20}' },
    'cuts.json',
  ],
  [
    'a package',
    's.mjs',
    `import { min } from 'cuts';\nexport default { ${counts} };`,
    {
      'node_modules/cuts/package.json': '{"name": "cuts", "type": "module", "exports": "./index.js"}',
      'node_modules/cuts/index.js': 'export const min = 20;',
    },
    'node_modules/cuts/index.js',
    'cuts',
  ],
];

/** Writes the files of a selector, and the same ones elsewhere; there one of them is changed. */
function copies(what: string, main: string, text: string, others: Record<string, string>): [string, string] {
  const [one, other] = [at(what, 'one'), at(what, 'other')];
  for (const [path, content] of Object.entries({ [main]: text, ...others })) write(join(one, path), content);
  cpSync(one, other, { recursive: true });
  return [one, other];
}

/** Runs both copies, each on a file, and adds their results. */
async function added(what: string, main: string, [one, other]: [string, string]) {
  const parts = [at(what, '1.json'), at(what, '2.json')] as const;
  const ended = await Promise.all([
    partial(join(one, main), files[0], parts[0]),
    partial(join(other, main), files[1], parts[1]),
  ]);
  expect(ended).toMatchObject([{ status: 0 }, { status: 0 }]);
  return run(['combine', ...parts, '--json']);
}

describe('results of a selector with other files are refused, by the name of what differs', () => {
  built.each(kinds)('%s', async (what, main, text, others, changed, name = changed) => {
    const both = copies(what, main, text, others);
    const path = join(both[1], changed);
    write(path, readFileSync(path, 'utf8').replace('20', '50'));
    const { status, out, err } = await added(what, main, both);
    expect([status, JSON.parse(out)]).toMatchObject([1, { code: 'ARGUMENT' }]);
    expect(err).toContain(`${name}, which ${main} imports or reads, is not the same in both.`);
  });
});

built.each(kinds.filter(([what]) => /^(a module|JSON that is read|a package)$/.test(what)))(
  'results of the same code in another folder add up: %s',
  async (what, main, text, others) => {
    const { status, out, err } = await added(
      `${what} again`,
      main,
      copies(`${what} again`, main, text, others),
    );
    expect([status, err]).toEqual([0, expect.stringContaining('0 of them failed')]);
    expect(JSON.parse(out).results.n).toBeGreaterThan(0);
  },
);

built('a module that changed is named by --resume, and the partial result is left alone', async () => {
  const path = at('resume', 's.mjs');
  write(path, `import { min } from './cuts.mjs';\nexport default { ${counts} };`);
  write(at('resume', 'cuts.mjs'), 'export const min = 20;');
  const part = at('resume', 'r.json');
  expect((await partial(path, files[0], part)).status).toBe(0);
  const before = readFileSync(part, 'utf8');
  const both = ['process', path, files.join(','), 'Events', '--resume', part];
  write(at('resume', 'cuts.mjs'), 'export const min = 50;');
  const refused = await run(both);
  expect(refused.status).toBe(1);
  expect(refused.err).toContain('cuts.mjs, which s.mjs imports or reads, is not the same in both.');
  expect(readFileSync(part, 'utf8')).toBe(before);
  write(at('resume', 'cuts.mjs'), 'export const min = 20;');
  expect((await run(both)).status).toBe(0);
  expect(JSON.parse(readFileSync(part, 'utf8')).inputs).toHaveLength(2);
});

built('a file that is read with the entries is refused where results are kept, by name', async () => {
  const path = at('late', 's.mjs');
  write(
    path,
    `import { readFileSync } from 'node:fs';\nexport default { branches: { met: 'MET_pt' }, begin: (job) => ({ n: job.counter() }),
      process({ met }, out) { out.n.add(JSON.parse(readFileSync(new URL('./late.json', import.meta.url))).min * met.length); } };`,
  );
  write(at('late', 'late.json'), '{"min": 20}');
  const kept = await partial(path, files[1], at('late', 'p.json'));
  expect(kept.status).toBe(1);
  expect(kept.err).toMatch(/s\.mjs reads .*late\.json while it processes entries/);
  const plain = await run(['process', path, files[1], 'Events', '--json']);
  expect([plain.err, plain.status, JSON.parse(plain.out).results.n]).toEqual(['', 0, 48_000]);
});

built('a module that only one of two runs found is named, and the results do not add up', async () => {
  const path = at('found', 's.mjs');
  write(
    path,
    `import { existsSync } from 'node:fs';
    const cuts = new URL('./cuts.mjs', import.meta.url);
    const { min } = existsSync(cuts) ? await import(cuts) : { min: 20 };
    export default { ${counts} };`,
  );
  expect((await partial(path, files[0], at('found', 'without.json'))).status).toBe(0);
  expect(readFileSync(at('found', 'without.json'), 'utf8')).not.toContain('"files"');
  write(at('found', 'cuts.mjs'), 'export const min = 20;');
  expect((await partial(path, files[1], at('found', 'with.json'))).status).toBe(0);
  const { status, err } = await run(['combine', at('found', 'without.json'), at('found', 'with.json')]);
  expect(status).toBe(1);
  expect(err).toContain('s.mjs imports or reads cuts.mjs, and one of the results does not name it.');
});
