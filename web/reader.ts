import { createWorkerReader } from '../workers/client';
import { ADDRESS, checkOptions, either, OBJECT, type Rules } from './base/options';
import { compileCore, noCore } from './core/load';
import type { MathSource } from './core/math-module';
import type { XylemReader } from './write/api';

export interface ReaderOptions {
  /**
   * Address of `xylem.worker.js`, when the bundler does not put it next to the script that has this code. It
   * may be of another origin that allows it (Access-Control-Allow-Origin).
   */
  worker?: string | URL | undefined;
  /** Address of `xylem-insight.worker.js`, which examines and writes files; by default beside `worker`. */
  insight?: string | URL | undefined;
  /** Address of `xylem.wasm`, likewise, or the compiled core. */
  wasm?: string | URL | WebAssembly.Module | undefined;
  /** Address of `xylem-math.wasm`, which few expressions need; by default beside `wasm`. */
  math?: string | URL | undefined;
  /** Address of `xylem-export.wasm`, which Parquet files are written with; by default beside `wasm`. */
  encoder?: string | URL | undefined;
  /** Address of `xylem-write.wasm`, which ROOT files are written with; by default beside `wasm`. */
  writer?: string | URL | undefined;
}

/** The rules of the options of readers. */
export const READER: Rules<ReaderOptions> = {
  worker: ADDRESS,
  insight: ADDRESS,
  wasm: either(ADDRESS, OBJECT),
  math: ADDRESS,
  encoder: ADDRESS,
  writer: ADDRESS,
};

/**
 * Starts a reader: its engine and decoders run in workers, so the page is never blocked. End it with
 * `terminate()`. All its methods reject with XylemError.
 */
export function createReader(options: ReaderOptions = {}): XylemReader {
  checkOptions('createReader', options, READER);
  const { worker, insight, wasm, math, encoder, writer } = options;
  const given = isModule(wasm) ? undefined : wasm;
  return createWorkerReader({
    spawn: () => (worker === undefined ? ownWorker() : workerAt(resolved(worker))),
    loadInsight: async () => {
      const address = insight ?? (worker && besideOf(worker, 'xylem-insight.worker.js'));
      return () => (address === undefined ? ownInsightWorker() : workerAt(resolved(address)));
    },
    type: 'module',
    compile: () =>
      isModule(wasm) ? Promise.resolve(wasm) : ownCore(wasm === undefined ? undefined : resolved(wasm)),
    math: mathSource(math ?? (given && besideOf(given, 'xylem-math.wasm'))),
    encoder: () => ownEncoder(encoder ?? (given && besideOf(given, 'xylem-export.wasm'))),
    writer: () => ownWriter(writer ?? (given && besideOf(given, 'xylem-write.wasm'))),
  });
}

/** Some browsers have no WebAssembly. */
function isModule(wasm: ReaderOptions['wasm']): wasm is WebAssembly.Module {
  return typeof WebAssembly === 'object' && wasm instanceof WebAssembly.Module;
}

/** The module of the functions that few expressions call: next to the core, or at an address. */
export function mathSource(address?: string | URL): MathSource {
  return {
    url: (address === undefined ? new URL('../build/xylem-math.wasm', import.meta.url) : resolved(address))
      .href,
  };
}

/** The module that writes tables: next to the core, or at an address. */
export function ownEncoder(address?: string | URL): Promise<WebAssembly.Module> {
  return loadModule(
    address === undefined ? new URL('../build/xylem-export.wasm', import.meta.url) : resolved(address),
  );
}

/** The module that writes ROOT files: next to the core, or at an address. */
export function ownWriter(address?: string | URL): Promise<WebAssembly.Module> {
  return loadModule(
    address === undefined ? new URL('../build/xylem-write.wasm', import.meta.url) : resolved(address),
  );
}

function besideOf(address: string | URL, name: string): URL {
  return new URL(name, resolved(address));
}

/** Not in the form that bundlers look for. */
const here = import.meta.url;

/** Bundlers know this form, and put the worker and its imports where it is found. */
function ownWorker(): Worker {
  if (isForeign(new URL(here))) return workerAt(new URL('./xylem.worker.js', here));
  return new Worker(new URL('../workers/xylem.worker.ts', import.meta.url), { type: 'module' });
}

/** Starts the worker of insight and writer, likewise. */
function ownInsightWorker(): Worker {
  if (isForeign(new URL(here))) return workerAt(new URL('./xylem-insight.worker.js', here));
  return new Worker(new URL('../workers/xylem-insight.worker.ts', import.meta.url), { type: 'module' });
}

/**
 * A page may only start scripts of its own origin as workers: one of another origin is imported by such a
 * script.
 */
function workerAt(url: URL): Worker {
  if (!isForeign(url)) return new Worker(url, { type: 'module' });
  const script = new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' });
  return new Worker(URL.createObjectURL(script), { type: 'module' });
}

function isForeign(url: URL): boolean {
  return /^https?:$/.test(url.protocol) && url.origin !== globalThis.location?.origin;
}

function resolved(address: string | URL): URL {
  return new URL(address, globalThis.location?.href);
}

/** The address of the core next to this script. */
export function coreAddress(): URL {
  return new URL('../build/xylem.wasm', import.meta.url);
}

/** The core next to this script, or from an address; compiled once. */
export function ownCore(url = coreAddress()): Promise<WebAssembly.Module> {
  return loadModule(url);
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** Compiles a module once for each page, whatever type the server gives the file. */
function loadModule(url: URL): Promise<WebAssembly.Module> {
  const known = compiled.get(url.href);
  if (known) return known;
  const module = fetchModule(url);
  compiled.set(url.href, module);
  module.catch(() => compiled.delete(url.href));
  return module;
}

async function fetchModule(url: URL): Promise<WebAssembly.Module> {
  let bytes: ArrayBuffer;
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    bytes = await response.arrayBuffer();
  } catch (cause) {
    throw noCore(url.href, cause);
  }
  return compileCore(bytes, url.href);
}
