import { readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { startOrigin } from '../element/portal';
import type { Tab } from './driver';

/** Ways in which a worker ends or hangs: an error that nobody catches, an end without an event, an endless loop. */
export type Loss = 'throw' | 'close' | 'loop';

/** Code that is written after the script of each worker, which then does what `lose` asks for. */
export const OBEYS = `
;{
  let role = '';
  addEventListener('message', ({ data }) => { role ||= data?.xylemRole ?? ''; });
  new BroadcastChannel('faults').onmessage = ({ data }) => {
    if (data.role !== role) return;
    if (data.what === 'throw') throw new Error('provoked by a story');
    if (data.what === 'close') close();
    if (data.what === 'loop') for (;;);
  };
}`;

/** In a page: scripts of workers that stand within another script obey, too. */
export const OBEYING_BLOBS = `
const Whole = Blob;
globalThis.Blob = class extends Whole {
  constructor(parts, options) {
    super(options?.type?.startsWith('text/javascript') ? [...parts, ${JSON.stringify(OBEYS)}] : parts, options);
  }
};`;

/** Has all workers of a role end or hang. */
export async function lose(tab: Tab, role: 'session' | 'decode', what: Loss): Promise<void> {
  await tab.run(
    async (asked: { role: string; what: string }) => {
      const channel = new BroadcastChannel('faults');
      channel.postMessage(asked);
      // The message and what follows from it are on their way.
      await new Promise((go) => setTimeout(go, 200));
      channel.close();
    },
    { role, what },
  );
}

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.html': 'text/html',
};

/** Serves the built page with workers that obey. Returns its address. */
export async function startObeyingSite(): Promise<string> {
  const dist = resolve(import.meta.dirname, '../../dist/page');
  const { url } = await startOrigin((path) => {
    const name = path.replace(/\?.*/, '') === '/' ? 'index.html' : path.slice(1);
    let body: Buffer;
    try {
      body = readFileSync(join(dist, name));
    } catch {
      return undefined;
    }
    const headers = { 'Content-Type': types[extname(name)] ?? 'application/octet-stream' };
    return { body: name.includes('xylem.worker') ? body.toString() + OBEYS : body, headers };
  });
  return `${url}/`;
}
