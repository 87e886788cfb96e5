import { XylemError } from '../../base/errors';
import MODULES from './registry.json' with { type: 'json' };

/** A module that is loaded only when it is needed. */
export type ModuleName = keyof typeof MODULES;

/** Compiles a module. Throws INTERNAL or NETWORK if it cannot be loaded. */
export type LoadModule = (name: ModuleName) => Promise<WebAssembly.Module>;

/** Loads each module once. After a failure, the next call loads it again. */
export function loadOnce(load: LoadModule): LoadModule {
  const loaded = new Map<ModuleName, Promise<WebAssembly.Module>>();
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
export function fileOf(name: ModuleName): string {
  return `xylem-${name}.wasm`;
}

/** Returns the purpose of a module for messages. */
export function taskOf(name: ModuleName): string {
  return MODULES[name];
}

/** Returns the error for a module that cannot be loaded, or that a reader does not have. */
export function noModule(name: ModuleName, cause?: unknown): XylemError {
  return new XylemError({
    code: 'INTERNAL',
    message: `${taskOf(name)} could not be loaded.`,
    fix: `Check that ${fileOf(name)} is in the same folder as xylem.wasm.`,
    cause,
  });
}
