import type {
  ArraysRequest,
  ArraysResult,
  BranchSummary,
  CacheInfo,
  CallOptions,
  ClassInfo,
  DrawAllRequest,
  DrawOutcome,
  DrawRequest,
  DrawResult,
  FileId,
  FileInfo,
  FileSource,
  FriendTree,
  KeyInfo,
  PlainObject,
  SourceSpec,
  SummaryRequest,
  TreeInfo,
  TreeLayout,
  WholeSource,
} from '../api/api';
import type { CheckOptions, CheckReport } from '../api/check-report';
import type {
  BlockRequest,
  BlockResult,
  BytesOptions,
  EncodeResult,
  EncodeTask,
  EngineApi,
  FileRecords,
  FunctionRequest,
  FunctionValues,
  PackedTable,
  PlannedPass,
  PlannedReading,
  RecoverOptions,
  ReopenOptions,
  RowsRequest,
  WalkedRecords,
} from '../api/engine-api';
import type { ProcessRequest, ProcessResult } from '../api/selector';
import { settle } from '../base/abort';
import { unsupported } from '../base/data-errors';
import { abortError, argumentError, toXylemError } from '../base/errors';
import type { ExtentStore } from '../cache/extent-store';
import type { BasketResult, BasketTask } from '../core/basket-packer';
import { Core } from '../core/core';
import type { LoadModule } from '../core/modules/registry';
import type { NodePart } from '../features/work-part';
import { createExtentBudget } from '../io/extents';
import { type ByteReader, createByteReader } from '../io/fetch/reader';
import { sliceSource } from '../io/slice-source';
import type { ByteSource, Range } from '../io/source';
import { type ReadRecord, summarize, type TraceSummary } from '../io/trace';
import { ChainFile, ChainTree, type EntryTree } from '../model/chain';
import { plainKey } from '../model/keys';
import { RootFile } from '../model/root-file';
import { LastTrees } from '../model/tail';
import { moduleOf, withWriter } from '../pass/module-of';
import type { TaskRunner } from '../pass/types';
import { FriendFiles } from '../query/friends/friend-files';
import type { FriendHost, FriendOffer } from '../query/friends/friends';
import { checkChunkBytes, checkRequest, checkSource, checkText, isWritten, noSelectors } from './arguments';
import { keepWhole } from './cached-file';
import { causeOf, typed } from './call-errors';
import { watchCalls } from './call-progress';
import { CoreParts } from './core-parts';
import { CoreWork } from './core-work';
import { createFileCache, type KeptFile } from './file-cache';
import { changeOf } from './identity';
import { inThread } from './in-thread';
import { openWhole, placeBeside } from './open-whole';

/** The needs of an engine that its host serves: a page, a worker or Node. */
export interface EngineHost {
  /** Makes a source of a caller's specification; each host knows other kinds. Throws ARGUMENT. */
  openSource: (spec: WholeSource) => Promise<ByteSource>;
  /** Loads what few calls need; without it these calls fail. */
  modules?: LoadModule | undefined;
  /** Runs the code of users; without it they cannot. */
  selectors?: NodePart['process'];
  /** Makes what keeps bytes that came over HTTP beyond the session, when it is first needed; without it nothing is kept. */
  store?: (() => ExtentStore | Promise<ExtentStore>) | undefined;
}

export interface EngineOptions extends EngineHost {
  /** The compiled core. */
  module: WebAssembly.Module;
  /** Decodes baskets, with modules that it loads itself; without a runner, this thread does. */
  runner?: TaskRunner | undefined;
}

/** An engine of this thread. */
export interface LocalReader extends EngineApi {
  /** Closes all files; running calls, and later ones, reject with ABORTED. Never rejects. */
  end(): Promise<void>;
}

/** The engine: all calls of EngineApi, in this thread (decoding by the runner). */
export async function createEngine(options: EngineOptions): Promise<LocalReader> {
  const core = await Core.create(options.module);
  const runner = options.runner ?? inThread(await Core.create(options.module), options.modules);
  const parts = new CoreParts(core, options.modules ?? runner.modules);
  const own = parts.runner(runner);
  const engine = new Engine(core, parts, options.openSource, own, options.store, options.selectors);
  return { ...watchCalls(engine, engine.readers()), end: () => engine.end() };
}

