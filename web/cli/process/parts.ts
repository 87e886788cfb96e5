import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { defaultCacheFolder } from '../../cache/node-user-folder';

// The command line is made of scripts, its parts, which `programParts` in vite.config.ts makes. Node's own loading of modules
// takes half a millisecond for each, and what its compile cache keeps has only what ran while a module was compiled, not the
// functions that a command calls.

/** Checksum of all parts, by the build. */
declare const PROGRAM_BUILD: string;

/** Calls of Node as they are at the start: later web/io/node-reads.ts notes which files the code of a selector opens. */
const calls = { closeSync, fstatSync, openSync, readSync };

function readOwn(path: string): Buffer {
  const file = calls.openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(calls.fstatSync(file).size);
    for (let at = 0; at < bytes.length; ) {
      const got = calls.readSync(file, bytes, at, bytes.length - at, null);
      if (got === 0) throw new Error(`${path} ended while it was read.`);
      at += got;
    }
    return bytes;
  } finally {
    calls.closeSync(file);
  }
}

/** Imports a module for a part, which lies beside this script. */
const importModule = (name: string): Promise<unknown> => import(name);

/** How a part is called: see vite.config.ts. */
type Part = (
  exports: object,
  load: (name: string) => unknown,
  later: (name: string, modules?: readonly string[]) => Promise<unknown>,
  importModule: (name: string) => Promise<unknown>,
  ownUrl: string,
) => void;

interface Compiled {
  /** The build, and for each part where its code begins and how long it is. */
  build: string;
  parts: Record<string, [number, number]>;
}

export interface Parts {
  /** Runs a part, if it has not run, and returns what it exports. */
  load(name: string): unknown;
}

/** A longer run has thrown away compiled functions that it called at its start. */
const SHORT_SECONDS = 10;
/** The length of the text before the codes is one number. */
const HEAD = 4;

/**
 * The parts beside `script`. What the functions that `command` calls were compiled to is kept in the user's folder of caches:
 * Node's own place for such is a folder of the system that another user could fill in advance.
 */
export function loadedParts(script: string, command: string): Parts {
  const folder = dirname(script);
  const here = pathToFileURL(script).href;
  const file = compiledFile(command);
  const kept = file === undefined ? undefined : readCompiled(file);
  const scripts = new Map<string, Script>();
  const made = new Map<string, object>();
  /** Modules that are not parts, by the names by which parts load them. */
  const modules = new Map<string, unknown>();
  let lacks = false;

  const compile = (name: string): Part => {
    const filename = join(folder, name);
    const cachedData = kept?.codeOf(name);
    const one = new Script(readOwn(filename).toString('latin1'), {
      filename,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || one.cachedDataRejected) lacks = true;
    scripts.set(name, one);
    return one.runInThisContext() as Part;
  };
  const load = (name: string): unknown => {
    if (name.startsWith('node:')) return process.getBuiltinModule(name);
    const module = made.get(name);
    if (module !== undefined) return module;
    if (modules.has(name)) return modules.get(name);
    const exports = {};
    made.set(name, exports);
    compile(name)(exports, load, later, importModule, new URL(name, here).href);
    return exports;
  };
  const later = async (name: string, needed: readonly string[] = []): Promise<unknown> => {
    for (const one of needed) if (!modules.has(one)) modules.set(one, await importModule(one));
    return load(name);
  };

  process.on('exit', (status) => {
    if (status !== 0 || !lacks || file === undefined || process.uptime() > SHORT_SECONDS) return;
    keepCompiled(
      file,
      [...scripts].map(([name, one]) => [name, one.createCachedData()]),
    );
  });
  return { load };
}

/** Where the code for a command is kept; undefined for words that are not one, and if Node is told to keep none. */
function compiledFile(command: string): string | undefined {
  if (!/^[a-z-]{0,20}$/.test(command) || process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const { arch, version } = process;
  const name = command.replace(/^-*$/, 'none');
  return join(defaultCacheFolder(), 'compiled', `${version}-${arch}`, `${name}.bin`);
}

/** The codes that were kept; undefined if the file is damaged, of another build, or not there. */
function readCompiled(file: string): { codeOf(name: string): Buffer | undefined } | undefined {
  try {
    const bytes = readOwn(file);
    const length = bytes.readUInt32LE(0);
    const head = JSON.parse(bytes.toString('latin1', HEAD, HEAD + length)) as Compiled;
    const ends = Object.values(head.parts).map(([start, size]) => start + size);
    if (head.build !== PROGRAM_BUILD || Math.max(...ends) !== bytes.length) return undefined;
    return {
      codeOf: (name) => {
        const [start, size] = Object.hasOwn(head.parts, name) ? (head.parts[name] ?? []) : [];
        return start === undefined || size === undefined ? undefined : bytes.subarray(start, start + size);
      },
    };
  } catch {
    return undefined;
  }
}

/** Keeps codes under a name that they get when they are complete. Without a folder of caches nothing is kept. */
function keepCompiled(file: string, codes: readonly (readonly [string, Buffer])[]): void {
  const parts: Compiled['parts'] = {};
  // Codes begin where numbers of eight bytes may.
  const aligned = (at: number): number => Math.ceil(at / 8) * 8;
  const whole = (start: number): number => {
    let at = start;
    for (const [name, code] of codes) {
      parts[name] = [at, code.length];
      at = aligned(at + code.length);
    }
    return at;
  };
  const headOf = (): Buffer => Buffer.from(JSON.stringify({ build: PROGRAM_BUILD, parts }));
  // The places are as long as they will be at most.
  whole(10 ** 9);
  const start = aligned(HEAD + headOf().length);
  whole(start);
  const head = headOf();
  const last = Object.values(parts).at(-1) ?? [start, 0];
  const bytes = Buffer.alloc(last[0] + last[1]);
  bytes.writeUInt32LE(head.length, 0);
  head.copy(bytes, HEAD);
  for (const [name, code] of codes) code.copy(bytes, parts[name]?.[0]);
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, file);
  } catch {
    try {
      unlinkSync(unfinished);
    } catch {}
  }
}
