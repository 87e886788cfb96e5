import { resolve } from 'node:path';
import type { PartialNote } from '../api/api';
import { toXylemError } from '../base/errors';
import { formatCount } from '../base/format';
import { looseProtocolOf } from '../io/schemes';
import { UsageError } from './arguments';
import type { Context } from './context';
import { type Listed, listLine } from './list-line';

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