class Engine implements LocalReader {
  readonly #files = new Map<FileId, RootFile | ChainFile>();
  /** Files that trees name as those of their friends. */
  readonly #friends = new Map<FileId, FriendFiles>();
  readonly #specs = new WeakMap<object, FileSource>();
  readonly #readers = new Set<ByteReader>();
  /** Compressed bytes in memory, of all files together. */
  readonly #budget = createExtentBudget();
  /** Files that are opened one after another are often alike. */
  readonly #lastTrees = new LastTrees();
  readonly #work: CoreWork;
  /** It differs between engines, so that a file of one reader is not mistaken for a file of another. */
  #lastId = Math.floor(Math.random() * 2 ** 32) * 2 ** 20;
  #ended = false;
  #store: Promise<ExtentStore | undefined> | undefined;

  constructor(
    readonly core: Core,
    readonly parts: CoreParts,
    readonly openSource: EngineOptions['openSource'],
    readonly runner: TaskRunner,
    readonly makeStore: EngineHost['store'],
    readonly selectors: EngineHost['selectors'],
  ) {
    this.#work = new CoreWork(core, parts, () => this.#files.size);
  }

  /** Those of the open files, each time. */
  readers(): Iterable<ByteReader> {
    const all = this.#readers;
    return {
      *[Symbol.iterator]() {
        for (const reader of all) {
          if (reader.closed) all.delete(reader);
          else yield reader;
        }
      },
    };
  }

  get store(): Promise<ExtentStore | undefined> {
    this.#store ??= Promise.resolve(this.makeStore?.());
    return this.#store;
  }

  #read(source: ByteSource): ByteReader {
    const reader = createByteReader(source, { budget: this.#budget });
    this.#readers.add(reader);
    return reader;
  }

  async warm(): Promise<void> {
    await this.runner.warm?.();
  }

  open(spec: SourceSpec, options: ReopenOptions = {}): Promise<FileInfo> {
    return typed(async () => {
      checkSource(spec);
      if (this.#ended) throw abortError();
      const file = await this.#work.run(async () =>
        spec.kind === 'chain'
          ? ChainFile.open(spec.files, (part, call) => this.#open(part.source, call), options)
          : this.#open(spec, options),
      );
      const before = options.as;
      const id = before?.id ?? ++this.#lastId;
      this.#files.set(id, file);
      const info = file.info(id);
      const error = this.#ended ? abortError() : before && changeOf(before, info);
      if (!error) return info;
      await this.close(id);
      throw error;
    });
  }

  async #open(spec: FileSource, options: CallOptions): Promise<RootFile> {
    const file = await this.#openFile(spec, options);
    this.#specs.set(file, placeBeside(spec));
    return file;
  }

  async #openFile(spec: FileSource, options: CallOptions): Promise<RootFile> {
    const isServed = spec.kind === 'url' || spec.kind === 'replicas';
    const keeps = spec.kind === 'url' && spec.cache !== 'none';
    const [opened, store] = await Promise.all([
      openWhole(spec.kind === 'within' ? spec.outer : spec, this.openSource, this.core),
      keeps ? this.store : undefined,
    ]);
    const source = spec.kind === 'within' ? sliceSource(opened, spec.offset) : opened;
    const reader = this.#read(source);
    const cache = keeps && store ? createFileCache(store, spec.url, source) : undefined;
    try {
      return await RootFile.open(this.core, reader, {
        signal: options.signal,
        lastTrees: isServed ? this.#lastTrees : undefined,
        // For a known address the end of the file is cached, too. It has too few bytes if trees begin far from the end.
        endAhead: isServed ? async () => !this.#lastTrees.far && !(await cache?.isKnown()) : undefined,
        onHeader: async (header, head) => {
          this.parts.expect(header.compression);
          await cache?.keepIn(reader, header, head);
        },
      });
    } catch (thrown) {
      const error = await causeOf(toXylemError(thrown), reader, options.signal);
      await reader.close();
      for await (const kept of cache?.offline(error) ?? []) {
        const file = await this.#openKept(kept, options);
        if (file) return file;
      }
      throw error.at({ url: source.name });
    }
  }

