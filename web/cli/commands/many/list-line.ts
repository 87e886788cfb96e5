import { pathToFileURL } from 'node:url';
import { argumentError } from '../../../base/errors';
import { isUrl } from '../../targets';

/** A tree of a file, or a range of its entries. */
interface Listed {
  file: string;
  tree: string;
  entries?: readonly [number, number];
}

/** Characters that end a line, or make a name a list or a pattern where there is no file of it. */
const MISLEADING = /[\r\n,*?[\]]/;

/**
 * The line of a list ("@list.txt") for an input, with its end. A name that would not be taken for itself is written as a
 * file:// address. Throws ARGUMENT for a tree or an address with a line break.
 */
export function listLine({ file, tree, entries }: Listed): string {
  const isAddress = isUrl(file);
  const broken = [tree, isAddress ? file : ''].find((name) => /[\r\n]/.test(name));
  if (broken !== undefined) {
    throw argumentError(
      `"${broken}" has a line break, so that it cannot stand in a list.`,
      'Draw this file without a plan, or rename it.',
    );
  }
  const name = isAddress || !MISLEADING.test(file) ? file : pathToFileURL(file).href;
  // In a URL "?#" would be an empty query.
  return `${name}${isUrl(name) ? '#' : '?#'}${tree}${entries ? `[${entries.join(':')}]` : ''}\n`;
}
