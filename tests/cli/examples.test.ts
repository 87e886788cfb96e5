// Needs features: all.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseWords } from '../../web/cli/command';
import { type CommandTable, commands } from '../../web/cli/commands/list';
import { COMMAND_GROUPS } from '../../web/verbs/verb';
import { openReader, withReader } from '../engine-reader';
import { startRangeServer } from '../servers/range-server';
import { SAMPLE } from './sample';
import { run } from './support';

/** Commands that go on until they are ended: only their words are checked. */
const ENDLESS = ['serve', 'mcp'];
/** One that measures this machine for minutes, and writes beside the caches of the user. */
const LONG = ['calibrate'];

const SELECTOR = `export default {
  branches: { mass: 'Dimuon_mass' },
  begin: (job) => ({ mass: job.hist([60, 60, 120]) }),
  process: ({ mass }, out) => out.mass.fill(mass),
};`;

const MODEL = {
  sites: [{ name: 'near', slots: 4, link: { latencyMs: 1, mbitPerS: 1000 } }],
  datasets: [{ name: 'sample', file: 'sample.root', files: 20 }],
  uses: [{ name: 'muons', dataset: 'sample', branches: ['Muon_*'] }],
  jobs: { count: 100 },
};

const folder = mkdtempSync(join(tmpdir(), 'xylem-examples-'));
// The cache that an example clears.
process.env.XDG_CACHE_HOME = join(folder, 'cache');
const reader = withReader(() => openReader({ workers: 0, cache: true }));
/** A name of a file in an example, in the folder of the test. */
const at = (word: string): string =>
  /^([\w*-]+\.(root|json|svg|html|parquet|mjs)|tasks)$/.test(word) ? join(folder, word) : word;
const all: [name: string, words: string, about: string][] = [];

for (const [name, { load }] of Object.entries(commands as CommandTable))
  for (const [words, about] of (await load()).examples) all.push([name, words, about]);

const CORRECTIONS = {
  schema_version: 2,
  corrections: [
    {
      ...{ name: 'NUM_TightID', version: 1, output: { name: 'sf', type: 'real' } },
      inputs: [
        { name: 'abseta', type: 'real' },
        { name: 'pt', type: 'real' },
        { name: 'scale_factors', type: 'string' },
      ],
      data: { nodetype: 'binning', input: 'pt', edges: [15, 40, 120], content: [0.97, 0.99], flow: 'clamp' },
    },
  ],
};

beforeAll(async () => {
  for (const name of ['sample.root', 'other.root']) cpSync(SAMPLE, at(name));
  writeFileSync(at('selector.mjs'), SELECTOR);
  writeFileSync(at('model.json'), JSON.stringify(MODEL));
  writeFileSync(at('muon_Z.json.gz'), gzipSync(JSON.stringify(CORRECTIONS)));
  const hist = ['--hist', '50,0,100', '--partial'];
  for (const [part, file] of [
    ['part1.json', 'sample.root'],
    ['part2.json', 'other.root'],
  ] as const)
    await run(reader, 'draw', at(file), 'Events', 'Muon_pt', ...hist, at(part));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Splits a line as a shell does. */
const split = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

test('each command has two examples, and a group', async () => {
  for (const [name, { group, load }] of Object.entries(commands)) {
    expect(Object.keys(COMMAND_GROUPS), name).toContain(group);
    const { examples, help } = await load();
    expect(examples.length, name).toBeGreaterThanOrEqual(2);
    expect(help(name)).toContain('Examples:');
    for (const [words] of examples) expect(help(name)).toContain(`  xylem ${name} ${words}`.trimEnd());
  }
});

test.each(all)(
  'xylem %s %s',
  async (name, words) => {
    const args = split(words);
    const command = await (commands as CommandTable)[name]?.load();
    parseWords(args, command?.options ?? {});
    if ([...ENDLESS, ...LONG].includes(name)) return;
    const server = name === 'probe' ? await startRangeServer(readFileSync(SAMPLE)) : undefined;
    try {
      const given = args.map((word) => (server && word.startsWith('https:') ? server.url : at(word)));
      const { status, err } = await run(reader, name, ...given);
      // A server of tests lacks what probe looks for, which is its answer.
      expect(status, err).toBe(name === 'probe' ? 1 : 0);
      const option = given.findIndex((word) => /^--(svg|html|report|out)$/.test(word));
      const made = option < 0 ? undefined : given[option + 1];
      if (made !== undefined) expect(existsSync(made), made).toBe(true);
    } finally {
      await server?.close();
    }
  },
  60_000,
);

// Written by "npx vitest run tests/cli/examples.test.ts -u".
test('docs/examples.md has the examples of all commands', async () => {
  const parts = Object.entries(COMMAND_GROUPS).map(([group, title]) => {
    const own = all.filter(([name]) => (commands as CommandTable)[name]?.group === group);
    const lines = own.map(([name, words, about]) => `# ${about}\n${`xylem ${name} ${words}`.trimEnd()}\n`);
    return `## ${title}\n\n\`\`\`text\n${lines.join('\n')}\`\`\`\n`;
  });
  const head = `# Examples of commands

These are the examples that \`xylem COMMAND --help\` shows. \`sample.root\` is the file that the page offers as a sample
([public/sample.root](../public/sample.root)). All options are in the help of each command; [cli.md](cli.md) explains them.
`;
  await expect([head, ...parts].join('\n')).toMatchFileSnapshot('../../docs/examples.md');
});
