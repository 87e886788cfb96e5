import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileSource, PartialNote } from '../api/api';
import { nameOfFile } from '../api/sources';
import { argumentError, toXylemError } from '../base/errors';
import { formatCount } from '../base/format';
import { ioError } from '../base/io-error';
import { isLogical, splitReplicas } from '../io/replicas/replica-names';
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
const MISLEADING = /[\r\n,*?[\]|]/;

/** Returns the absolute path or the whole address of a file, or all of its replicas, as a command line names them. */
export function wholeName(source: FileSource): string {
  switch (source.kind) {
    case 'path':
      return resolve(source.path);
    case 'url':
      return source.url;
    case 'replicas':
      return [...(source.name === undefined ? [] : [source.name]), ...source.replicas.map(wholeName)].join(
        '|',
      );
    case 'within':
      return `${wholeName(source.outer)}${source.outer.kind === 'url' ? '#' : ''}@${source.offset}`;
    case 'source':
      return source.source.name;
    default:
      return source.name;
  }
}

/**
 * The line of a list ("@list.txt") for an input, with its end. A name that would not be taken for itself is written as a
 * file:// address. Throws ARGUMENT for a tree or an address with a line break.
 */
export function listLine({ file, tree, entries }: Listed): string {
  const replicas = existsSync(file) ? [file] : splitReplicas(file);
  const broken = [tree, ...replicas.filter(isNoPath)].find((name) => /[\r\n]/.test(name));
  if (broken !== undefined) {
    throw argumentError(
      `"${broken}" has a line break, so that it cannot stand in a list.`,
      'Draw this file without a plan, or rename it.',
    );
  }
  const name = replicas
    .map((one) =>
      isNoPath(one) || !MISLEADING.test(one) ? one : pathToFileURL(one).href.replaceAll('|', '%7C'),
    )
    .join('|');
  // In a URL "?#" would be an empty query.
  if (tree === '' && !entries) return `${name}\n`;
  const last = splitReplicas(name).at(-1) ?? '';
  return `${name}${isNoPath(last) ? '#' : '?#'}${tree}${entries ? `[${entries.join(':')}]` : ''}\n`;
}

const isNoPath = (name: string): boolean => protocolOf(name) !== undefined || isLogical(name);

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
  /** Files with replicas, by the names that messages have. */
  readonly #replicas = new Map<string, string>();

  /** Notes a file that the command reads. One with replicas has another name in messages. */
  know(source: FileSource): void {
    const whole = source.kind === 'within' ? source.outer : source;
    if (whole.kind !== 'replicas') return;
    const name = nameOfFile(whole);
    for (const shown of [name, resolve(name)]) this.#replicas.set(shown, wholeName(whole));
  }

  /** Adds a file, or a range of a tree in it, as the command line named it. One that is added twice stands once. */
  add({ file: named, tree = '', entries }: FailedFile): void {
    const file = this.#replicas.get(named) ?? named;
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
