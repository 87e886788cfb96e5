#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { defaultCacheFolder } from '../../cache/node-user-folder';

// From Node 22 on, the compiled form of the modules is kept. Node's own place for it is a folder of the system that
// another user could fill in advance.
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
enableCompileCache?.(join(defaultCacheFolder(), 'compiled'));
/** Commands that write for a long time, and must end by a signal at any moment. */
const LONG = ['export', 'heal', 'merge', 'salvage', 'skim'];

// A merge runs much code a few hundred times. V8 would optimize all of it, which takes more time than it saves: 0.7 of the CPU
// time of 1,000 files is left with this, and no other figure is worse.
if (isMainThread && process.argv[2] === 'merge') setFlagsFromString('--interrupt-budget=2000000');

if (isMainThread && LONG.includes(process.argv[2] ?? '')) {
  const { runInThread } = await import('./thread');
  runInThread(new URL(import.meta.url), process.argv.slice(2));
} else await import('./main');
