import core from '../../build/xylem.wasm?url';
import { createWorkerReader } from '../../workers/client';
import XylemWorker from '../../workers/xylem.worker?worker&inline';
import { defineXylemViewer } from './viewer-element';

export type { XylemViewer } from './viewer-element';

let compiled: Promise<WebAssembly.Module> | undefined;

/** The core is a data: address within this script, so that one script is all a page loads. */
function compileCore(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(
    Uint8Array.from(atob(core.slice(core.indexOf(',') + 1)), (character) => character.charCodeAt(0)),
  );
  return compiled;
}

defineXylemViewer(() =>
  createWorkerReader({ spawn: () => new XylemWorker(), type: 'classic', compile: compileCore }),
);
