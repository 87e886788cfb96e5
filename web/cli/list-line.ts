import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PartialNote } from '../api/api';
import { argumentError, toXylemError } from '../base/errors';
import { formatCount } from '../base/format';
import { ioError } from '../base/io-error';
import { looseProtocolOf, protocolOf } from '../io/schemes';
import { UsageError } from './arguments';
import type { Context } from './context';
import type { OwnFiles } from './own-files';

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
  const isAddress = protocolOf(file) !== undefined;
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
  return `${name}${protocolOf(name) !== undefined ? '#' : '?#'}${tree}${entries ? `[${entries.join(':')}]` : ''}\n`;
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

/** Failures that say nothing about the file that was read. */
const NOT_OF_FILE = ['ARGUMENT', 'ABORTED', 'BUDGET', 'INTERNAL'];

export type FailedFile = Omit<Listed, 'tree'> & { tree?: string | undefined };

/** The files that a command could not read, as lines of a list that the next command takes. */
export class FailedFiles {
  /** By their files: the lines of ranges and trees. A file without these is left out where it has some. */
  readonly #lines = new Map<string, Set<string>>();

  /** Adds a file, or a range of a tree in it, as the command line named it. One that is added twice stands once. */
  add({ file, tree = '', entries }: FailedFile): void {
    const lines = this.#lines.get(file) ?? new Set();
    this.#lines.set(file, lines);
    if (tree !== '' || entries) lines.add(listLine({ file, tree, entries }));
  }

  /** Adds a file whose reading threw, unless the reason is another one. */
  addIfOfFile(failed: FailedFile, thrown: unknown): void {
    if (thrown instanceof UsageError) return;
    const { code, where } = toXylemError(thrown);
    // A wrong expression is a mistake of the command line.
    if (!NOT_OF_FILE.includes(code) && where?.expression === undefined) this.add(failed);
  }

  /** Adds the files of missing parts of a result. */
  addPartial(partial: PartialNote): void {
    for (const { where } of partial.errors)
      if (where?.url !== undefined)
        this.add({ file: looseProtocolOf(where.url) ? where.url : resolve(where.url) });
  }

  /** Writes the list, which is empty if no file failed. */
  async write(target: string, { out, err }: Context): Promise<void> {
    const lines = [...this.#lines]
      .flatMap(([file, own]) => (own.size > 0 ? [...own] : [listLine({ file, tree: '' })]))
      .sort();
    if (target === '-') {
      out.put(lines.join(''));
      return;
    }
    const { saveFile } = await import('../sinks/node-save-file');
    await saveFile(target, (put) => put(lines.join('')));
    err.line(`written: ${target}, ${formatCount(lines.length)} failed files`);
  }
}
