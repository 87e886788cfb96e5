/// <reference path="./inlined.d.ts" />
import { type AddRest, isRestMessage, type RestMessage } from '../../workers/rest-of-script';
import { trustedScriptUrl } from '../base/trusted-types';
import first from './reading.worker?first';

/** Functions that start workers from text. Addresses are kept, because workers start other workers from theirs. */
export function workerOf(script: () => string): () => Worker {
  const addresses = new Map<string, string>();
  return () => {
    const text = script();
    const address = addresses.get(text) ?? blobOf(text);
    addresses.set(text, address);
    return new Worker(trustedScriptUrl(address));
  };
}

const blobOf = (text: string): string =>
  URL.createObjectURL(new Blob([text], { type: 'text/javascript;charset=utf-8' }));

/** Text that adds the rest to the modules of the script. */
let rest = '';
/** Address of the rest in the folder of the element. */
let address: string | undefined;

/** Tells workers that start later the folder of the element's script, which has the rest. */
export function placeRest(folder: string): void {
  address ??= `${folder}${REST_FILE}`;
}

const start = workerOf(() => {
  const place = address === undefined ? '' : `self.xylemRestAddress=${JSON.stringify(address)};`;
  return `${place}${first}${rest}\nself.xylemStart();`;
});

/** Starts the worker that reads, with the first part of its script, and the rest if that was asked for. */
export function readingWorker(): Worker {
  const worker = start();
  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isRestMessage(data)) return;
    void loadRest().then((xylemRest) => worker.postMessage({ xylemRest } satisfies RestMessage));
  });
  return worker;
}

/** Returns the address of the rest as a script; null if it cannot be loaded. */
async function loadRest(): Promise<string | null> {
  try {
    const { default: add }: { default: AddRest } = await import('./reading.worker?rest');
    rest = `\n(${String(add)})(self.xylemModules);`;
    return blobOf(rest);
  } catch {
    return null;
  }
}
