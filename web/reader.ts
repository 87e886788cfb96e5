import { createWorkerReader, type WorkerReader } from '../workers/client';
import { XylemError } from './base/errors';

/**
 * Starts a reader: its engine and decoders run in workers, so the page is never blocked. End it with
 * `terminate()`. All its methods reject with XylemError.
 */
export function createReader(): WorkerReader {
  return createWorkerReader({
    spawn: () => new Worker(new URL('../workers/xylem.worker.ts', import.meta.url), { type: 'module' }),
    type: 'module',
    compile: () => compileCore(new URL('../build/xylem.wasm', import.meta.url)),
  });
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiles the core once a page, whatever type the server gives the file. */
function compileCore(url: URL): Promise<WebAssembly.Module> {
  compiled ??= fetchCore(url).catch((cause: unknown) => {
    compiled = undefined;
    throw new XylemError({
      code: 'INTERNAL',
      message: 'The WebAssembly core could not be loaded.',
      fix: `Check that ${url.pathname.split('/').pop()} lies beside the script and that script-src allows 'wasm-unsafe-eval'.`,
      cause,
    });
  });
  return compiled;
}

async function fetchCore(url: URL): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
