import { XylemError } from '../../base/errors';

/**
 * The modules that are loaded when something needs them: their files, and what each does, for messages. A new one is a
 * line here and in the tables of this type, which say where a host finds it.
 */
export const MODULES = {
  math: { file: 'xylem-math.wasm', does: 'The mathematical functions that this expression calls' },
  export: { file: 'xylem-export.wasm', does: 'What writes these formats' },
  write: { file: 'xylem-write.wasm', does: 'What writes ROOT files' },
} as const;

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

/** The error when a module cannot be loaded, or when a reader was made without it. */
export function noModule(name: ModuleName, cause?: unknown): XylemError {
  const { file, does } = MODULES[name];
  return new XylemError({
    code: 'INTERNAL',
    message: `${does} could not be loaded.`,
    fix: `Check that ${file} is in the same folder as xylem.wasm.`,
    cause,
  });
}
