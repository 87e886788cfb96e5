import { toXylemError } from '../base/errors';
import { formatCount } from '../base/format';
import { UsageError } from './arguments';
import type { Context } from './context';
import { type Listed, listLine } from './list-line';

/** Failures that say nothing about the file that was read. */
const NOT_OF_FILE = ['ARGUMENT', 'ABORTED', 'BUDGET', 'INTERNAL'];

/** The files that a command could not read, as lines of a list that the next command takes. */
export class FailedFiles {
  readonly #lines = new Map<string, string>();

  /** Adds a file, or a range of a tree in it, as the command line named it. One that is added twice stands once. */
  add(failed: { file: string; tree?: string | undefined; entries?: Listed['entries'] }): void {
    const { file, tree = '', entries } = failed;
    const key = JSON.stringify([file, entries ?? null]);
    // A line that says the tree, too, is the better one.
    if (tree !== '' || !this.#lines.has(key)) this.#lines.set(key, listLine({ file, tree, entries }));
  }

  /** Adds a file whose reading threw, unless the reason is another one. */
  addIfOfFile(failed: Parameters<FailedFiles['add']>[0], thrown: unknown): void {
    if (thrown instanceof UsageError || NOT_OF_FILE.includes(toXylemError(thrown).code)) return;
    this.add(failed);
  }

  /** Writes the list, which is empty if no file failed. */
  async write(target: string, { out, err }: Context): Promise<void> {
    const lines = [...this.#lines.values()].sort();
    if (target === '-') {
      out.put(lines.join(''));
      return;
    }
    const { saveFile } = await import('../sinks/node-save-file');
    await saveFile(target, (put) => put(lines.join('')));
    err.line(`written: ${target}, ${formatCount(lines.length)} failed files`);
  }
}
