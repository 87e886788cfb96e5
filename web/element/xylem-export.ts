/// <reference path="./inlined.d.ts" />
import deflated from '../../build/xylem-export.wasm?deflated';
import { inflate } from '../core/math-module';

export * from '../export/export-tree';

let compiled: Promise<WebAssembly.Module> | undefined;

/** The module that writes tables is within this script, because a page may forbid to fetch another file. */
export function encoder(): Promise<WebAssembly.Module> {
  compiled ??= inflate(deflated).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}
