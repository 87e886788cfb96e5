import type { FileInfo } from '../../../../api/api';
import type { TreeLayout } from '../../../../api/layout';
import { corrupt, unsupported } from '../../../../base/data-errors';
import type { XylemError } from '../../../../base/errors';
import { formatBytes, formatCount } from '../../../../base/format';
import { itemAt } from '../../../../base/item-at';
import type { Input } from './input';

/** Maximum number of entries in a basket: fNevBuf has 32 bits. */
const MAX_BASKET_ENTRIES = 0x7fffffff;

/**
 * Returns the entry after the last one for which a branch of the tree has a value in its baskets; 0 if there is none.
 */
export function endOfBaskets({ firstEntry, entries }: TreeLayout): number {
  let end = 0;
  for (const [i, first] of firstEntry.entries())
    if ((entries[i] ?? 0) > 0) end = Math.max(end, first + (entries[i] ?? 0));
  return end;
}

/**
 * Checks that stored numbers of entries are possible, because a false number must not decide how much is written and
 * how long that takes. Throws UNSUPPORTED for a tree with entries but no branches, whose number of entries cannot be
 * checked. Throws CORRUPT if a tree, a branch or a field claims more entries than its baskets or pages have, or a
 * basket claims more than fit into one. `name` is the name of the tree in messages.
 */
export function checkClaims(layout: TreeLayout, name = layout.tree.path): void {
  const { tree, basketStart, firstEntry, entries } = layout;
  const isTree = tree.kind === 'TTree';
  const refuse = (what: string, claimed: number, end: number): never => {
    throw falseClaim(
      tree.path,
      `${what} claims ${formatCount(claimed)} entries, but its ${isTree ? 'baskets' : 'pages'} have ${formatCount(end)}.`,
    );
  };
  if (!isTree) {
    for (const [b, branch] of tree.branches.entries()) {
      const lacking = layout.lacking ? itemAt(layout.lacking, b, 'number of lacking entries') : 0;
      if (lacking > 0) refuse(`Field ${branch.path} of ${name}`, tree.entries, tree.entries - lacking);
    }
    return;
  }
  if (tree.branches.length === 0 && tree.entries > 0) throw noBranches(tree.path, name, tree.entries);
  let longest = 0;
  for (const [b, branch] of tree.branches.entries()) {
    const [from = 0, to = 0] = [basketStart[b], basketStart[b + 1]];
    let end = 0;
    for (let i = from; i < to; i++) {
      const [first = 0, count = 0] = [firstEntry[i], entries[i]];
      const fits =
        first >= 0 && count >= 0 && count <= MAX_BASKET_ENTRIES && Number.isSafeInteger(first + count);
      if (!fits) {
        const claimed = `${formatCount(count)} entries from ${formatCount(first)} on`;
        throw falseClaim(
          tree.path,
          `A basket of ${branch.path} of ${name} claims ${claimed}, which no basket can have.`,
        );
      }
      if (count > 0) end = Math.max(end, first + count);
    }
    // Baskets in another file cannot be checked. They are neither read nor copied.
    if (branch.otherFile !== undefined) longest = Math.max(longest, branch.entries);
    else if (to > from && branch.entries > end)
      refuse(`Branch ${branch.path} of ${name}`, branch.entries, end);
    longest = Math.max(longest, end);
  }
  if (tree.entries > longest) refuse(name, tree.entries, longest);
}

/**
 * Counts copied bytes of an input. Throws CORRUPT if they exceed the size of the file: its records overlap then, and
 * a small file could produce a large one.
 */
export function takeBytes({ info, taken }: Pick<Input, 'info' | 'taken'>, bytes: number): void {
  taken.bytes += bytes;
  checkSize(info, taken.bytes);
}

/** Throws CORRUPT if records that do not overlap would have more bytes than the file. */
export function checkSize(info: FileInfo, bytes: number): void {
  if (bytes <= info.size) return;
  throw corrupt(
    `Records of ${info.name} lie over each other: together they have more than the ${formatBytes(info.size)} of the file.`,
    undefined,
    'The file may be damaged: see what "xylem check" finds.',
  );
}

function noBranches(path: string, name: string, entries: number): XylemError {
  return unsupported(
    `${name} has no branches: nothing but its record says that it has ${formatCount(entries)} entries.`,
    'Leave it out: "xylem skim" takes other trees by --tree, of one file or of several.',
    { path },
  );
}

function falseClaim(path: string, message: string): XylemError {
  return corrupt(
    message,
    { path },
    'The file may be damaged: see what "xylem check" finds, or save what is left of it with "xylem salvage".',
  );
}
