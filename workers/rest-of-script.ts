import { partMissing } from '../web/base/errors';
import { trustedScriptUrl } from '../web/base/trusted-types';

/*
 * The worker of the element has its script in two parts: the first draws a branch, the rest has all else, as expressions and
 * checks. `scriptInParts` of vite.config.ts makes both. The first asks for the rest when it needs a module of it:
 *   1. It imports it from the element's folder, which a policy allows that allows the element.
 *   2. If the page is bundled, nobody knows the address. The page, whose bundler does, gives the rest as a blob.
 *   3. If a policy forbids scripts of blobs, this worker fails with the error of a missing part. The next worker then has the
 *      whole script from the beginning: see session-keeper.ts.
 */

/** Modules of the script by their names; their type is that of CommonJS. */
type Modules = Record<string, (exports: object, require: (name: string) => object, module: object) => void>;
/** Adds the modules of the rest. It uses nothing outside, so that its text can be another script. */
export type AddRest = (modules: Modules) => void;

/** A message from a worker that asks for the rest, and the answer: its address, or null if the page cannot load it. */
export interface RestMessage {
  xylemRest: 'ask' | string | null;
}

/** The global scope of the first part of the script. */
export interface PartsScope {
  /** Address of the rest in the element's folder; undefined if it is not known. */
  xylemRestAddress?: string;
  /** Modules of both parts. */
  xylemModules: Modules;
  /** Loads the rest. Rejects with NETWORK. */
  xylemLoadRest?: () => Promise<void>;
}

/** The DOM types describe the global scope of a window. */
const scope = globalThis as unknown as PartsScope &
  Pick<Worker, 'postMessage'> & { importScripts(address: string): void };

/** The page answers when it has loaded the rest, which may take long over a slow link. */
const PATIENCE_MS = 120_000;

async function loadRest(): Promise<void> {
  const address = scope.xylemRestAddress;
  if (address !== undefined) {
    try {
      const { default: add }: { default: AddRest } = await import(/* @vite-ignore */ address);
      return add(scope.xylemModules);
    } catch {
      // The page knows another way, or what is wrong.
    }
  }
  const blob = await askPage();
  if (blob === null) throw partMissing(undefined);
  try {
    scope.importScripts(trustedScriptUrl(blob));
  } catch (cause) {
    throw partMissing(cause);
  }
}

function askPage(): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), PATIENCE_MS);
    addEventListener('message', function hear({ data }: MessageEvent<unknown>) {
      if (!isRestMessage(data)) return;
      clearTimeout(timer);
      removeEventListener('message', hear);
      resolve(data.xylemRest);
    });
    scope.postMessage({ xylemRest: 'ask' } satisfies RestMessage);
  });
}

/** Lets the script load its rest. */
export function allowRest(): void {
  scope.xylemLoadRest = loadRest;
}

export function isRestMessage(value: unknown): value is RestMessage {
  return typeof value === 'object' && value !== null && 'xylemRest' in value;
}
