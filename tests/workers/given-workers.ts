import { MessageChannel } from 'node:worker_threads';
import { createWorkerReader } from '../../workers/client';
import { webEndpoint } from '../../workers/endpoint';
import { expose } from '../../workers/rpc';

/** A worker that answers with the methods of `api`; one without takes no message. */
export function workerOf(api: object | undefined): Worker {
  const { port1, port2 } = new MessageChannel();
  if (api) expose(webEndpoint(port2 as never), api);
  return Object.assign(port1, { terminate: () => port1.close() }) as unknown as Worker;
}

/** A reader of a page whose workers of insight are these, one after the other. It opens nothing. */
export const readerWith = (insights: Worker[]) =>
  createWorkerReader({
    core: async () => ({}) as WebAssembly.Module,
    modules: async () => ({}) as WebAssembly.Module,
    openSource: () => Promise.reject(new Error('nothing is opened here')),
    spawn: { reading: () => workerOf({}), insight: async () => () => insights.shift() as Worker },
    workerType: 'module',
  });
