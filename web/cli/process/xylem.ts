#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { defaultCacheFolder } from '../../cache/node-user-folder';

// From Node 22 on, the compiled form of the modules is kept. Node's own place for it is a folder of the system that
// another user could fill in advance.
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
enableCompileCache?.(join(defaultCacheFolder(), 'compiled'));
/** Commands that write for a long time, and must end by a signal at any moment. */
const LONG = ['export', 'heal', 'merge', 'salvage', 'skim'];

if (isMainThread && LONG.includes(process.argv[2] ?? '')) {
  const { runInThread } = await import('./thread');
  runInThread(new URL(import.meta.url), process.argv.slice(2));
} else await import('./main');
