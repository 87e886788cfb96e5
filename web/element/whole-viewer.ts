/// <reference path="./inlined.d.ts" />
import core from '../../build/xylem.wasm?deflated';
import { createWorkerReader } from '../../workers/client';
import workerScript from '../../workers/xylem.worker?worker&inline&text';
import { trustedScriptUrl } from '../base/trusted-types';
import { inflate } from '../core/math-module';
import type { XylemViewer } from './element-api';
import { loadExport } from './load-export';
import { loadPart } from './load-part';
import { createSharedReader } from './shared-reader';
import { mountViewer, type ViewerBody } from './viewer-body';

let compiled: Promise<WebAssembly.Module> | undefined;

/** The core is within this script, deflated, because a page may forbid to fetch another file. */
function compileCore(): Promise<WebAssembly.Module> {
  compiled ??= inflate(core).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

/** The worker's script is within this one, too. Workers start others from its address, which is therefore kept. */
const readingWorker = workerOf(workerScript);

/** Starts workers with a script. */
function workerOf(script: string): () => Worker {
  let address: string | undefined;
  return () => {
    address ??= URL.createObjectURL(new Blob([script], { type: 'text/javascript;charset=utf-8' }));
    return new Worker(trustedScriptUrl(address));
  };
}

let insightWorker: (() => Worker) | undefined;

async function loadInsight(): Promise<() => Worker> {
  const { insightScript } = await loadPart('What computes this', () => import('./insight-script'));
  insightWorker ??= workerOf(insightScript);
  return insightWorker;
}

async function loadMath(): Promise<WebAssembly.Module> {
  const { compileMath } = await loadPart(
    'The mathematical functions that this expression calls',
    () => import('./xylem-math'),
  );
  return compileMath();
}

async function loadWriter(): Promise<WebAssembly.Module> {
  const { compileWriter } = await loadPart('What writes ROOT files', () => import('./xylem-writer'));
  return compileWriter();
}

/** One core, one session and one pool of workers for all elements of a page. */
const shared = createSharedReader(() =>
  createWorkerReader({
    spawn: readingWorker,
    loadInsight,
    type: 'classic',
    compile: compileCore,
    math: { load: loadMath },
    encoder: async () => (await loadExport()).encoder(),
    writer: loadWriter,
  }),
);

/** Draws an element; `jsroot` is the address of the frame in which JSROOT draws. */
export function mount(host: XylemViewer, root: ShadowRoot, jsroot: string): ViewerBody {
  return mountViewer(host, root, shared, { url: jsroot });
}
