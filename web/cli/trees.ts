import { XylemError } from '../base/errors';
import { didYouMean, nearest } from '../base/suggest';
import { findKey, isTree } from '../model/keys';
import { checkOwnTree, onlyTree } from '../verbs/trees';
import { UsageError } from './arguments';
import type { OpenFile } from './context';

/** A tree that a command line names, and the words after it. */
export interface ChosenTree {
  path: string;
  rest: readonly string[];
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
    checkOwnTree(open, first);
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
  const meant = didYouMean(nearest(first, [path]));
  if (meant !== undefined)
    return new XylemError({
      code: 'NOT_FOUND',
      message: `There is no tree "${first}".`,
      ...{ where: { path: first }, fix: meant, cause: thrown },
    });
  const hint = `"${first}" is not a tree; the file has only "${path}".`;
  const fix = thrown.fix === undefined ? hint : `${thrown.fix} ${hint}`;
  return new XylemError({ ...thrown.toRecord(), fix, cause: thrown.cause });
}

async function namesTree(file: OpenFile, word: string): Promise<boolean> {
  const key = findKey(await file.keys(), word);
  return key !== undefined && isTree(key);
}
