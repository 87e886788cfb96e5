// Needs features: doctor, exports.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version } from '../../package.json';
import { commandNames, commands } from '../../web/cli/commands/list';
import { createMockReader } from '../mock-reader';
import { lacks } from '../needs';
import { run } from './support';

const reader = createMockReader();
let folder = '';
const scripts: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-completion-'));
  mkdirSync(join(folder, 'runs'));
  for (const name of ['a b.root', 'other.txt', "it's $(touch hit).root"])
    writeFileSync(join(folder, name), '');
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, out } = await run(reader, 'completion', shell);
    expect(status).toBe(0);
    scripts[shell] = join(folder, `.xylem.${shell}`);
    writeFileSync(scripts[shell], out);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A line, the last word of which is to be completed, and some of what is proposed; "!" before what is not. */
const lines: [string, string[]][] = [
  ['xylem ', [...commandNames, 'help']],
  ['xylem la', ['layout', '!ls']],
  ['xylem --v', ['--version']],
  ['xylem layout --s', ['--sort', '--svg', '--streaming', '!--save']],
  ['xylem layout --sort ', ['stored', 'perentry']],
  ['xylem layout --sort fa', ['factor', '!file']],
  ['xylem completion ', ['bash', 'zsh', 'fish', '!runs/']],
  ['xylem cache c', ['clear', '!list']],
  ['xylem help sc', ['scan']],
  ['xylem export --format par', ['parquet']],
  ['xylem check --fail-on error,trunc', ['error,truncated']],
  ['xylem draw --friend-', ['--friend-index']],
];

const inFiles: [string, string[]][] = [
  ['xylem ls ', ['a b.root', 'runs', '!other.txt']],
  ['xylem export --out o', ['other.txt']],
];

/** Whether what is proposed is as a line wants it. */
function expectProposed(found: readonly string[], wanted: readonly string[]): void {
  for (const one of wanted) {
    if (one.startsWith('!')) expect(found).not.toContain(one.slice(1));
    else expect(found).toContain(one);
  }
}

const missing = (shell: string): boolean => lacks(shell, spawnSync(shell, ['--version']).status === 0);

describe.skipIf(missing('bash'))('bash', () => {
  const complete = (line: string): string[] => {
    const program = `source "$0"; IFS=' ' read -ra COMP_WORDS <<<"$1"; [[ $1 == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); set -u; _xylem; for one in "\${COMPREPLY[@]}"; do echo "$one"; done`;
    const args = ['--norc', '-c', program, scripts.bash ?? '', line];
    return execFileSync('bash', args, { cwd: folder, encoding: 'utf8' }).split('\n').filter(Boolean);
  };
  test.each([...lines, ...inFiles])('%s', (line, wanted) => expectProposed(complete(line), wanted));

  test('an option with its value in one word', () => {
    const program = `source "$0"; COMP_WORDS=(xylem layout --sort = fa); COMP_CWORD=4; _xylem; echo "\${COMPREPLY[*]}"`;
    expect(execFileSync('bash', ['--norc', '-c', program, scripts.bash ?? ''], { encoding: 'utf8' })).toBe(
      'factor\n',
    );
  });

  test('an interactive shell completes a line, and a hostile name of a file runs nothing', () => {
    const typed = `source '${scripts.bash}'\nPS1=; bind 'set show-all-if-ambiguous on'\necho xylem lay\t\necho xylem ls it\t\n`;
    const { stdout } = spawnSync('bash', ['--norc', '-i'], { cwd: folder, input: typed, encoding: 'utf8' });
    expect(stdout).not.toBeNull();
    expect(execFileSync('ls', [folder], { encoding: 'utf8' })).not.toContain('hit\n');
    expect(complete('xylem ls it')).toEqual(["it's $(touch hit).root"]);
    expect(execFileSync('ls', [folder], { encoding: 'utf8' })).not.toMatch(/^hit$/m);
  });
});

describe.skipIf(missing('fish'))('fish', () => {
  const complete = (line: string): string[] => {
    const program = 'source $argv[1]; complete -C $argv[2]';
    const args = ['--no-config', '-c', program, scripts.fish ?? '', line];
    const out = execFileSync('fish', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, HOME: folder },
    });
    return out
      .split('\n')
      .map((found) => found.split('\t')[0] ?? '')
      .filter(Boolean);
  };
  test.each(lines)('%s', (line, wanted) => expectProposed(complete(line), wanted));
});

describe.skipIf(missing('zsh'))('zsh', () => {
  /** Returns the text that an interactive zsh on its own terminal shows for a line and Tab. */
  const complete = (line: string): string => {
    const program = `
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z "PS1=; cd ${folder}; autoload -Uz compinit; compinit -u -D; source '${scripts.zsh}'"
      zpty -w z "zstyle ':completion:*' list-packed no; LISTMAX=0; setopt no_list_ambiguous; echo rea''dy"
      zpty -r z out '*ready*'
      zpty -w -n z "${line}"$'\\t\\C-a: \\C-e;echo d\\'\\'one\\n'
      zpty -r z out '*done*'
      print -r -- "$out"`;
    return execFileSync('zsh', ['-f', '-c', program], { encoding: 'utf8', timeout: 60_000 });
  };
  test('is understood', () => {
    execFileSync('zsh', ['-f', '-n', scripts.zsh ?? '']);
  });
  test.each([
    ['xylem lay', 'layout'],
    ['xylem layout --sort=fac', '--sort=factor'],
    ['xylem cache cl', 'clear'],
    ['xylem export --format par', 'parquet'],
    ['xylem ls a', 'a\\ b.root'],
  ])('%s', (line, wanted) => expect(complete(line)).toContain(wanted));
});

test('every option of every command is in each script', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { out } = await run(reader, 'completion', shell);
    for (const { load } of Object.values(commands)) {
      const { options } = await load();
      for (const name of Object.keys(options))
        expect(out, shell).toContain(shell === 'fish' ? `-l ${name}` : `--${name}`);
    }
  }
});

test('there is a version, and no completion for other shells', async () => {
  expect(await run(reader, '--version')).toEqual({ status: 0, out: `xylem ${version}\n`, err: '' });
  expect(await run(reader, '-V')).toMatchObject({ status: 0 });
  const other = await run(reader, 'completion', 'tcsh');
  expect(other).toMatchObject({ status: 2, out: '' });
  expect(await run(reader, 'completion')).toMatchObject({
    status: 2,
    err: expect.stringContaining('bash or zsh or fish or names is missing'),
  });
});
