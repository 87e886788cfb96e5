import { throwIfAborted } from '../base/abort';
import { makeBasketsHere } from '../core/basket-packer';
import type { Core } from '../core/core';
import { encodeHere } from '../pass/encode-task';
import { runTask } from '../pass/task';
import type { TaskRunner } from '../pass/types';

/** Decodes in this thread with a core of its own, so that a fault in it does not affect open files. */
export function inThread(core: Core, modules: TaskRunner['modules']): TaskRunner {
  return {
    modules,
    encode: encodeHere(),
    makeBaskets: makeBasketsHere(),
    concurrency: 1,
    readsFiles: false,
    async run(task, signal) {
      await core.ready();
      throwIfAborted(signal);
      return runTask(core, task);
    },
  };
}
