import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compileCore, noCore } from '../core/load';

let module: Promise<WebAssembly.Module> | undefined;

/** Compiles xylem-write.wasm once for each process. Throws INTERNAL when it cannot be loaded. */
export function loadWriter(): Promise<WebAssembly.Module> {
  module ??= load();
  return module;
}

async function load(): Promise<WebAssembly.Module> {
  const path = fileURLToPath(new URL('../../build/xylem-write.wasm', import.meta.url));
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw noCore(path, cause);
  });
  return compileCore(bytes, path);
}
