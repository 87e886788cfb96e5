import { XylemError } from '../../base/errors';
import MODULES from './registry.json' with { type: 'json' };

/** A module that is loaded when something needs it. */
export type ModuleName = keyof typeof MODULES;

/** Compiles a module. Throws INTERNAL when it cannot be loaded, and NETWORK. */
export type LoadModule = (name: ModuleName) => Promise<WebAssembly.Module>;

/** Loads each module once; one that could not be loaded is loaded anew for the next call. */
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

/** Returns the words of messages for what a module does. */
export function taskOf(name: ModuleName): string {
  return MODULES[name];
}

/** The error when a module cannot be loaded, or when a reader was made without it. */
export function noModule(name: ModuleName, cause?: unknown): XylemError {
  return new XylemError({
    code: 'INTERNAL',
    message: `${taskOf(name)} could not be loaded.`,
    fix: `Check that ${fileOf(name)} is in the same folder as xylem.wasm.`,
    cause,
  });
}
