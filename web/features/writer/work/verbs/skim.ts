import type { FileInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { Sink } from '../../../../api/sink';
import type { PlanOptions, SkimChoice, WritePlan } from '../../../../api/write';
import { argumentError } from '../../../../base/errors';
import { compressionNumber } from '../../../../core/compression';
import { cyclePath } from '../../../../model/keys';
import { type CopyOptions, type CopyPlan, copyFile, type Written } from '../copy/copy-file';
import { choiceOf, treeOfEntries } from '../input/choose-entries';
import { selectKeys } from '../input/selection';
import { convertFile } from '../new/convert-file';
import { planCopy } from '../plan/write-plan';

export interface SkimOptions extends CopyOptions, SkimChoice {}

/** The result of a skim. */
export interface Skimmed extends Written {
  /** With `to`: one line for each branch and each object that the new file does not have. */
  lost?: string[] | undefined;
}

/**
 * Copies an open file, or a part of it, with all cycles. Baskets are copied whole, in their order in the file. If
 * entries are chosen, baskets without any are not read, baskets with only chosen ones are copied whole, and others
 * are made again. Of that tree only the newest selected cycle is copied. Throws as `copyFile`, the errors of a cut,
 * ARGUMENT if several trees could be meant by a selection of entries, and NOT_FOUND for names that the file does not
 * have.
 */
export async function skimFile(
  reader: EngineApi,
  info: FileInfo,
  sink: Sink,
  { selection, entries, cut, entriesOf, codec, to, ...options }: SkimOptions,
): Promise<Skimmed> {
  if (to === 'rntuple')
    return convertFile(reader, info, sink, { selection, entries, cut, entriesOf }, { ...options, codec });
  const { plan, notes } = await skimPlan(
    reader,
    info,
    { selection, entries, cut, entriesOf, codec },
    options,
  );
  const written = await copyFile(reader, info, sink, plan, options);
  return { ...written, notes: [...notes, ...written.notes] };
}

/**
 * Returns what `skimFile` would do, without writing. A cut is evaluated, which reads the branches that it names.
 * Throws as `skimFile` does before it writes.
 */
export async function planSkim(
  reader: EngineApi,
  info: FileInfo,
  { selection, entries, cut, entriesOf, codec, to, ...options }: SkimOptions & PlanOptions,
): Promise<WritePlan> {
  if (to !== undefined)
    throw argumentError(
      'It cannot be said before how large RNTuples become.',
      'Leave "to" out, or write the file.',
    );
  const { plan, notes } = await skimPlan(
    reader,
    info,
    { selection, entries, cut, entriesOf, codec },
    options,
  );
  const planned = await planCopy(reader, info, plan, options);
  return { ...planned, notes: [...notes, ...planned.notes] };
}

async function skimPlan(
  reader: EngineApi,
  info: FileInfo,
  { selection = {}, entries, cut, entriesOf, codec }: SkimChoice & Pick<SkimOptions, 'codec'>,
  { signal, onProgress }: Pick<CopyOptions, 'signal' | 'onProgress'>,
): Promise<{ plan: CopyPlan; notes: string[] }> {
  const regroup = codec && { compress: compressionNumber(codec) };
  const plan: CopyPlan = { order: 'file', trueClusters: false, newest: false, selection, regroup };
  if (entries === undefined && cut === undefined) return { plan, notes: [] };
  const tree = await treeOfEntries(reader, info, selection, entriesOf, { signal });
  const own = cyclePath(tree);
  const { choice, note } = await choiceOf(reader, info, own, { entries, cut }, { signal, onProgress });
  const keys = selectKeys(await reader.keys(info.id, { signal }), selection);
  const older = keys.filter((key) => key.path === tree.path && cyclePath(key) !== own).map(cyclePath);
  return {
    plan: {
      ...plan,
      without: new Set(older),
      part: (key) => (cyclePath(key) === own ? { chosen: choice } : undefined),
    },
    notes: [note, ...older.map((path) => `${path}: an older cycle, left out`)],
  };
}
