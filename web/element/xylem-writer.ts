/// <reference path="./inlined.d.ts" />
import deflated from '../../build/xylem-write.wasm?deflated';
import { inflate } from '../core/math-module';

let compiled: Promise<WebAssembly.Module> | undefined;

/** The module that writes ROOT files is within this script, because a page may forbid to fetch another file. */
export function compileWriter(): Promise<WebAssembly.Module> {
  compiled ??= inflate(deflated).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}
