/// <reference path="./inlined.d.ts" />
import core from '../../build/xylem.wasm?deflated';
import functions from '../../build/xylem-math.wasm?deflated';
import { createWorkerReader } from '../../workers/client';
import workerScript from '../../workers/xylem.worker?worker&inline&text';
import { trustedScriptUrl } from '../base/trusted-types';
import { inflate } from '../core/math-module';
import type { XylemViewer } from './element-api';
import { loadExport } from './load-export';
import { createSharedReader } from './shared-reader';
import { mountViewer, type ViewerBody } from './viewer-body';

let compiled: Promise<WebAssembly.Module> | undefined;

/** The core is within this script, deflated, because a page may forbid to fetch another file. */
function compileCore(): Promise<WebAssembly.Module> {
  compiled ??= inflate(core).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

let address: string | undefined;

/** The worker's script is within this one, too. Its address is kept, because workers start others from it. */
function workerAddress(): string {
  address ??= URL.createObjectURL(new Blob([workerScript], { type: 'text/javascript;charset=utf-8' }));
  return trustedScriptUrl(address);
}

/** One core, one session and one pool of workers for all elements of a page. */
const shared = createSharedReader(() =>
  createWorkerReader({
    spawn: () => new Worker(workerAddress()),
    type: 'classic',
    compile: compileCore,
    math: { deflated: functions },
    encoder: async () => (await loadExport()).encoder(),
  }),
);

/** Draws an element; `jsroot` is the address of the frame in which JSROOT draws. */
export function mount(host: XylemViewer, root: ShadowRoot, jsroot: string): ViewerBody {
  return mountViewer(host, root, shared, { url: jsroot });
}
