/// <reference path="./inlined.d.ts" />
import core from '../../build/xylem-first.wasm?deflated';
import type { CorePart } from '../core/module';
import { loadOnce, type ModuleName, taskOf } from '../core/modules/registry';
import type { GivenModule } from './given-modules';
import { loadPart } from './load-part';

/** A module in a script, deflated and as base64, or a function that asks a host for it. */
type Part = string | (() => Promise<GivenModule>);

/** A module is a part of the element, within a script, because a page may forbid to fetch another file. */
const PARTS: Readonly<Record<ModuleName | CorePart, () => Promise<{ default: Part }>>> = {
  math: () => import('../../build/xylem-math.wasm?deflated'),
  export: () => import('../../build/xylem-export.wasm?deflated'),
  fit: () => import('../../build/xylem-fit.wasm?deflated'),
  write: () => import('../../build/xylem-write.wasm?deflated'),
  zstd: () => import('../../build/xylem-zstd.wasm?deflated'),
  xz: () => import('../../build/xylem-xz.wasm?deflated'),
  ntuple: () => import('../../build/xylem-ntuple.wasm?deflated'),
};

/** Returns the modules of the element. Throws NETWORK when a part cannot be loaded. */
export const elementModules = loadOnce(async (name) => {
  const { default: part } = await loadPart(taskOf(name), PARTS[name]);
  return await compile(part);
});

let compiled: Promise<WebAssembly.Module> | undefined;

/** The core, which is part of the first script, without what a plain branch does not need. */
export function elementCore(): Promise<WebAssembly.Module> {
  compiled ??= compile(core);
  return compiled;
}

/** The bytes of the core, for workers that compile it themselves. */
export const coreBytes = (): Promise<ArrayBuffer> => bytesOf(core);

async function compile(part: Part): Promise<WebAssembly.Module> {
  return await WebAssembly.compile(await bytesOf(part));
}

async function bytesOf(part: Part): Promise<ArrayBuffer> {
  const base64 = typeof part === 'string' ? part : await part();
  if (typeof base64 !== 'string') return base64;
  const deflated = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}
