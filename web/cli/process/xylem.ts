#!/usr/bin/env node
import { loadedParts } from './parts';

/** Commands that write for a long time, and must end by a signal at any moment: they run in a thread of their own. */
const LONG = ['export', 'heal', 'merge', 'salvage', 'skim'];

const command = process.argv[2] ?? '';
// To load the module of threads takes two milliseconds.
const startsThread = LONG.includes(command) && process.getBuiltinModule('node:worker_threads').isMainThread;

// A merge runs much code a few hundred times. V8 would optimize all of it, and would mark its heap of 20 MB again and again,
// which takes more time than it saves: without these flags 1,000 small files take 1.7 times the CPU time.
const OF_MERGE = '--interrupt-budget=2000000 --initial-old-space-size=128 --min-semi-space-size=8';
if (startsThread && command === 'merge') process.getBuiltinModule('node:v8').setFlagsFromString(OF_MERGE);

if (startsThread) {
  // The thread keeps its code under the name of the command.
  const { runInThread } = loadedParts(__filename, `${command}-thread`).load(
    './thread.cjs',
  ) as typeof import('./thread');
  runInThread(__filename, process.argv.slice(2));
} else {
  const { main } = loadedParts(__filename, command).load('./main.cjs') as typeof import('./main');
  void main(LONG.includes(command));
}
