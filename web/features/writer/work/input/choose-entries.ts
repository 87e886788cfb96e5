import type { CallOptions, EntrySelection, FileInfo, KeyInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { ChosenEntries, Selection } from '../../../../api/write';
import { internal } from '../../../../base/data-errors';
import { argumentError, XylemError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import { notFound } from '../../../../base/suggest';
import { chooseEntries, type EntryChoice } from '../../../../model/entry-choice';
import { findKey, isTree, newestKeys } from '../../../../model/keys';
import { selectKeys } from './selection';

/**
 * Returns the tree whose entries are chosen, at its newest copied cycle. If everything is decoded, it may be an
 * RNTuple. Throws ARGUMENT if it is not clear which tree is meant, and NOT_FOUND.
 */
export async function treeOfEntries(
  reader: EngineApi,
  info: FileInfo,
  selection: Selection,
  path: string | undefined,
  options: CallOptions,
  isDecoded = false,
): Promise<KeyInfo> {
  const keys = await reader.keys(info.id, options);
  const copied = [...newestKeys(selectKeys(keys, selection)).values()].filter(isTree);
  const trees = copied.filter(({ kind }) => kind === 'tree' || isDecoded);
  if (path !== undefined) {
    const found = findKey(trees, path);
    const names = trees.map((tree) => tree.path);
    if (!found) throw notFound('tree', path, names);
    return found;
  }
  // An RNTuple beside the tree would be copied whole.
  const [only] = trees;
  if (only && copied.length === 1) return only;
  const names = copied.map((tree) => tree.path);
  throw argumentError(
    only
      ? `Entries can be chosen of one tree, and ${copied.length} are copied: ${names.join(', ')}.`
      : 'There is no tree of which entries could be chosen.',
    only
      ? 'Copy one tree only, or say which one it is.'
      : "Leave the choice of entries out. Of an RNTuple they are chosen where it is written anew: --to rntuple, or to: 'rntuple'.",
  );
}

/** Returns the chosen entries of the tree at a path. Throws the errors of reading, those of the cut, and ARGUMENT. */
export async function choiceOf(
  reader: EngineApi,
  info: FileInfo,
  path: string,
  { entries, cut }: ChosenEntries,
  options: CallOptions,
): Promise<{ choice: EntryChoice; total: number; note: string }> {
  const { entries: total } = await reader.tree(info.id, path, options);
  const chosen = await chosenBy(reader, info, { tree: path, entries, cut }, options);
  const isSample = chosen !== undefined && 'fraction' in chosen;
  const choice = isSample ? spanned(chooseEntries(chosen, total), total) : chooseEntries(chosen, total);
  const count = choice.bounds(0, total)?.rows ?? 0;
  return { choice, total, note: `${path}: ${formatCount(count)} of ${formatCount(total)} entries` };
}

async function chosenBy(
  reader: EngineApi,
  info: FileInfo,
  { tree, entries, cut }: { tree: string; entries: EntrySelection | undefined; cut: string | undefined },
  options: CallOptions,
): Promise<EntrySelection | undefined> {
  if (cut === undefined) return entries;
  const drawn = await reader.draw(info.id, { tree, expr: '>>chosen', cut, entries }, options);
  if (drawn.kind !== 'entries') throw internal('A cut lists no entries.');
  const [error] = drawn.partial?.errors ?? [];
  if (!error) return drawn.numbers;
  throw new XylemError({
    code: error.code,
    message: `The cut cannot be evaluated for all entries: ${error.message}`,
    where: error.where,
    fix: 'Choose other entries, or write what is left of the file with "salvage".',
  });
}

/** Returns the same entries as a list of ranges. For a sample every entry is listed. */
function spanned(choice: EntryChoice, total: number): EntryChoice {
  const spans = choice.spans(choice.from, choice.to);
  return chooseEntries(
    Array.from({ length: spans.length / 2 }, (_, i) => [spans[2 * i] ?? 0, spans[2 * i + 1] ?? 0]),
    total,
  );
}
