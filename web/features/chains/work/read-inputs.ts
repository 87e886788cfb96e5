import { eachAfterFirst, eachOf } from '../../../base/each-of';
import { toXylemError } from '../../../base/errors';
import type { OpenInput } from '../../../measure/partial-kind';
import { isTree } from '../../../model/keys';
import type { Identity, PartialInput } from '../../../verbs/verb';
import {
  addInput,
  askedKey,
  contentChanged,
  type KindName,
  kindOf,
  type PartialResult,
  type ReadInput,
  ReadInputs,
} from './partial';

export interface ReadOptions<T> {
  /** Number of inputs that are read at once. */
  jobs: number;
  signal: AbortSignal;
  open(input: T): Promise<Pick<OpenInput, 'reader' | 'info' | 'selector'> & { close(): Promise<void> }>;
  /** Called after each input with the number of finished inputs. */
  onInput?: ((done: number) => void | Promise<void>) | undefined;
  /** Keeps each input that was read: the text of its sums, which is made before they are added to others. */
  journal?:
    | { line(input: ReadInput, sum: unknown): Promise<string>; put(line: string): Promise<void> }
    | undefined;
}

/**
 * Adds the inputs that the result lacks. An input counts as a whole or not at all; failed ones are listed in the
 * result. Returns how many were not read because of the signal.
 */
export async function readInputs<K extends KindName, T extends PartialInput>(
  partial: PartialResult<K>,
  inputs: readonly T[],
  { jobs, signal, open, onInput, journal }: ReadOptions<T>,
): Promise<number> {
  const kind = kindOf(partial.kind);
  const seen = new ReadInputs(partial.inputs);
  const before = new Set(partial.inputs.map(askedKey));
  const todo = inputs.filter((input) => !before.has(askedKey(input)));
  let done = inputs.length - todo.length;
  await eachAfterFirst(todo, jobs, signal, async (input, go) => {
    const { file, tree, entries } = input;
    const name = { file, tree, ...(entries && { entries }) };
    let line: string | undefined;
    try {
      const { close, ...opened } = await open(input);
      try {
        if (go) {
          await readTrees(opened, tree, signal);
          go();
        }
        const { size, uuid, validator, modified } = opened.info;
        const { sum, read } = await kind.read(partial.query, { ...opened, file, tree, entries }, { signal });
        const facts = { read, size, uuid, ...(validator !== undefined && { validator }), modified };
        const input: ReadInput = { ...name, ...facts };
        const text = await journal?.line(input, sum);
        addInput(partial, seen, input, sum);
        line = text;
      } finally {
        await close();
      }
    } catch (thrown) {
      const { code, message, fix } = toXylemError(thrown);
      if (code === 'ABORTED') return;
      partial.failed.push({ ...name, error: { code, message, ...(fix !== undefined && { fix }) } });
    }
    done += 1;
    if (line !== undefined) await journal?.put(line);
    await onInput?.(done);
  });
  return inputs.length - done;
}

/**
 * Reads a tree of a file, or all trees if `tree` is empty. Files that are opened later are then read together with
 * their trees. Errors are ignored, because the reading that follows reports them.
 */
export async function readTrees(
  { reader, info }: Pick<OpenInput, 'reader' | 'info'>,
  tree: string,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const keys = tree === '' ? await reader.keys(info.id, { signal }) : [];
    const paths = tree === '' ? new Set(keys.filter(isTree).map(({ path }) => path)) : [tree];
    await Promise.all([...paths].map((path) => reader.tree(info.id, path, { signal })));
  } catch {
    // The reading of the file meets the same error.
  }
}

/**
 * Returns the inputs whose content has changed since the result was made. A file that cannot be identified now counts
 * as unchanged.
 */
export async function changedInputs<T extends PartialInput>(
  { inputs: read }: Pick<PartialResult, 'inputs'>,
  inputs: readonly T[],
  jobs: number,
  signal: AbortSignal,
  identify: (input: T) => Promise<Identity>,
): Promise<T[]> {
  const before = new Map(read.map((input) => [askedKey(input), input]));
  const changed: T[] = [];
  await eachOf(inputs, jobs, signal, async (input) => {
    const known = before.get(askedKey(input));
    if (!known) return;
    const now = await identify(input).catch((): Identity => ({}));
    if (contentChanged(known, now)) changed.push(input);
  });
  return changed;
}
