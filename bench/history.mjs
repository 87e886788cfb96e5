// bench/history.jsonl: a line for each commit that was measured.
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** @param {string[]} args */
const git = (args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/**
 * Adds a line: the commit, the machine and its load, and the figures. A checkout with changes that are not committed is
 * refused, because nobody could measure it again.
 * @param {string} bench the command that measured
 * @param {Record<string, object>} figures by case
 */
export function record(bench, figures) {
  // The history itself may have changed.
  if (git(['status', '--porcelain', '--untracked-files=no', '--', ':!bench/history.jsonl']) !== '')
    throw new Error('Commit first: only what is committed is recorded.');
  const processors = cpus();
  const line = {
    commit: git(['rev-parse', '--short=12', 'HEAD']),
    date: new Date().toISOString().slice(0, 10),
    bench,
    machine: { cpu: processors[0]?.model.trim() ?? '', cores: processors.length, node: process.version },
    load: Number(loadavg()[0]?.toFixed(1)),
    figures,
  };
  appendFileSync(join(root, 'bench/history.jsonl'), `${JSON.stringify(line)}\n`);
}
