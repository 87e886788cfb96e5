import { XylemError } from '../base/errors';
import { findKey } from '../model/find-key';
import { isTree } from '../model/key-kind';
import { UsageError } from './arguments';
import type { OpenFile } from './context';

/** The paths of all trees. */
export async function treePaths({ keys: keysOf }: OpenFile): Promise<string[]> {
  return [...new Set((await keysOf()).filter(isTree).map(({ path }) => path))];
}

/** A tree that a command line names, and the words after it. */
export interface ChosenTree {
  path: string;
  rest: readonly string[];
}

/** The tree of a line whose last argument it is: the named one, or the only one. Throws NOT_FOUND. */
export async function treeOf(open: OpenFile, word: string | undefined): Promise<string> {
  return word ?? (await onlyTree(open));
}

/**
 * Calls `use` with the tree of "[TREE] WORD…" and the words after it. The first word is the tree when it
 * names one; else the only tree is used with all words, and an error says so. `behind` names what must follow
 * the tree; undefined when nothing must.
 */
export async function withTree<T>(
  open: OpenFile,
  words: readonly string[],
  behind: string | undefined,
  use: (chosen: ChosenTree) => Promise<T>,
): Promise<T> {
  const [first, ...rest] = words;
  if (first === undefined) return await use({ path: await onlyTree(open), rest: [] });
  if (await namesTree(open, first)) {
    if (behind !== undefined && rest.length === 0) throw new UsageError(`${behind} is missing.`);
    return await use({ path: first, rest });
  }
  const path = await onlyTree(open, first);
  try {
    return await use({ path, rest: words });
  } catch (thrown) {
    throw withHint(thrown, first, path);
  }
}

/** Adds a hint, because a misspelt tree may have been taken for something else. */
function withHint(thrown: unknown, first: string, path: string): unknown {
  if (!(thrown instanceof XylemError) || !/^(NOT_FOUND|ARGUMENT)$/.test(thrown.code)) return thrown;
  if (!/^[\w./;-]+$/.test(first)) return thrown;
  const hint = `"${first}" is not a tree; the file has only "${path}".`;
  const fix = thrown.fix === undefined ? hint : `${thrown.fix} ${hint}`;
  return new XylemError({ ...thrown.toRecord(), fix, cause: thrown.cause });
}

async function namesTree(file: OpenFile, word: string): Promise<boolean> {
  const key = findKey(await file.keys(), word);
  return key !== undefined && isTree(key);
}

/**
 * The path of the only tree. Throws NOT_FOUND with the names of the trees; `word` is the name that was given.
 */
export async function onlyTree(open: OpenFile, word?: string): Promise<string> {
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
    fix: `Name one of them: ${[only, ...others].slice(0, 5).join(', ')}${others.length > 4 ? ', …' : '.'}`,
  });
}