  /** Undefined when less is cached than the head and the tail of the file. */
  async #openKept({ source, extents }: KeptFile, { signal }: CallOptions): Promise<RootFile | undefined> {
    const reader = this.#read(source);
    reader.keepIn(extents);
    try {
      const file = await RootFile.open(this.core, reader, { signal });
      file.offline = true;
      return file;
    } catch {
      await reader.close();
      return undefined;
    }
  }

  keys(id: FileId, options: CallOptions = {}): Promise<KeyInfo[]> {
    return this.#call(id, options, async () => {
      const keys = await this.#first(id).keys({ signal: options.signal });
      return keys.map(plainKey);
    });
  }

  tree(id: FileId, path: string, options: CallOptions = {}): Promise<TreeInfo> {
    return this.#call(id, options, async () => {
      checkText(path, 'tree', 'the path of a tree');
      const tree = await this.#tree(id, path, options);
      // Sizes are those of the whole tree.
      if (!(tree instanceof ChainTree)) await tree.prepare(undefined, { signal: options.signal });
      return tree.info;
    });
  }

  layout(id: FileId, path: string, options: Parameters<EngineApi['layout']>[2] = {}): Promise<TreeLayout> {
    return this.#call(id, options, async () => {
      checkText(path, 'layout', 'the path of a tree');
      return this.#file(id).layout(path, options.orders, { signal: options.signal });
    });
  }

  plannedReads(
    id: FileId,
    { request, local }: PlannedReading,
    options?: CallOptions,
  ): Promise<PlannedPass[]> {
    return typed(async () => {
      this.#file(id);
      const { recordReads } = await import('../pass/planned-reads');
      const { runner, passes } = recordReads(this.runner, local);
      if ('summarize' in request) await this.summarize(id, request.summarize, options, runner);
      else await this.draw(id, request.draw, options, runner);
      return passes;
    });
  }

  records(id: FileId, options: CallOptions = {}): Promise<FileRecords> {
    return this.#call(id, options, async () => this.#file(id).records({ signal: options.signal }));
  }

  walk(id: FileId, ranges?: Range[], options: CallOptions = {}): Promise<WalkedRecords> {
    return this.#call(id, options, async () => this.#file(id).walk(ranges, options));
  }

  fields(id: FileId, at: number, options: CallOptions = {}) {
    return this.#call(id, options, async () => this.#file(id).fields(at, options));
  }

  bytes(id: FileId, ranges: Range[], options: BytesOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return this.#call(id, options, async () => this.#file(id).bytes(ranges, options));
  }

  object(id: FileId, path: string, options: CallOptions = {}): Promise<PlainObject> {
    return this.#call(id, options, async () => {
      checkText(path, 'object', 'the path of an object');
      const value = await this.#first(id).object(path, { signal: options.signal });
      return value as PlainObject;
    });
  }

  readAhead(id: FileId, ranges: Range[], options: CallOptions = {}): Promise<void> {
    return this.#call(id, options, async () => {
      await this.#first(id).reader.read(ranges, { signal: options.signal, purpose: 'objects' });
    });
  }

  functionValues(requests: FunctionRequest[], options: CallOptions = {}): Promise<FunctionValues[]> {
    return typed(async () => {
      const { functionValues } = await import('../measure/function-values');
      return functionValues(this.runner, requests, options.signal);
    });
  }

  types(id: FileId, options: CallOptions = {}): Promise<ClassInfo[]> {
    return this.#call(id, options, async () => this.#first(id).types({ signal: options.signal }));
  }

  arrays(id: FileId, request: ArraysRequest, options: CallOptions = {}): Promise<ArraysResult[]> {
    return this.#call(id, options, async () => {
      checkRequest('arrays', request);
      const [tree, { readBranches }] = await this.#with(
        id,
        request,
        options,
        import('../pass/read-branches'),
      );
      return readBranches(tree, this.runner, request, options);
    });
  }

  readBlock(id: FileId, request: BlockRequest, options: CallOptions = {}): Promise<BlockResult[]> {
    return this.#call(id, options, async () => {
      checkRequest('readBlock', request);
      checkChunkBytes(request.maxBytes, 'maxBytes');
      const [tree, { readBlock }] = await this.#with(id, request, options, import('../pass/read-block'));
      return readBlock(tree, this.runner, request, options);
    });
  }

  encode(task: EncodeTask, { signal }: CallOptions = {}): Promise<EncodeResult> {
    return typed(async () => {
      const encoder = task.encoder ?? (await moduleOf(this.runner, 'export'));
      return this.runner.encode({ ...task, encoder }, signal);
    });
  }

  makeBaskets(task: BasketTask, { signal }: CallOptions = {}): Promise<BasketResult> {
    return typed(async () => this.runner.makeBaskets(await withWriter(this.runner, task), signal));
  }

  summarize(
    id: FileId,
    request: SummaryRequest,
    options: CallOptions = {},
    runner = this.runner,
  ): Promise<BranchSummary[]> {
    return this.#call(id, options, async () => {
      checkRequest('summarize', request);
      const [tree, { summarizeBranches }] = await this.#with(
        id,
        request,
        options,
        import('../measure/summarize'),
      );
      return summarizeBranches(tree, runner, request, options);
    });
  }

  draw(
    id: FileId,
    request: DrawRequest,
    options: CallOptions = {},
    runner = this.runner,
  ): Promise<DrawResult> {
    return this.#call(id, options, async () => {
      checkRequest('draw', request);
      // The code of queries is loaded while the tree is read.
      const [tree, { draw }] = await Promise.all([
        this.#treeOf(id, request.tree, options, isWritten(request)),
        import('../measure/draw'),
      ]);
      return draw(tree, runner, request, this.#host(id, request.friends), options);
    });
  }

  drawAll(id: FileId, request: DrawAllRequest, options: CallOptions = {}): Promise<DrawOutcome[]> {
    return this.#call(id, options, async () => {
      checkRequest('drawAll', request);
      for (const drawing of request.draws) checkRequest('each drawing', drawing);
      const [tree, { drawAll }] = await Promise.all([
        this.#treeOf(id, request.tree, options, request.draws.some(isWritten)),
        import('../measure/draw'),
      ]);
      return drawAll(tree, this.runner, request, this.#host(id, request.friends), options);
    });
  }

  recover(id: FileId, options: RecoverOptions = {}): Promise<FileInfo> {
    return this.#call(id, options, async () => {
      const file = this.#file(id);
      await file.recover({ signal: options.signal }, options.classes);
      return file.info(id);
    });
  }

  check(id: FileId, options: CheckOptions = {}): Promise<CheckReport> {
    return this.#call(id, options, async () => {
      const { checkFile } = await import('./check');
      return checkFile(this.#file(id), this.runner, options);
    });
  }

  scan(id: FileId, request: RowsRequest, options: CallOptions = {}): Promise<PackedTable> {
    return this.#call(id, options, async () => {
      checkRequest('scan', request);
      const [tree, { readTable }] = await Promise.all([
        this.#treeOf(id, request.tree, options),
        import('../measure/scan'),
      ]);
      return readTable(tree, this.runner, request, this.#host(id, request.friends), options);
    });
  }

  process(id: FileId, request: ProcessRequest, options: CallOptions = {}): Promise<ProcessResult> {
    return this.#call(id, options, async () => {
      checkRequest('process', request);
      if (!this.selectors) throw noSelectors();
      const [tree, processTree] = await Promise.all([
        this.#treeOf(id, request.tree, options),
        this.selectors(),
      ]);
      return processTree(tree, this.runner, request, this.#host(id, request.friends), options);
    });
  }

  traceSummary(id: FileId): Promise<TraceSummary> {
    return typed(async () => summarize(await this.#reads(id)));
  }

  trace(id: FileId): Promise<ReadRecord[]> {
    return typed(() => this.#reads(id));
  }

  cacheInfo(): Promise<CacheInfo | undefined> {
    return typed(async () => (await this.store)?.info());
  }

  clearCache(file?: string): Promise<void> {
    return typed(async () => (await this.store)?.clear(file));
  }

  limitCache(maxBytes?: number): Promise<void> {
    return typed(async () => {
      if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && maxBytes >= 0)) {
        throw argumentError(`${maxBytes} is not a number of bytes.`);
      }
      await (await this.store)?.limit(maxBytes);
    });
  }

  keepOffline(id: FileId, options: CallOptions = {}): Promise<void> {
    return this.#call(id, options, async () => {
      const { reader, header } = this.#file(id);
      const store = await this.store;
      if (!store || !reader.stored) {
        throw argumentError(
          `${reader.source.name} cannot be kept: only closed files that are read over the network are, where this reader has a cache.`,
        );
      }
      await keepWhole(reader, store, reader.stored, header.end, options);
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
      this.#work.giveBack();
    });
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#files.keys()].map((id) => settle(this.close(id))));
  }

  /**
   * Returns the result only after verifying that the file did not change while it was read; otherwise throws
   * FILE_CHANGED.
   */
  #call<T>(id: FileId, { signal }: CallOptions, run: () => Promise<T>): Promise<T> {
    return typed(async () => {
      const file = this.#opened(id);
      for (const reader of this.readers()) reader.source.begin?.();
      let result: T;
      try {
        result = await this.#work.run(run);
      } catch (thrown) {
        throw await causeOf(toXylemError(thrown), file, signal);
      }
      await file.verifyUnchanged(signal);
      await this.#friends.get(id)?.verifyUnchanged(signal);
      return result;
    });
  }

  #opened(id: FileId): RootFile | ChainFile {
    const file = this.#files.get(id);
    if (file) return file;
    if (this.#ended) throw abortError();
    throw argumentError(
      'This file is not open in this reader: it was closed, or another reader opened it.',
      'Open all files that are used together with one reader: with `open` of the reader, or of the handle that openRoot gave.',
    );
  }

  /** A single file. Throws UNSUPPORTED for a chain, because places in its files are ambiguous. */
  #file(id: FileId): RootFile {
    const file = this.#opened(id);
    if (!(file instanceof ChainFile)) return file;
    throw unsupported('This is not possible for several files.', 'Open one of them.');
  }

  #first(id: FileId): RootFile {
    const file = this.#opened(id);
    return file instanceof ChainFile ? file.first : file;
  }

  #tree(id: FileId, path: string, { signal }: CallOptions): Promise<EntryTree> {
    return this.#opened(id).tree(path, { signal });
  }

  /** Opens the tree of a request while a part of the program is loaded. */
  #with<P>(id: FileId, { tree }: { tree: string }, options: CallOptions, part: Promise<P>) {
    return Promise.all([this.#tree(id, tree, options), part]);
  }

  /** Opens a tree, and loads the language of expressions meanwhile. */
  async #treeOf(id: FileId, path: string, options: CallOptions, written = true): Promise<EntryTree> {
    const [tree] = await Promise.all([
      this.#tree(id, path, options),
      written ? import('../measure/language') : undefined,
    ]);
    return tree;
  }

  /** The friends of trees of a file: those that the trees name, and the given ones. */
  #host(id: FileId, given: readonly FriendTree[] = []): FriendHost {
    const own: FriendHost['own'] = (model) => {
      const files =
        this.#friends.get(id) ??
        new FriendFiles(
          (spec, options) => this.#open(spec, options),
          (home) => this.#specs.get(home),
        );
      this.#friends.set(id, files);
      return files.own(model);
    };
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
    return { own, given: offers };
  }

  async #reads(id: FileId): Promise<ReadRecord[]> {
    const file = this.#opened(id);
    const own = file instanceof ChainFile ? await file.trace() : [...file.reader.trace.records()];
    const friends = await this.#friends.get(id)?.reads();
    return friends ? [...own, ...friends].sort((a, b) => a.done - b.done) : own;
  }
}
