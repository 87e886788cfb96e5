// Needs features: exports, writer.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect } from 'vitest';
import { fixtureFolder } from '../engine/fixtures';
import { program, programWith } from './program';

const folder = mkdtempSync(join(tmpdir(), 'xylem-signals-'));
const out = join(folder, 'out');
const source = join(fixtureFolder, 'clusters.root');
const { built } = programWith(join(folder, '.caches'));
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a command that never gives way once it has begun its file, sends a signal then, and waits for its end. */
async function interrupted(args: string[], signal: NodeJS.Signals): Promise<NodeJS.Signals | number | null> {
  const child = spawn(
    process.execPath,
    ['--import', join(import.meta.dirname, 'stuck.mjs'), program, ...args],
    {
      stdio: ['ignore', 'ignore', 'ignore'],
    },
  );
  const begun = new Promise<void>((resolve) => {
    const watcher = watch(folder, () => {
      if (!readdirSync(folder).some((name) => name.endsWith('.unfinished'))) return;
      watcher.close();
      resolve();
    });
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.on('exit', (status, by) => resolve(by ?? status)),
  );
  await Promise.race([begun, ended]);
  child.kill(signal);
  return ended;
}

describe('a signal ends a command in a loop without end, and nothing is left', () => {
  built.each([
    ['heal', [source, out], 'SIGTERM'],
    ['heal', [source, out, '--level', 'rebasket'], 'SIGINT'],
    ['skim', [source, out], 'SIGHUP'],
    ['skim', [source, source, out], 'SIGTERM'],
    ['skim', [source, out, '--to', 'rntuple'], 'SIGTERM'],
    ['merge', [out, source, source], 'SIGTERM'],
    ['salvage', [source, out], 'SIGTERM'],
    ['export', [source, 't', '-o', out, '--format', 'csv'], 'SIGTERM'],
    ['export', [source, 't', '-o', out, '--format', 'root'], 'SIGINT'],
  ] as const)('%s %j: %s', async (command, args, signal) => {
    expect(await interrupted([command, ...args], signal)).toBe(signal);
    expect(readdirSync(folder)).toEqual([]);
  });
});
