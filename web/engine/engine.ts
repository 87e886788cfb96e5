import { settle } from '../base/abort';
import { toXylemError, XylemError } from '../base/errors';
import { type ExtentStore, openStoredExtents } from '../cache/extent-store';
import { Core } from '../core/core';
import type {
  BranchSummary,
  CacheInfo,
  CallOptions,
  ClassInfo,
  DrawRequest,
  DrawResult,
  FileId,
  FileInfo,
  FileRecords,
  FileSource,
  FriendTree,
  KeyInfo,
  PlainObject,
  QueryOutcome,
  QueryRequest,
  ReaderApi,
  ReadRequest,
  ReadResult,
  SourceSpec,
  SummaryRequest,
  Table,
  TableRequest,
  TreeInfo,
  TreeLayout,
  WalkedRecords,
  WholeSource,
} from '../file/api';
import { ChainFile, ChainTree, type EntryTree } from '../file/chain';
import { checkFile } from '../file/check';
import type { CheckReport } from '../file/check-report';
import { runDecodeTask } from '../file/decode-task';
import { drawBranch } from '../file/draw';
import { identityOf, originOf } from '../file/identity';
import { keepWhole, keptFiles, openKept } from '../file/keep';
import { runQueryTask } from '../file/query-task';
import { readBranches } from '../file/read';
import { RootFile } from '../file/root-file';
import type { TaskRunner } from '../file/scan';
import { summarizeBranches } from '../file/summarize';
import { createExtentBudget } from '../io/extents';
import { createReader } from '../io/reader';
import { sliceSource } from '../io/slice-source';
import type { ByteSource, Range } from '../io/source';
import type { StoredExtents } from '../io/stored';
import { type ReadRecord, summarize, type TraceSummary } from '../io/trace';
import { drawQuery } from './draw';
import { FriendFiles } from './friend-files';
import type { FriendHost, FriendOffer } from './friends';
import { readTable } from './table';

export interface EngineOptions {
  /** The compiled core. */
  module: WebAssembly.Module;
  /** Makes a source of what a caller names; each host knows other kinds. Throws ARGUMENT. */
  openSource: (spec: WholeSource) => Promise<ByteSource>;
  /** Where baskets are decoded; in this thread without one. */
  runner?: TaskRunner | undefined;
  /** Where bytes that came over HTTP are kept beyond the session; nowhere without one. */
  store?: ExtentStore | undefined;
}

/** The engine: everything that the ReaderApi offers, in this thread (decoding by the runner). */
export async function createEngine(options: EngineOptions): Promise<ReaderApi> {
  const core = await Core.create(options.module);
  return new Engine(core, options.openSource, options.runner ?? inThread(core), options.store);
}

function inThread(core: Core): TaskRunner {
  return {
    lanes: 1,
    readsFiles: false,
    run: async (task, signal) => runDecodeTask(core, task, () => signal?.aborted ?? false),
    query: async (task, signal) => runQueryTask(core, task, () => signal?.aborted ?? false),
  };
}

class Engine implements ReaderApi {
  readonly #files = new Map<FileId, RootFile | ChainFile>();
  /** Files that trees name as those of their friends. */
  readonly #friends = new Map<FileId, FriendFiles>();
  readonly #specs = new WeakMap<object, FileSource>();
  /** Compressed bytes in memory, of all files together. */
  readonly #budget = createExtentBudget();
  #lastId = 0;

  constructor(
    readonly core: Core,
    readonly openSource: EngineOptions['openSource'],
    readonly runner: TaskRunner,
    readonly store: ExtentStore | undefined,
  ) {}

  open(spec: SourceSpec, options: CallOptions = {}): Promise<FileInfo> {
    return typed(async () => {
      const file =
        spec.kind === 'chain'
          ? await ChainFile.open(spec.files, (part, call) => this.#open(part.source, call), options)
          : await this.#open(spec, options);
      const id = ++this.#lastId;
      this.#files.set(id, file);
      return file.info(id);
    });
  }

  async #open(spec: FileSource, options: CallOptions): Promise<RootFile> {
    const file = await this.#openFile(spec, options);
    this.#specs.set(file, spec);
    return file;
  }

