// Figures of benchmarks: for the table of all (bench/table.mjs), and in bench/history.jsonl, a line for each commit that was measured.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const path = join(root, 'bench/history.jsonl');

/** @param {string[]} args */
const git = (args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** The environment variable with the path of the file to which a benchmark writes its figures for bench/table.mjs. */
export const FIGURES = 'XYLEM_BENCH_FIGURES';

/**
 * Passes on what a benchmark measured: to the table that ran it, and to the history if that was asked for.
 * @param {string} bench the command that measured
 * @param {Record<string, object>} figures by case
 * @param {boolean} toHistory the option --record
 */
export function keep(bench, figures, toHistory) {
  const out = process.env[FIGURES];
  if (out !== undefined) writeFileSync(out, JSON.stringify(figures));
  if (toHistory) record(bench, figures);
}

/**
 * The newest line of a benchmark in the history.
 * @param {string} bench
 * @returns {{ commit: string, date: string, figures: Record<string, any> } | undefined}
 */
export function newest(bench) {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const line = lines.findLast((one) => JSON.parse(one).bench === bench);
  return line === undefined ? undefined : JSON.parse(line);
}

/**
 * Adds a line: the commit, the machine and its load, and the figures. A checkout with changes that are not committed is
 * refused, because nobody could measure it again.
 * @param {string} bench the command that measured
 * @param {Record<string, object>} figures by case
 */
function record(bench, figures) {
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
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}
