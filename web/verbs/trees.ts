import { unsupported } from '../base/data-errors';
import { argumentError, XylemError } from '../base/errors';
import { didYouMean, nearest } from '../base/suggest';
import { isTree } from '../model/keys';
import type { VerbFile } from './verb';

/** A file whose trees are asked for. */
type WithTrees = Pick<VerbFile, 'keys' | 'ownTree'>;
type Named = Pick<VerbFile, 'ownTree' | 'isChain'>;

/** Returns the paths of all trees of a file. */
export async function treePaths({ keys: keysOf }: WithTrees): Promise<string[]> {
  return [...new Set((await keysOf()).filter(isTree).map(({ path }) => path))];
}

/** Returns the named tree, or the only one of the file. Throws NOT_FOUND and ARGUMENT. */
export async function treeOf(open: WithTrees & Named, name: string | undefined): Promise<string> {
  if (name !== undefined) checkOwnTree(open, name);
  return name ?? (await onlyTree(open));
}

/** Throws ARGUMENT if the file was named with another tree (file.root?#tree). */
export function checkOwnTree({ ownTree, isChain }: Named, name: string): void {
  // The files of a list may name their trees, and the given name is that of the others.
  if (isChain || ownTree === undefined || withoutCycle(ownTree) === withoutCycle(name)) return;
  throw argumentError(
    `The file is named with the tree "${ownTree}", but "${name}" is asked for.`,
    'Name one tree.',
  );
}

const withoutCycle = (name: string): string => name.replace(/;\d+$/, '');

/** Returns the path of the only tree. Throws NOT_FOUND with the names of the trees; `word` is a name that was given. */
export async function onlyTree(open: WithTrees, word?: string): Promise<string> {
  if (open.ownTree !== undefined) return open.ownTree;
  const [only, ...others] = await treePaths(open);
  if (only === undefined) {
    throw new XylemError({
      code: 'NOT_FOUND',
      message: 'There is no tree in the file.',
      fix: '"xylem ls" shows what there is.',
    });
  }
  if (others.length === 0) return only;
  const count = `There are ${others.length + 1} trees in the file`;
  throw new XylemError({
    code: 'NOT_FOUND',
    message: word === undefined ? `${count}.` : `${count}, and "${word}" is not one of them.`,
    fix: `${didYouMeanTree(word, [only, ...others])}Name one of them: ${[only, ...others].slice(0, 5).join(', ')}${others.length > 4 ? ', …' : '.'}`,
  });
}

const didYouMeanTree = (word: string | undefined, trees: readonly string[]): string => {
  const meant = word === undefined ? undefined : didYouMean(nearest(word, trees));
  return meant === undefined ? '' : `${meant} `;
};

/** Returns the error of asking several files for a stored object, because that of the first would be taken for all. */
export function severalFiles(name: string): XylemError {
  return unsupported(
    `${name} is several files: these are one for their trees, and not for their stored objects.`,
    'Name one file, or add the objects of all by "xylem merge".',
  );
}