  async #openFile(spec: FileSource, options: CallOptions): Promise<RootFile> {
    const source =
      spec.kind === 'within'
        ? sliceSource(await this.openSource(spec.outer), spec.offset)
        : await this.openSource(spec);
    const reader = createReader(source, { budget: this.#budget });
    // Found while the head, which says whether it is of the same file, is under way.
    const latest = this.#latest(spec, source);
    try {
      return await RootFile.open(this.core, reader, {
        signal: options.signal,
        // What was seen before is kept, its end too.
        endAhead: async () => spec.kind === 'url' && !(await latest) && !(await this.#isKept(spec, source)),
        onHeader: async (header, head) => {
          if (!this.store || spec.kind !== 'url' || spec.cache === 'none') return;
          // One that was not closed may grow, with the same head.
          if (header.seekKeys <= 0) return;
          const identity = identityOf(source, spec.url, header, head);
          const found = await latest;
          const extents =
            found?.file.key === identity.key ? found : await openStoredExtents(this.store, identity);
          reader.keepIn(extents);
          extents.save(0, head);
        },
      });
    } catch (thrown) {
      const error = await causeOf(toXylemError(thrown), reader, options.signal);
      await reader.close();
      const kept = await this.#openOffline(spec, source, error, options);
      if (kept) return kept;
      throw error.at({ url: source.name });
    }
  }

  /** What is kept under the name of a file, if its server still has the same. Never rejects. */
  async #latest(spec: FileSource, source: ByteSource): Promise<StoredExtents | undefined> {
    if (!this.store?.latest || spec.kind !== 'url' || spec.cache === 'none') return undefined;
    const known = await this.store.latest(source.name);
    return known && openStoredExtents(this.store, known);
  }

  async #isKept(spec: Extract<FileSource, { kind: 'url' }>, source: ByteSource): Promise<boolean> {
    if (!this.store || this.store.latest || spec.cache === 'none') return false;
    return (await keptFiles(this.store, source, originOf(spec.url))).length > 0;
  }

