import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

let writer: Promise<WebAssembly.Module> | undefined;

/** Compiles xylem-write.wasm once for each process, when the first file is written. */
export function loadWriter(): Promise<WebAssembly.Module> {
  const path = fileURLToPath(new URL('../build/xylem-write.wasm', import.meta.url));
  writer ??= readFile(path).then((bytes) => WebAssembly.compile(bytes));
  return writer;
}
