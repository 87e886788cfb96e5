import { XylemError } from '../../base/errors';
import type { CorePart } from '../module';
import MODULES from './registry.json' with { type: 'json' };

/** A module that is loaded only when it is needed. */
export type ModuleName = keyof typeof MODULES;

const PART_TASKS: Readonly<Record<CorePart, string>> = {
  zstd: 'What decompresses zstd',
  xz: 'What decompresses xz',
  ntuple: 'What reads RNTuples',
};

/** Compiles a module. Throws INTERNAL or NETWORK if it cannot be loaded. */
export type LoadModule = (name: ModuleName | CorePart) => Promise<WebAssembly.Module>;

function isPart(name: ModuleName | CorePart): name is CorePart {
  return name in PART_TASKS;
}

/** Returns a function that loads the modules of a core that has all its parts. */
export function withoutParts(load: (name: ModuleName) => Promise<WebAssembly.Module>): LoadModule {
  return (name) => (isPart(name) ? Promise.reject(noModule(name)) : load(name));
}

/** Loads each module once. After a failure, the next call loads it again. */
export function loadOnce(load: LoadModule): LoadModule {
  const loaded = new Map<ModuleName | CorePart, Promise<WebAssembly.Module>>();
  return (name) => {
    const known = loaded.get(name);
    if (known) return known;
    const module = load(name);
    loaded.set(name, module);
    module.catch(() => loaded.delete(name));
    return module;
  };
}

/** Returns the name of the file of a module. */
export function fileOf(name: ModuleName | CorePart): string {
  return `xylem-${name}.wasm`;
}

/** Returns the purpose of a module for messages. */
export function taskOf(name: ModuleName | CorePart): string {
  return isPart(name) ? PART_TASKS[name] : MODULES[name];
}

/** Returns the error for a module that cannot be loaded, or that a reader does not have. */
export function noModule(name: ModuleName | CorePart, cause?: unknown): XylemError {
  return new XylemError({
    code: 'INTERNAL',
    message: `${taskOf(name)} could not be loaded.`,
    fix: `Check that ${fileOf(name)} is in the same folder as xylem.wasm.`,
    cause,
  });
}
