// Needs features: exports, pdf, walls, writer, chains.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commands } from '../../web/cli/commands/list';
import { right, tableLines } from '../../web/cli/terminal/table';
import { terminalBins } from '../../web/cli/terminal/terminal-plot';
import { COMMAND_GROUPS } from '../../web/verbs/verb';
import { withReader } from '../engine-reader';
import { SAMPLE } from './sample';
import { run } from './support';

const reader = withReader();
const folder = mkdtempSync(join(tmpdir(), 'xylem-newcomers-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the help has the commands in groups', async () => {
  const { out } = await run(reader, '--help');
  const titles = Object.values(COMMAND_GROUPS).map((title) => out.indexOf(`\n${title}\n`));
  expect(Math.min(...titles)).toBeGreaterThan(0);
  expect([...titles].sort((a, b) => a - b)).toEqual(titles);
  for (const [name, { summary }] of Object.entries(commands))
    expect(out).toContain(`  ${name.padEnd(10)} ${summary}`);
});

test('a file alone is listed, and what is in it', async () => {
  expect(await run(reader, SAMPLE)).toEqual(await run(reader, 'ls', SAMPLE));
  expect(await run(reader, SAMPLE, 'Events', '--json')).toEqual(
    await run(reader, 'ls', SAMPLE, 'Events', '--json'),
  );
  const absent = await run(reader, 'no-such.root');
  expect([absent.status, absent.err]).toEqual([1, expect.stringContaining('no-such.root')]);
});

test.each([
  ['plot', 'draw'],
  ['show', 'ls'],
  ['hadd', 'merge'],
  ['rootls', 'ls'],
  ['info', 'ls'],
  ['cat', 'object'],
  ['open', 'ls'],
  ['Convert', 'export'],
  ['drwa', 'draw'],
])('"%s" leads to %s', async (word, name) => {
  const { status, err } = await run(reader, word, SAMPLE);
  expect(status).toBe(2);
  expect(err).toBe(`xylem: There is no command "${word}". Did you mean ${name}?\nTry "xylem --help".\n`);
});

test('no word of another program is a command, or leads to two', () => {
  const words = Object.values(commands).flatMap(({ elsewhere = [] }) => elsewhere);
  expect(words.filter((word) => Object.hasOwn(commands, word))).toEqual([]);
  expect(words).toEqual([...new Set(words)]);
});

test.each([
  [['draw', SAMPLE, 'Events', 'Muon_pt+'], 2],
  [['draw', SAMPLE, 'Events', 'Muon_pt', 'nMuon=='], 2],
  [['scan', SAMPLE, 'Events', 'sqrt('], 2],
  [['draw', SAMPLE, 'Events', 'Muon_pt', '--option', 'nonsense'], 2],
  [['draw', SAMPLE, 'plots/muonEtaPhi', '--project', 'q'], 2],
  [['draw', SAMPLE, 'Events', 'Muon_pt', '--layer', '1+'], 2],
  [['draw', SAMPLE, 'Events', 'Muon_ptt'], 1],
  [['draw', SAMPLE, 'nothing'], 1],
  [['wall', SAMPLE, 'plots/zz*', '--html', join(folder, 'wall.html')], 1],
  [['wall', SAMPLE, '--filter', 'zz', '--html', join(folder, 'wall.html')], 1],
] as const)('%j ends with status %i', async (args, status) => {
  const found = await run(reader, ...args);
  expect(found.status, found.err).toBe(status);
  expect(found.err).toMatch(/^xylem: /);
});

test('a wall without plots is not written', () => expect(existsSync(join(folder, 'wall.html'))).toBe(false));

test('a folder and an output of one name are refused before anything is made', async () => {
  const place = join(folder, 'both');
  const { status, err } = await run(reader, 'plan', SAMPLE, 'Events', '--out', place, '--report', place);
  expect([status, err]).toEqual([2, expect.stringContaining('--out and --report name the same place')]);
  expect(existsSync(place)).toBe(false);
});

test.each([
  ['draw', 'Evnts', 'Muon_pt'],
  ['scan', 'events2', 'Muon_pt'],
  ['values', 'Evnts'],
  ['summary', 'Evnts'],
  ['tree', 'Evnts'],
  ['ls', 'Evnts'],
])('%s of the tree "%s" asks whether Events was meant', async (name, ...words) => {
  const { status, err } = await run(reader, name, SAMPLE, ...words);
  expect(status).toBe(1);
  expect(err).toMatch(/Did you mean "Events"\?/);
});

test('bins with labels are listed with their labels, in a terminal', async () => {
  const model = {
    ...{ kind: 'bins' as const, title: 'Triggers', xTitle: '', yTitle: 'Entries', mark: 'steps' as const },
    ...{ stats: [], edges: Float64Array.of(0, 1, 2, 3), xLabels: ['HLT_Mu17_Mu8', 'HLT_IsoMu24', ''] },
    values: Float64Array.of(4, 0, 2.5),
  };
  expect(terminalBins(model as never, { width: 40 }).map((line) => line.trimEnd())).toEqual([
    'Triggers',
    `HLT_Mu17_Mu8    4  ${'█'.repeat(21)}`,
    'HLT_IsoMu24     0',
    `3             2.5  ${'█'.repeat(13)}▏`,
    '',
    '',
  ]);
});

test('titles are cut to the width of a terminal, and left out where they have no room', () => {
  const columns = ['Name', right('Size'), { rest: 'Title' }];
  const rows = [['x', '10 B', 'the horizontal position of the vertex (cm)']];
  expect(tableLines(columns, rows)[1]).toContain('of the vertex (cm)');
  expect(tableLines(columns, rows, 34)).toEqual(['Name  Size  Title', 'x     10 B  the horizontal positi…']);
  expect(tableLines(columns, rows, 20)).toEqual(['Name  Size', 'x     10 B']);
  const long = `${'a'.repeat(50)}.${'b'.repeat(30)}`;
  expect(tableLines(['Name', right('Size')], [[long, '1 B']])[1]).toMatch(/^a{20}….*b{30} +1 B$/);
});

describe('draw --pdf', () => {
  test.each([['Events', 'Dimuon_mass'], ['Events', 'Muon_eta:Muon_pt'], ['plots/dimuonMass']])(
    'of %s %s is a PDF of one page',
    async (...words) => {
      const path = join(folder, `${words.join('-').replace(/\W/g, '')}.pdf`);
      const { status, err } = await run(reader, 'draw', SAMPLE, ...words, '--pdf', path);
      expect(status, err).toBe(0);
      const text = readFileSync(path, 'latin1');
      expect(text).toMatch(/^%PDF-1\.7/);
      expect(text).toContain('/Count 1');
      expect(text.trimEnd()).toMatch(/%%EOF$/);
    },
  );

  test('is one of several forms', async () => {
    const { status, err } = await run(reader, 'draw', SAMPLE, 'Events', 'MET_pt', '--pdf', 'a', '--svg', 'b');
    expect([status, err]).toEqual([2, expect.stringMatching(/--svg or --pdf/)]);
  });
});

describe('names in completions', () => {
  test('of a file, of a tree, and of its only tree', async () => {
    const file = (await run(reader, 'completion', 'names', SAMPLE)).out.split('\n');
    expect(file).toEqual(expect.arrayContaining(['Events', 'plots/dimuonMass', 'about']));
    const named = await run(reader, 'completion', 'names', SAMPLE, 'Events');
    expect(named.out.split('\n')).toEqual(expect.arrayContaining(['run', 'Muon_pt', 'trigger']));
    expect(await run(reader, 'completion', 'names', SAMPLE, '?')).toEqual(named);
  });

  test('bash asks for them', async () => {
    // A program "xylem" that answers as "completion names" does, and says with which words it was called.
    const answers = [
      await run(reader, 'completion', 'names', SAMPLE),
      await run(reader, 'completion', 'names', SAMPLE, '?'),
    ];
    const [names, branches] = answers.map(({ out }) => out.trim());
    const program = `#!/bin/sh\n[ "$1 $2 $3" = "completion names ${SAMPLE}" ] || exit 1\nif [ -z "$4" ]; then cat <<'E'\n${names}\nE\nelse cat <<'E'\n${branches}\nE\nfi\n`;
    writeFileSync(join(folder, 'xylem'), program, { mode: 0o755 });
    const script = join(folder, 'xylem.bash');
    writeFileSync(script, (await run(reader, 'completion', 'bash')).out);
    const complete = (line: string): string[] => {
      const code = `source "$0"; IFS=' ' read -ra COMP_WORDS <<<"$1"; [[ $1 == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); set -u; _xylem; for one in "\${COMPREPLY[@]}"; do echo "$one"; done`;
      const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
      return execFileSync('bash', ['--norc', '-c', code, script, line], { encoding: 'utf8', env })
        .split('\n')
        .filter(Boolean);
    };
    if (spawnSync('bash', ['--version']).status !== 0) return;
    expect(complete(`xylem draw ${SAMPLE} Ev`)).toEqual(['Events']);
    expect(complete(`xylem ls ${SAMPLE} plots/`)).toEqual(expect.arrayContaining(['plots/dimuonMass']));
    expect(complete(`xylem draw ${SAMPLE} Events Muon_p`)).toEqual(['Muon_pt', 'Muon_phi', 'Muon_pfRelIso']);
    expect(complete(`xylem values ${SAMPLE} --branches nMuon,MET_p`)).toEqual([
      'nMuon,MET_pt',
      'nMuon,MET_phi',
    ]);
    expect(complete(`xylem draw ${folder}/none.root Ev`)).toEqual([]);
  });
});
