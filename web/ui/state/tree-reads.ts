import { type ReadonlySignal, signal } from '@preact/signals';
import type { TreeInfo } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { delay } from '../../base/abort';
import { toXylemError, XylemError } from '../../base/errors';
import { cyclePath } from '../../model/keys';
import type { Activities } from './activities';
import type { TreeState } from './contents-model';
import type { OpenFile } from './viewer-state';

export interface TreeReadsContext {
  file: ReadonlySignal<OpenFile | null>;
  activities: Activities;
  onDone(since: number): Promise<void>;
  /** Called if the user cancelled reading this tree. */
  onAborted(keyIndex: number): void;
}

/** The branch tables of the open file's trees, each read at most once. */
export interface TreeReads {
  trees: ReadonlySignal<ReadonlyMap<number, TreeState>>;
  read(keyIndex: number): Promise<TreeInfo>;
  clear(): void;
}

export function createTreeReads(api: EngineApi, context: TreeReadsContext): TreeReads {
  const trees = signal<ReadonlyMap<number, TreeState>>(new Map());
  const reads = new Map<number, Promise<TreeInfo>>();

  /** Reads the branch table of a tree once; later calls get the same promise. */
  function read(keyIndex: number): Promise<TreeInfo> {
    const open = context.file.peek();
    const key = open?.keyTree.keys[keyIndex];
    if (open === null || key === undefined) {
      return Promise.reject(new XylemError({ code: 'NOT_FOUND', message: 'The file has no such tree.' }));
    }
    const known = reads.get(keyIndex);
    if (known !== undefined) return known;
    const since = performance.now();
    const put = (state: TreeState | undefined) => {
      const next = new Map(trees.peek());
      if (state === undefined) next.delete(keyIndex);
      else next.set(keyIndex, state);
      trees.value = next;
    };
    put({ state: 'reading' });
    const promise = context.activities
      .run(`tree ${keyIndex}`, `Reading branches of ${key.name}`, async (options) => {
        const tree = await api.tree(open.info.id, cyclePath(key), options);
        // A large table takes long to arrive and long to show: two tasks, with time for the page in between.
        await delay(0, options.signal);
        return tree;
      })
      .then(
        (tree) => {
          if (context.file.peek() === open) put({ state: 'ready', tree });
          void context.onDone(since);
          return tree;
        },
        (thrown: unknown) => {
          const error = toXylemError(thrown);
          reads.delete(keyIndex);
          if (context.file.peek() === open) {
            put(error.code === 'ABORTED' ? undefined : { state: 'failed', message: error.message });
            if (error.code === 'ABORTED') context.onAborted(keyIndex);
          }
          throw error;
        },
      );
    reads.set(keyIndex, promise);
    return promise;
  }

  return {
    trees,
    read,
    clear() {
      reads.clear();
      trees.value = new Map();
    },
  };
}
