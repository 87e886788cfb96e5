/// <reference path="./inlined.d.ts" />
import deflated from '../../build/xylem-math.wasm?deflated';
import { inflate } from '../core/math-module';

/** The functions are within this script, because a page may forbid to fetch another file. */
export async function compileMath(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await inflate(deflated));
}
