/// <reference path="./inlined.d.ts" />
import core from '../../build/xylem.wasm?deflated';
import functions from '../../build/xylem-math.wasm?deflated';
import { createWorkerReader } from '../../workers/client';
import workerScript from '../../workers/xylem.worker?worker&inline&text';
import { trustedScriptUrl } from '../base/trusted-types';
import { inflate } from '../core/math-module';
import type { XylemViewer } from './element-api';
import { loadExport } from './load-export';
import { defineXylemViewer } from './viewer-element';

export type { FileInfo, Progress } from '../api/api';
export type { ErrorRecord } from '../base/errors';
export type { ByteSource } from '../io/source';
export type * from './element-api';

declare global {
  interface HTMLElementTagNameMap {
    'xylem-viewer': XylemViewer;
  }
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** The core is within this script, deflated, so that a page loads one script only. */
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

/** Not in the form that bundlers look for, because the folder has to stay next to this script. */
const here = import.meta.url;

defineXylemViewer(
  () =>
    createWorkerReader({
      spawn: () => new Worker(workerAddress()),
      type: 'classic',
      compile: compileCore,
      math: { deflated: functions },
      encoder: async () => (await loadExport()).encoder(),
    }),
  { jsroot: new URL('jsroot/frame.html', here).href },
);
