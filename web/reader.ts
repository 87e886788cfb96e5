import { createWorkerReader } from '../workers/client';
import type { XylemReader } from './api/reader';
import { checkOptions, type Rules } from './base/options';
import { ADDRESS, either, OBJECT } from './base/shape';
import { trustedScriptUrl } from './base/trusted-types';
import { pageCore, pageModules } from './core/modules/page-modules';
import { fileOf, type LoadModule, type ModuleName } from './core/modules/registry';

export interface ReaderOptions {
  /**
   * Address of `xylem.worker.js`, when the bundler does not put it next to the script that has this code. It
   * may be of another origin that allows it (Access-Control-Allow-Origin).
   */
  worker?: string | URL | undefined;
  /** Address of `xylem-insight.worker.js`, which examines and writes files; by default beside `worker`. */
  insight?: string | URL | undefined;
  /** Address of `xylem-selector.worker.js`, which runs selectors; by default beside `worker`. */
  selector?: string | URL | undefined;
  /** Address of `xylem.wasm`, likewise, or the compiled core. */
  wasm?: string | URL | WebAssembly.Module | undefined;
  /** Address of `xylem-math.wasm`, which few expressions need; by default beside `wasm`. */
  math?: string | URL | undefined;
  /** Address of `xylem-export.wasm`, which Parquet files are written with; by default beside `wasm`. */
  encoder?: string | URL | undefined;
  /** Address of `xylem-write.wasm`, which ROOT files are written with; by default beside `wasm`. */
  writer?: string | URL | undefined;
  /** Address of `xylem-fit.wasm`, which fits functions (Minuit2); by default beside `wasm`. */
  fit?: string | URL | undefined;
}

export const READER: Rules<ReaderOptions> = {
  worker: ADDRESS,
  insight: ADDRESS,
  selector: ADDRESS,
  wasm: either(ADDRESS, OBJECT),
  math: ADDRESS,
  encoder: ADDRESS,
  writer: ADDRESS,
  fit: ADDRESS,
};

/**
 * Starts a reader: its engine and decoders run in workers, so the page is never blocked. End it with
 * `terminate()`. All its methods reject with XylemError.
 */
export function createReader(options: ReaderOptions = {}): XylemReader {
  checkOptions('createReader', options, READER);
  const { worker, insight, wasm } = options;
  const second = insight ?? (worker && new URL('xylem-insight.worker.js', resolved(worker)));
  return createWorkerReader({
    spawn: {
      reading: () => (worker === undefined ? ownWorker() : workerAt(resolved(worker))),
      insight: async () => () => (second === undefined ? ownInsightWorker() : workerAt(resolved(second))),
    },
    workerType: 'module',
    core: () => coreOf(wasm),
    modules: modulesOf(options),
    openSource: async (spec) => (await import('./engine/browser-source')).openBrowserSource(spec),
  });
}

/** The modules of a page: at the addresses that are given, or beside the core, or beside this script. */
export function modulesOf({ wasm, math, encoder, writer, fit }: ReaderOptions): LoadModule {
  const given: Record<ModuleName, string | URL | undefined> = {
    math,
    export: encoder,
    write: writer,
    fit,
  };
  const names = Object.keys(given) as ModuleName[];
  const addresses = names.flatMap((name): [ModuleName, URL][] => {
    const address = given[name];
    if (address !== undefined) return [[name, resolved(address)]];
    if (wasm === undefined || isModule(wasm)) return [];
    return [[name, new URL(fileOf(name), resolved(wasm))]];
  });
  return pageModules(Object.fromEntries(addresses));
}

/** The compiled core of a page. */
export async function coreOf(wasm: ReaderOptions['wasm']): Promise<WebAssembly.Module> {
  return isModule(wasm) ? wasm : pageCore(wasm === undefined ? undefined : resolved(wasm));
}

/** Some browsers have no WebAssembly. */
function isModule(wasm: ReaderOptions['wasm']): wasm is WebAssembly.Module {
  return typeof WebAssembly === 'object' && wasm instanceof WebAssembly.Module;
}

/** Not in the form that bundlers look for. */
const here = import.meta.url;

/** Bundlers know this form, and put the worker and its imports where it is found. */
function ownWorker(): Worker {
  const own = () => new Worker(new URL('../workers/xylem.worker.ts', import.meta.url), { type: 'module' });
  return started(own, () => new URL('./xylem.worker.js', here));
}

/** Starts the worker of insight and writer, likewise. */
function ownInsightWorker(): Worker {
  const own = () =>
    new Worker(new URL('../workers/xylem-insight.worker.ts', import.meta.url), { type: 'module' });
  return started(own, () => new URL('./xylem-insight.worker.js', here));
}

/** Starts a worker of selectors, likewise. */
export function selectorWorker(
  { worker, selector }: Pick<ReaderOptions, 'worker' | 'selector'>,
  own: () => Worker,
): Worker {
  const given = selector ?? (worker && new URL('xylem-selector.worker.js', resolved(worker)));
  return given === undefined
    ? started(own, () => new URL('./xylem-selector.worker.js', here))
    : workerAt(resolved(given));
}

/**
 * Starts a worker in the form of bundlers, or the script beside this one: that of another origin, and where the page has
 * Trusted Types, which refuse an address that no policy made.
 */
function started(own: () => Worker, beside: () => URL): Worker {
  if (isForeign(new URL(here))) return workerAt(beside());
  try {
    return own();
  } catch {
    return workerAt(beside());
  }
}

/**
 * A page may only start scripts of its own origin as workers: one of another origin is imported by such a
 * script.
 */
function workerAt(url: URL): Worker {
  if (!isForeign(url)) return new Worker(trustedScriptUrl(url), { type: 'module' });
  const script = new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' });
  return new Worker(trustedScriptUrl(URL.createObjectURL(script)), { type: 'module' });
}

function isForeign(url: URL): boolean {
  return url.protocol.startsWith('http') && url.origin !== globalThis.location?.origin;
}

function resolved(address: string | URL): URL {
  return new URL(address, globalThis.location?.href);
}
