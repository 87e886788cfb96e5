#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { own } from '../base/own';
import { defaultCacheFolder } from '../cache/node-user-folder';
import { commands } from './commands';

// From Node 22 on, the compiled form of the modules is kept. Node's own place for it is a folder of the system that
// another user could fill in advance.
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
enableCompileCache?.(join(defaultCacheFolder(), 'compiled'));
// A command that writes for a long time must end by a signal at any moment.
if (isMainThread && own(commands, process.argv[2] ?? '')?.inThread) {
  const { runInThread } = await import('./process/thread');
  runInThread(new URL(import.meta.url));
} else await import('./process/main');
