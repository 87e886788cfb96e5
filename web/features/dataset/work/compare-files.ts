import type { FileInfo, Progress } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { eachAfterFirst } from '../../../base/each-of';
import { toXylemError } from '../../../base/errors';
import type { PartialInput } from '../../../verbs/verb';
import { readTrees } from '../../chains/work/read-inputs';
import { Dataset, type DatasetFile, type DatasetReport } from './dataset';
import { datasetFacts, type FactsAsked } from './dataset-facts';

/** Progress of a comparison: finished files, failed files, and checked bytes. */
export interface Compared {
  done: number;
  failed: number;
  bytes: number;
}

export interface CompareOptions<T> extends FactsAsked {
  /** Number of files that are read at once. */
  jobs: number;
  signal?: AbortSignal | undefined;
  /** Opens a file, and closes it in every case. */
  open<R>(input: T, use: (file: { reader: EngineApi; info: FileInfo }) => Promise<R>): Promise<R>;
  /** Returns the facts that an earlier comparison found, if they are still true. */
  known(input: T): Promise<DatasetFile | undefined> | DatasetFile | undefined;
  /** Keeps facts for a later comparison. */
  keep(input: T, facts: DatasetFile, info: FileInfo): void;
  /** Called after each file. */
  onFile(state: Compared): void | Promise<void>;
  /** Called while a file is read completely. */
  onBytes?(state: Compared): void;
}

/** Compares files. If the signal is aborted, reading stops; `left` is the number of files that were not read. */
export async function compareFiles<T extends PartialInput>(
  inputs: readonly T[],
  { jobs, signal, open, known, keep, onFile, onBytes, ...asked }: CompareOptions<T>,
): Promise<{ report: DatasetReport; left: number }> {
  const all = new Dataset(asked.tree);
  /** In the order of the list, so that the report does not depend on which file was read first. */
  const found: (() => void)[] = [];
  const state: Compared = { done: 0, failed: 0, bytes: 0 };
  await eachAfterFirst([...inputs.entries()], jobs, signal, async ([i, input], go) => {
    let checked = 0;
    const check = (bytes: number): void => {
      state.bytes += bytes - checked;
      checked = bytes;
    };
    try {
      const facts = (await known(input)) ?? (await read(input, check, go));
      found[i] = () => all.add(facts);
      if (asked.deep) check(facts.size);
    } catch (thrown) {
      const { code, message } = toXylemError(thrown);
      if (code === 'ABORTED') return;
      state.failed += 1;
      found[i] = () => all.addFailed(input.file, message);
    }
    state.done += 1;
    await onFile(state);
  });
  for (const add of found) add?.();
  return { report: all.report(), left: inputs.length - state.done };

  /** `go` is called when the trees of the file were read. */
  function read(input: T, check: (bytes: number) => void, go?: () => void): Promise<DatasetFile> {
    return open(input, async ({ reader, info }) => {
      if (go) {
        await readTrees({ reader, info }, input.tree, signal);
        go();
      }
      const onProgress = ({ bytesDone }: Progress): void => {
        check(bytesDone);
        onBytes?.(state);
      };
      const wanted = { ...asked, tree: input.tree };
      const facts = await datasetFacts(reader, info, input.file, wanted, { signal, onProgress });
      keep(input, facts, info);
      return facts;
    });
  }
}
