import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { argumentError } from '../base/errors';
import { ioError } from '../base/io-error';
import type { OwnFiles } from './own-files';
import { isUrl } from './targets';

/** A tree of a file, or a range of its entries. */
export interface Listed {
  file: string;
  tree: string;
  entries?: readonly [number, number] | undefined;
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
  if (tree === '' && !entries) return `${name}\n`;
  return `${name}${isUrl(name) ? '#' : '?#'}${tree}${entries ? `[${entries.join(':')}]` : ''}\n`;
}

/** Writes a list for each task. Returns their paths. Throws IO and ARGUMENT, and UsageError where a list would replace an input. */
export async function saveLists(
  name: string,
  tasks: readonly (readonly Listed[])[],
  files: OwnFiles,
): Promise<string[]> {
  const { saveFile } = await import('../sinks/node-save-file');
  const folder = resolve(name);
  await mkdir(folder, { recursive: true }).catch((thrown: unknown) => {
    throw ioError(`The folder "${folder}" cannot be made`, thrown, folder);
  });
  const lists: string[] = [];
  for (const [i, inputs] of tasks.entries()) {
    const list = join(folder, `task-${String(i + 1).padStart(4, '0')}.txt`);
    const lines = inputs.map(listLine).join('');
    await files.addOutput(list, { word: '--out', replaces: 'others' });
    await saveFile(list, (put) => put(lines));
    lists.push(list);
  }
  return lists;
}
