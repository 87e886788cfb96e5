// Runs the code of a user, in a worker of a frame without an origin whose policy allows no connection. What it has is
// this script, the text, and a port over which rows come and results go.
import { webEndpoint } from '../../../../workers/endpoint';
import { expose } from '../../../../workers/rpc';
import { XylemError } from '../../../base/errors';
import { Core } from '../../../core/core';
import { runSelector } from '../../../pass/selector/run';
import { beginOf, gatheredOf, type LoadedSelector, loadSelector } from '../../../pass/selector/selector';
import { type BoxApi, SELECTOR_NAME } from './box-api';

/** A second barrier behind the policy and the missing origin: what could reach out is taken away before the text is loaded. */
const REACHES_OUT =
  /^(fetch\w*|XMLHttpRequest\w*|WebSocket\w*|WebTransport\w*|EventSource|RTC\w+|importScripts|indexedDB|IDB\w+|caches|Cache\w*|Worker|SharedWorker|BroadcastChannel|Notification|FontFace\w*|fonts|FileReaderSync|FileSystem\w*|webkitRequestFileSystem\w*|webkitResolveLocalFileSystem\w*|Storage\w*|LockManager|Lock|navigator|location|postMessage|close)$/;

function takeAway(): void {
  for (let owner: object | null = self; owner !== null; owner = Object.getPrototypeOf(owner) as object | null)
    for (const name of Object.getOwnPropertyNames(owner))
      if (REACHES_OUT.test(name)) Reflect.deleteProperty(owner, name);
}

function boxOf(): BoxApi {
  let core: Core;
  let selector: LoadedSelector;
  /** Names the text in messages by its name. */
  const named = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof XylemError)) throw thrown;
      const { cause: _cause, where: _where, ...record } = thrown.toRecord();
      throw new XylemError({
        ...record,
        message: record.message.replaceAll(
          /(blob:null\/)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g,
          SELECTOR_NAME,
        ),
      });
    }
  };
  return {
    load: ({ text, core: bytes, set }) =>
      named(async () => {
        core = await Core.create(await WebAssembly.compile(bytes));
        const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
        takeAway();
        selector = await loadSelector(address, set);
        const { branches, where, merge } = selector.own;
        const empty = gatheredOf(beginOf(selector, undefined), { file: '', tree: '', from: 0 });
        return { branches: { ...branches }, where, merges: merge !== undefined, empty };
      }),
    run: (task, rows) =>
      named(() => {
        const whole = {
          ...task,
          module: selector.module,
          set: selector.set,
          sample: '',
          weighted: false,
          limitMs: 0,
        };
        return runSelector(core, selector, whole, rows);
      }),
    merge: (one, other) => named(() => selector.own.merge?.(one, other) ?? {}),
  };
}

addEventListener('message', function start({ ports: [port] }: MessageEvent<unknown>) {
  removeEventListener('message', start);
  if (port) expose(webEndpoint(port), boxOf());
});
