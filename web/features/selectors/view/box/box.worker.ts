// Runs user code, in a worker of a frame without an origin whose policy allows no connections. It has only this
// script, the text, and a port for rows and results.
import { webEndpoint } from '../../../../../workers/endpoint';
import { expose } from '../../../../../workers/rpc';
import type { BoxApi, BoxOptions } from '../../threads/box-api';
import { serveBox } from '../../threads/serve-box';
import { consoleLine, MAX_LINES } from './console-line';

/**
 * A second barrier besides the policy and the missing origin: functions for connections are removed before the text
 * is loaded.
 */
const REACHES_OUT =
  /^(fetch\w*|XMLHttpRequest\w*|WebSocket\w*|WebTransport\w*|EventSource|RTC\w+|importScripts|indexedDB|IDB\w+|caches|Cache\w*|Worker|SharedWorker|BroadcastChannel|Notification|FontFace\w*|fonts|FileReaderSync|FileSystem\w*|webkitRequestFileSystem\w*|webkitResolveLocalFileSystem\w*|Storage\w*|LockManager|Lock|navigator|location|postMessage|close)$/;

function takeAway(): void {
  for (let owner: object | null = self; owner !== null; owner = Object.getPrototypeOf(owner) as object | null)
    for (const name of Object.getOwnPropertyNames(owner))
      if (REACHES_OUT.test(name)) Reflect.deleteProperty(owner, name);
}

/** Receives what the code writes to the console during the present call. */
let tell: BoxOptions['onProgress'];
let lines = 0;

/** Sends lines of the console to the page, which shows the first ones. */
function hearConsole(): void {
  for (const name of ['debug', 'error', 'info', 'log', 'warn'] as const)
    console[name] = (...values: unknown[]) => {
      if (lines++ <= MAX_LINES) tell?.(consoleLine(values));
    };
}

addEventListener('message', function start({ ports: [port] }: MessageEvent<unknown>) {
  removeEventListener('message', start);
  if (!port) return;
  const box = serveBox(() => {
    takeAway();
    hearConsole();
  });
  const heard: BoxApi = {
    ...box,
    load(given, options) {
      tell = options?.onProgress;
      return box.load(given);
    },
    run(task, rows, options) {
      tell = options?.onProgress;
      return box.run(task, rows);
    },
  };
  expose(webEndpoint(port), heard);
});