  /** What is kept of a file whose server cannot be reached; undefined when that is not so. */
  async #openOffline(
    spec: FileSource,
    source: ByteSource,
    error: XylemError,
    options: CallOptions,
  ): Promise<RootFile | undefined> {
    if (!this.store || spec.kind !== 'url' || spec.cache === 'none') return undefined;
    if (error.code !== 'NETWORK' && error.code !== 'TIMEOUT') return undefined;
    for (const known of await keptFiles(this.store, source, originOf(spec.url))) {
      const kept = await openKept(this.store, known, source, error);
      const reader = createReader(kept.source, { budget: this.#budget });
      reader.keepIn(kept.extents);
      try {
        const file = await RootFile.open(this.core, reader, { signal: options.signal });
        file.offline = true;
        return file;
      } catch {
        // Less than a file's head and tail is kept: then the first failure is told.
        await reader.close();
      }
    }
    return undefined;
  }

  keys(id: FileId, options: CallOptions = {}): Promise<KeyInfo[]> {
    return this.#call(id, options, async () => {
      const keys = await this.#first(id).keys({ signal: options.signal });
      return keys.map(({ record: _record, ...key }) => key);
    });
  }

  tree(id: FileId, path: string, options: CallOptions = {}): Promise<TreeInfo> {
    return this.#call(id, options, async () => {
      const tree = await this.#tree(id, path, options);
      // Sizes are those of the whole tree.
      if (!(tree instanceof ChainTree)) await tree.prepare(undefined, { signal: options.signal });
      return tree.info;
    });
  }

  layout(id: FileId, path: string, options: CallOptions = {}): Promise<TreeLayout> {
    return this.#call(id, options, async () => this.#file(id).layout(path, { signal: options.signal }));
  }

  records(id: FileId, options: CallOptions = {}): Promise<FileRecords> {
    return this.#call(id, options, async () => this.#file(id).records({ signal: options.signal }));
  }

  walk(id: FileId, ranges?: Range[], options: CallOptions = {}): Promise<WalkedRecords> {
    return this.#call(id, options, async () => this.#file(id).walk(ranges, options));
  }

  object(id: FileId, path: string, options: CallOptions = {}): Promise<PlainObject> {
    return this.#call(id, options, async () => {
      const value = await this.#first(id).object(path, { signal: options.signal });
      return value as PlainObject;
    });
  }

  types(id: FileId, options: CallOptions = {}): Promise<ClassInfo[]> {
    return this.#call(id, options, async () => this.#first(id).types({ signal: options.signal }));
  }

  read(id: FileId, request: ReadRequest, options: CallOptions = {}): Promise<ReadResult[]> {
    return this.#call(id, options, async () => {
      const tree = await this.#tree(id, request.tree, options);
      return readBranches(tree, this.runner, request, options);
    });
  }

  summarize(id: FileId, request: SummaryRequest, options: CallOptions = {}): Promise<BranchSummary[]> {
    return this.#call(id, options, async () => {
      const tree = await this.#tree(id, request.tree, options);
      return summarizeBranches(tree, this.runner, request, options);
    });
  }

  draw(id: FileId, request: DrawRequest, options: CallOptions = {}): Promise<DrawResult> {
    return this.#call(id, options, async () => {
      const tree = await this.#tree(id, request.tree, options);
      return drawBranch(tree, this.runner, request, options);
    });
  }

  check(id: FileId, options: CallOptions = {}): Promise<CheckReport> {
    return this.#call(id, options, async () => checkFile(this.#file(id), this.runner, options));
  }

  query(id: FileId, request: QueryRequest, options: CallOptions = {}): Promise<QueryOutcome> {
    return this.#call(id, options, async () => {
      const tree = await this.#tree(id, request.tree, options);
      return drawQuery(tree, this.runner, request, this.#host(id, request.friends), options);
    });
  }

  table(id: FileId, request: TableRequest, options: CallOptions = {}): Promise<Table> {
    return this.#call(id, options, async () => {
      const tree = await this.#tree(id, request.tree, options);
      return readTable(tree, this.runner, request, this.#host(id, request.friends), options);
    });
  }

  traceSummary(id: FileId): Promise<TraceSummary> {
    return typed(async () => summarize(await this.#reads(id)));
  }

  trace(id: FileId): Promise<ReadRecord[]> {
    return typed(() => this.#reads(id));
  }

  cacheInfo(): Promise<CacheInfo | undefined> {
    return typed(async () => this.store?.info());
  }

  clearCache(file?: string): Promise<void> {
    return typed(async () => this.store?.clear(file));
  }

  limitCache(maxBytes?: number): Promise<void> {
    return typed(async () => {
      if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && maxBytes >= 0)) {
        throw new XylemError({ code: 'ARGUMENT', message: `${maxBytes} is no number of bytes.` });
      }
      await this.store?.limit(maxBytes);
    });
  }

  keepOffline(id: FileId, options: CallOptions = {}): Promise<void> {
    return this.#call(id, options, async () => {
      const { reader, header } = this.#file(id);
      if (!this.store || !reader.stored) {
        throw new XylemError({
          code: 'ARGUMENT',
          message: `${reader.source.name} cannot be kept: only closed files that are read over the network are, where this reader has a cache.`,
        });
      }
      await keepWhole(reader, this.store, reader.stored, header.end, options);
    });
  }

  close(id: FileId): Promise<void> {
    return typed(async () => {
      const file = this.#files.get(id);
      const friends = this.#friends.get(id);
      this.#files.delete(id);
      this.#friends.delete(id);
      await friends?.close();
      await file?.close();
    });
  }

  /** What a call gives counts when all that it read is known to be of one content. */
  #call<T>(id: FileId, { signal }: CallOptions, run: () => Promise<T>): Promise<T> {
    return typed(async () => {
      const file = this.#opened(id);
      let result: T;
      try {
        result = await run();
      } catch (thrown) {
        throw await causeOf(toXylemError(thrown), file, signal);
      }
      await file.prove(signal);
      await this.#friends.get(id)?.prove(signal);
      return result;
    });
  }

  #opened(id: FileId): RootFile | ChainFile {
    const file = this.#files.get(id);
    if (file) return file;
    throw new XylemError({ code: 'ARGUMENT', message: `File ${id} is not open.` });
  }

  /** A single file. Throws UNSUPPORTED for a chain, whose places in a file have no meaning. */
  #file(id: FileId): RootFile {
    const file = this.#opened(id);
    if (!(file instanceof ChainFile)) return file;
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: 'This is not done over several files.',
      fix: 'Open one of them.',
    });
  }

  #first(id: FileId): RootFile {
    const file = this.#opened(id);
    return file instanceof ChainFile ? file.first : file;
  }

  #tree(id: FileId, path: string, { signal }: CallOptions): Promise<EntryTree> {
    return this.#opened(id).tree(path, { signal });
  }

  /** The friends of trees of a file: those that they name, and those that are given. */
  #host(id: FileId, given: readonly FriendTree[] = []): FriendHost {
    let files = this.#friends.get(id);
    if (!files) {
      files = new FriendFiles(
        (spec, options) => this.#open(spec, options),
        (home) => this.#specs.get(home),
      );
      this.#friends.set(id, files);
    }
    const offers = given.map(({ file, tree, alias, index }): FriendOffer => {
      const treeName = tree.replace(/;\d+$/, '').replace(/^.*\//s, '');
      return {
        name: alias ?? treeName,
        treeName,
        place: this.#opened(file).info(file).name,
        whole: true,
        open: (options) => this.#tree(file, tree, options),
        index,
      };
    });
    const own = files.own.bind(files);
    return { own, given: offers };
  }

  async #reads(id: FileId): Promise<ReadRecord[]> {
    const file = this.#opened(id);
    const own = file instanceof ChainFile ? await file.trace() : [...file.reader.trace.records()];
    const friends = await this.#friends.get(id)?.reads();
    return friends ? [...own, ...friends].sort((a, b) => a.done - b.done) : own;
  }
}

/** Failures that bytes of a changed file do not explain, or that make asking again vain. */
const OTHER_CAUSES = new Set(['ABORTED', 'ARGUMENT', 'NETWORK', 'TIMEOUT', 'HTTP_STATUS', 'FILE_CHANGED']);

/** FILE_CHANGED, where what could not be used was of a changed file; else the failure itself. */
async function causeOf(
  error: XylemError,
  file: { prove(signal?: AbortSignal): Promise<void> },
  signal: AbortSignal | undefined,
): Promise<XylemError> {
  if (OTHER_CAUSES.has(error.code)) return error;
  const proof = await settle(file.prove(signal));
  if (proof.ok) return error;
  const cause = toXylemError(proof.error);
  return cause.code === 'FILE_CHANGED' || cause.code === 'ABORTED' ? cause : error;
}

/** All that leaves the engine is a XylemError. */
async function typed<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw toXylemError(thrown);
  }
}
