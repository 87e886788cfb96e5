#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';
import { defaultCacheFolder } from '../cache/node-user-folder';

// From Node 22 on, the compiled form of the modules is kept. Node's own place for it is a folder of the system that
// another user could fill in advance.
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
enableCompileCache?.(join(defaultCacheFolder(), 'compiled'));
await import('./main');
