import type {
  BranchInfo,
  CallOptions,
  ChainPart,
  EntryRange,
  EntrySelection,
  FileId,
  FileInfo,
  TreeInfo,
} from '../api/api';
import { nameOfFile } from '../api/sources';
import { throwIfAborted } from '../base/abort';
import { internal, unsupported } from '../base/data-errors';
import { argumentError, type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { createTrace, type ReadRecord } from '../io/trace';
import { findBranch } from './branch-table';
import type { DataModel } from './data-model';
import { chooseEntries } from './entry-choice';
import type { RootFile } from './root-file';

/** Maximum number of open files. Closed files are opened again when they are needed. */
const MAX_OPEN = 16;
/** Number of unused files that keep their trees and classes, which take megabytes. */
const MAX_IDLE = 2;
/** Number of files that are opened at the same time to count their entries. */
const COUNTING = 4;

export type OpenPart = (part: ChainPart, options: CallOptions) => Promise<RootFile>;

/** The tree of one file, with some of the chosen entries. */
export interface Member {
  tree: DataModel;
  /** Number of its entry 0 among all entries of the chain. */
  first: number;
  /** Its chosen entries, counted from its own first entry. */
  entries: EntrySelection | undefined;
  /** Its branch that corresponds to a branch of the chain. Throws NOT_FOUND. */
  branch(whole: BranchInfo): BranchInfo;
  /** Whether no other file follows. */
  last: boolean;
  /**
   * Keeps the file open after the loop has moved on, until the returned function is called. Missing if the file stays
   * open anyway.
   */
  hold?: (() => Promise<() => Promise<void>>) | undefined;
}

/** A file of a chain that was opened before and cannot be opened any more. */
export interface LostMember {
  error: ErrorRecord;
}

/** The tree of one file, or the trees of several files as one. */
export type EntryTree = DataModel | ChainTree;

/**
 * Yields the trees that contain entries of a range, in order: the tree itself, or for a chain the trees of its files.
 * Each file is opened shortly before the loop reaches it.
 */
export async function* membersOf(
  tree: EntryTree,
  entries: EntrySelection | undefined,
  options: CallOptions = {},
): AsyncGenerator<Member | LostMember, void, undefined> {
  if (tree instanceof ChainTree) yield* tree.members(entries, options);
  else yield { tree, first: 0, entries, branch: (whole) => whole, last: true };
}

/**
 * Several files read as one. Entries are numbered over all files. Keys, objects and classes are those of the first
 * file. A file that cannot be opened is left out and listed in the notes.
 */
export class ChainFile {
  readonly #open = new Map<number, { file: Promise<RootFile>; users: number }>();
  readonly #trees = new Map<string, Promise<ChainTree>>();
  /** Reads of all closed files, limited like the trace of one file. */
  readonly #closedReads = createTrace();
  /** Error of a closed file that had changed. */
  #changed: XylemError | undefined;

  private constructor(
    readonly parts: readonly ChainPart[],
    readonly openPart: OpenPart,
    readonly first: RootFile,
    readonly firstIndex: number,
    readonly notes: readonly string[],
  ) {
    this.#open.set(firstIndex, { file: Promise.resolve(first), users: 1 });
  }

  /** Opens the first file that can be opened. Throws the error of the first file if none can. */
  static async open(
    parts: readonly ChainPart[],
    openPart: OpenPart,
    options: CallOptions,
  ): Promise<ChainFile> {
    let failure: XylemError | undefined;
    const notes: string[] = [];
    for (const [i, part] of parts.entries()) {
      try {
        return new ChainFile(parts, openPart, await openPart(part, options), i, notes);
      } catch (thrown) {
        const error = toXylemError(thrown);
        if (error.code === 'ABORTED') throw error;
        failure ??= error;
        notes.push(`${nameOf(part)} cannot be opened: ${error.message}`);
      }
    }
    throw failure ?? argumentError('A chain needs at least one file.');
  }

  info(id: FileId): FileInfo {
    const info = this.first.info(id);
    const more = this.parts.length - 1;
    const name = more > 0 ? `${info.name} and ${more} more` : info.name;
    return { ...info, name, files: this.parts.map(nameOf), notes: [...this.notes, ...info.notes] };
  }

  /** Returns the trees of all files at a path as one tree. A file may have its own path. */
  tree(path: string, options: CallOptions = {}): Promise<ChainTree> {
    let tree = this.#trees.get(path);
    if (!tree) {
      tree = ChainTree.open(this, path, options);
      tree.catch(() => this.#trees.delete(path));
      this.#trees.set(path, tree);
    }
    return tree;
  }

  /** Returns all reads of all files so far. */
  async trace(): Promise<ReadRecord[]> {
    const open = await Promise.allSettled([...this.#open.values()].map(({ file }) => file));
    const reads = open.flatMap((one) =>
      one.status === 'fulfilled' ? [...one.value.reader.trace.records()] : [],
    );
    return [...this.#closedReads.records(), ...reads].sort((a, b) => a.done - b.done);
  }

  /** See ByteReader. */
  async verifyUnchanged(signal?: AbortSignal): Promise<void> {
    const open = await Promise.allSettled([...this.#open.values()].map(({ file }) => file));
    const files = open.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.all(files.map((file) => file.verifyUnchanged(signal)));
    if (this.#changed) throw this.#changed;
  }

  async close(): Promise<void> {
    for (const index of [...this.#open.keys()]) await this.#close(index);
  }

  /** Returns the open file of an index. Every caller returns it with `release`. */
  async acquire(index: number, options: CallOptions): Promise<RootFile> {
    const part = this.parts[index];
    if (!part) throw internal(`The chain has no file ${index}.`);
    let member = this.#open.get(index);
    if (!member) {
      // Several callers may wait for the same file, so one caller's cancelling must not stop it.
      member = { file: this.openPart(part, {}), users: 0 };
      member.file.catch(() => this.#open.delete(index));
    }
    // The most recently used file is the last one.
    this.#open.delete(index);
    this.#open.set(index, member);
    member.users += 1;
    try {
      const file = await member.file;
      throwIfAborted(options.signal);
      return file;
    } catch (thrown) {
      member.users -= 1;
      throw thrown;
    }
  }

  async release(index: number): Promise<void> {
    const member = this.#open.get(index);
    if (member) member.users -= 1;
    const idle = [...this.#open.values()].filter(({ users }) => users === 0);
    for (const one of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) {
      const file = await one.file.catch(() => undefined);
      // Another caller may have acquired it in the meantime.
      if (one.users === 0) await file?.forget();
    }
    for (const [other, one] of [...this.#open]) {
      if (this.#open.size <= MAX_OPEN) break;
      if (one.users > 0) continue;
      await one.file.then((opened) => opened.verifyUnchanged()).catch((thrown) => this.#noteChange(thrown));
      // Another caller may have acquired or closed it in the meantime.
      if (one.users === 0 && this.#open.get(other) === one) await this.#close(other);
    }
  }

  #noteChange(thrown: unknown): void {
    const error = toXylemError(thrown);
    if (error.code === 'FILE_CHANGED') this.#changed ??= error;
  }

  async #close(index: number): Promise<void> {
    const member = this.#open.get(index);
    this.#open.delete(index);
    const file = await member?.file.catch(() => undefined);
    if (!file) return;
    for (const read of file.reader.trace.records()) this.#closedReads.add(read);
    await file.close();
  }
}

interface Counted {
  index: number;
  /** Number of its entry 0 in the chain. */
  first: number;
  entries: number;
}

/** One tree over the files of a chain. */
export class ChainTree {
  readonly #shapes = new Map<number, string>();

  private constructor(
    readonly chain: ChainFile,
    readonly path: string,
    readonly info: TreeInfo,
    readonly counted: readonly Counted[],
    readonly failures: readonly ErrorRecord[],
  ) {}

  static async open(chain: ChainFile, path: string, options: CallOptions): Promise<ChainTree> {
    const infos: (TreeInfo | undefined)[] = chain.parts.map(() => undefined);
    const errors: (ErrorRecord | undefined)[] = chain.parts.map(() => undefined);
    let next = 0;
    const count = async (): Promise<void> => {
      for (let index = next++; index < chain.parts.length; index = next++) {
        try {
          const file = await chain.acquire(index, options);
          try {
            const tree = await file.tree(chain.parts[index]?.tree ?? path, options);
            await tree.prepare(undefined, { signal: options.signal });
            infos[index] = tree.info;
          } finally {
            await chain.release(index);
          }
        } catch (thrown) {
          const error = toXylemError(thrown);
          if (error.code === 'ABORTED') throw error;
          errors[index] = inFile(error, chain.parts[index]);
        }
      }
    };
    await Promise.all(Array.from({ length: COUNTING }, count));
    const there = infos.findIndex((info) => info !== undefined);
    const like = infos[there];
    const [failure] = errors.filter((error) => error !== undefined);
    if (!like)
      throw new XylemError({
        ...(failure ?? { code: 'NOT_FOUND', message: `There is no "${path}".` }),
        cause: undefined,
      });
    const counted: Counted[] = [];
    let entries = 0;
    for (const [index, info] of infos.entries()) {
      if (!info) continue;
      counted.push({ index, first: entries, entries: info.entries });
      entries += info.entries;
    }
    const failures = errors.filter((error) => error !== undefined);
    const fileStarts = counted.map(({ first }) => first);
    const info = { ...wholeInfo(like, infos, entries, failures), fileStarts };
    return new ChainTree(chain, path, info, counted, failures);
  }

  branch(which: number | string): BranchInfo {
    return findBranch(this.info, which);
  }

  /** Yields the members that contain chosen entries. The next member is opened while the current one is in use. */
  async *members(
    selection: EntrySelection | undefined,
    options: CallOptions = {},
  ): AsyncGenerator<Member | LostMember, void, undefined> {
    const choice = chooseEntries(selection, this.info.entries);
    const parts = this.counted.filter(({ first, entries }) => choice.next(first) < first + entries);
    const acquire = (part: Counted | undefined): Promise<RootFile> | undefined => {
      const opening = part && this.chain.acquire(part.index, options);
      opening?.catch(() => {});
      return opening;
    };
    let opening = acquire(parts[0]);
    let held: Promise<RootFile> | undefined;
    let at = 0;
    try {
      for (; at < parts.length; at++) {
        const part = parts[at];
        if (!part || !opening) break;
        const { index, first, entries } = part;
        const path = this.chain.parts[index]?.tree ?? this.path;
        const tree = await opening
          .then((file) => file.tree(path, options))
          .catch((thrown: unknown) => inFile(toXylemError(thrown), this.chain.parts[index]));
        held = opening;
        opening = acquire(parts[at + 1]);
        if ('code' in tree) {
          if (tree.code === 'ABORTED') throw new XylemError({ ...tree, cause: undefined });
          yield { error: tree };
        } else {
          yield {
            tree,
            first,
            entries: rangesFrom(choice.spans(first, first + entries), first),
            branch: (whole) => sameBranch(tree.info, whole),
            last: at === parts.length - 1,
            hold: async () => {
              await this.chain.acquire(index, options);
              return () => this.chain.release(index);
            },
          };
        }
        await this.#giveBack(index, held);
        held = undefined;
      }
    } finally {
      // The loop ended early: the caller left it, or an error occurred.
      const part = parts[at];
      if (part) await this.#giveBack(part.index, held ?? opening);
      const ahead = parts[at + 1];
      if (ahead && held) await this.#giveBack(ahead.index, opening);
    }
  }

  /** Releases a file if it was acquired. */
  async #giveBack(index: number, opening: Promise<RootFile> | undefined): Promise<void> {
    await opening?.then(() => this.chain.release(index)).catch(() => {});
  }

  /** Throws UNSUPPORTED if a column has another type than in the earlier files. */
  checkShape(branch: BranchInfo, column: Column, tree: DataModel): void {
    const shape = shapeOf(column);
    const before = this.#shapes.get(branch.index);
    if (before === undefined) this.#shapes.set(branch.index, shape);
    else if (before !== shape) {
      throw unsupported(
        `${branch.path} is ${shape} in ${tree.reader.source.name}, and ${before} in the files before.`,
        'Read the files one by one.',
        { url: tree.reader.source.name, path: branch.path },
      );
    }
  }
}

const nameOf = ({ source }: ChainPart): string => nameOfFile(source);

function inFile(error: XylemError, part: ChainPart | undefined): ErrorRecord {
  const name = part ? nameOf(part) : '';
  const record = error.at({ url: name }).toRecord();
  return record.message.includes(name) ? record : { ...record, message: `${name}: ${record.message}` };
}

/** Returns a selection of spans. Their entries are relative to `first`. */
function rangesFrom(spans: Float64Array, first: number): EntrySelection {
  const ranges: EntryRange[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    ranges.push([(spans[i] ?? 0) - first, (spans[i + 1] ?? 0) - first]);
  }
  const [only] = ranges;
  return ranges.length === 1 && only ? only : ranges;
}

/** Returns the branch of the same path. If several branches have that path, returns the one at the same position. */
function sameBranch(info: TreeInfo, whole: BranchInfo): BranchInfo {
  const there = info.branches[whole.index];
  return there?.path === whole.path ? there : findBranch(info, whole.path);
}

function wholeInfo(
  like: TreeInfo,
  infos: (TreeInfo | undefined)[],
  entries: number,
  failures: ErrorRecord[],
): TreeInfo {
  const branches = like.branches.map((branch) => ({
    ...branch,
    entries,
    baskets: 0,
    totalBytes: 0,
    storedBytes: 0,
  }));
  const byPath = new Map(branches.map((branch) => [branch.path, branch]));
  const sum = { totalBytes: 0, storedBytes: 0 };
  for (const info of infos) {
    if (!info) continue;
    sum.totalBytes += info.totalBytes;
    sum.storedBytes += info.storedBytes;
    for (const one of info.branches) {
      const same = branches[one.index];
      const branch = same?.path === one.path ? same : byPath.get(one.path);
      if (!branch) continue;
      branch.baskets += one.baskets;
      branch.totalBytes += one.totalBytes;
      branch.storedBytes += one.storedBytes;
    }
  }
  const partial =
    failures.length > 0 ? { failed: failures.length, total: infos.length, errors: failures } : undefined;
  return { ...like, ...sum, entries, branches, ...(partial && { partial }) };
}

/** Returns the type of a column as text, for example "list of f32". */
function shapeOf(column: Column): string {
  switch (column.kind) {
    case 'primitive':
      return column.dtype;
    case 'fixed':
      return `${shapeOf(column.child)}[${column.size}]`;
    case 'list':
      return `list of ${shapeOf(column.child)}`;
    case 'optional':
      return `optional ${shapeOf(column.child)}`;
    case 'struct':
      return `{${column.children.map((child, i) => `${column.names[i]}: ${shapeOf(child)}`).join(', ')}}`;
    case 'variant':
      return column.children.map(shapeOf).join(' | ');
    case 'string':
    case 'tape':
      return column.kind;
  }
}
