import type { CallOptions } from '../../../../api/api';
import type { Selection } from '../../../../api/write';
import { chooseEntries, type EntryChoice } from '../../../../model/entry-choice';
import type { Input, InputKey } from '../input/input';
import { selectKeys } from '../input/selection';
import type { TreeJob } from '../input/tree-copy';
import { estimateGroups } from '../plan/estimate';
import { appendBaskets, type PlacedGroup } from '../regroup/place';
import { readsOf, regroupBaskets } from '../regroup/regroup';
import { groupTrees, treesOf } from '../regroup/regroup-trees';
import type { MergeInput, Merging } from './merge-files';
import type { MadePart } from './tree-chain';

/** The part of all inputs that is merged. */
export interface MergePart {
  selection?: Selection | undefined;
  /** Entries of the tree at this path, counted over all inputs. `total` is the number of entries of all. */
  entries?: { path: string; choice: EntryChoice; total: number } | undefined;
  /** 100 × algorithm + level. Compresses all baskets again. */
  compress?: number | undefined;
  /** Writes nothing, and estimates the sizes of baskets that would be made. */
  estimate?: boolean | undefined;
}

/** Returns an input with only the chosen keys and their directories. Throws NOT_FOUND. */
export function chosenInput<T extends Pick<Input, 'keys' | 'directories'>>(
  input: T,
  selection: Selection | undefined,
): T {
  if (selection === undefined) return input;
  const keys = selectKeys(input.keys, selection);
  const chosen = new Set<InputKey>(keys);
  return { ...input, keys, directories: input.directories.filter(({ key }) => chosen.has(key)) };
}

/** Returns the chosen entries of a part with `total` entries. Its first entry is the entry `first` of the chain. */
export function choiceWithin(choice: EntryChoice, first: number, total: number): EntryChoice {
  const spans = choice.spans(first, first + total, first);
  const ranges = Array.from({ length: spans.length / 2 }, (_, i): [number, number] => [
    spans[2 * i] ?? 0,
    spans[2 * i + 1] ?? 0,
  ]);
  return chooseEntries(ranges, total);
}

/** Makes the baskets of a tree again and appends them. Throws the errors of `regroupBaskets`. */
export async function appendPart(
  { records, out, notes, spans }: Merging,
  input: MergeInput,
  job: TreeJob,
  { compress, estimate }: MergePart,
  options: Pick<CallOptions, 'signal'> & { writer: WebAssembly.Module; onBytes?: (bytes: number) => void },
): Promise<MadePart> {
  const { codec } = input;
  const plan = { compress, order: 'clusters' } as const;
  const planned = await groupTrees({ input, records, codec }, [job], plan, options);
  const { sources, groups } = planned;
  let reads = 0;
  for (const { ranges } of readsOf(sources, groups)) reads += ranges.length;
  let placed: PlacedGroup[];
  if (estimate) {
    ({ placed } = await estimateGroups(input, records, planned, out.end, options));
    for (const { at, length } of placed) if (at >= out.end) out.skip(length);
  } else
    placed = await appendBaskets(regroupBaskets(input, records, sources, groups, options), out, records, {
      directoryOf: () => job.directory,
      onBytes: options.onBytes,
      spans,
      pid: input.pid,
    });
  const { jobs, plans } = treesOf(planned, placed, plan, input.header);
  // A note that several files share is given once.
  for (const note of planned.notes) if (!notes.includes(note)) notes.push(note);
  const { tree, trueStart } = jobs[0]?.layout ?? job.layout;
  return { plans: plans[0] ?? [], entries: tree.entries, starts: trueStart, reads };
}
