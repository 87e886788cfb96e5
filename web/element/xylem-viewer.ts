/// <reference path="./inlined.d.ts" />
import core from '../../build/xylem.wasm?deflated';
import { createWorkerReader } from '../../workers/client';
import XylemWorker from '../../workers/xylem.worker?worker&inline';
import type { XylemViewer } from './element-api';
import { defineXylemViewer } from './viewer-element';

export type { ErrorRecord } from '../base/errors';
export type { FileInfo, Progress } from '../file/api';
export type { ByteSource } from '../io/source';
export type * from './element-api';

declare global {
  interface HTMLElementTagNameMap {
    'xylem-viewer': XylemViewer;
  }
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** The core is within this script, deflated, so that one script is all a page loads. */
function compileCore(): Promise<WebAssembly.Module> {
  compiled ??= inflate(core).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

function inflate(base64: string): Promise<ArrayBuffer> {
  const deflated = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}

/** Not written as bundlers look for it: the folder is to lie beside this script, wherever that ends up. */
const here = import.meta.url;

defineXylemViewer(
  () => createWorkerReader({ spawn: () => new XylemWorker(), type: 'classic', compile: compileCore }),
  { jsroot: new URL('jsroot/frame.html', here).href },
);
