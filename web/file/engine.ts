import { toXylemError, XylemError } from '../base/errors';
import { type ExtentStore, openStoredExtents } from '../cache/extent-store';
import { Core } from '../core/core';
import { createReader, type Reader } from '../io/reader';
import type { ByteSource, Range } from '../io/source';
import type { ReadRecord, TraceSummary } from '../io/trace';
import type {
  CacheInfo,
  CallOptions,
  ClassInfo,
  DrawRequest,
  DrawResult,
  FileId,
  FileInfo,
  FileRecords,
  KeyInfo,
  PlainObject,
  ReaderApi,
  ReadRequest,
  ReadResult,
  SourceSpec,
  TreeInfo,
  TreeLayout,
  WalkedRecords,
} from './api';
import { checkFile } from './check';
import type { CheckReport } from './check-report';
import { runDecodeTask } from './decode-task';
import { drawBranch } from './draw';
import { identityOf } from './identity';
import { readBranches } from './read';
import { RootFile } from './root-file';
import type { TaskRunner } from './scan';

export interface EngineOptions {
  /** The compiled core. */
  module: WebAssembly.Module;
  /** Makes a source of what a caller names; each host knows other kinds. Throws ARGUMENT. */
  openSource: (spec: SourceSpec) => Promise<ByteSource>;
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
    ownsBytes: false,
    run: async (task, signal) => runDecodeTask(core, task, () => signal?.aborted ?? false),
  };
}

class Engine implements ReaderApi {
  readonly #files = new Map<FileId, RootFile>();
  #lastId = 0;

  constructor(
    readonly core: Core,
    readonly openSource: EngineOptions['openSource'],
    readonly runner: TaskRunner,
    readonly store: ExtentStore | undefined,
  ) {}

  open(spec: SourceSpec, options: CallOptions = {}): Promise<FileInfo> {
    return typed(async () => {
      const reader: Reader = createReader(await this.openSource(spec));
      try {
        const file = await RootFile.open(this.core, reader, {
          signal: options.signal,
          onHeader: async (header, head) => {
            if (!this.store || spec.kind !== 'url' || spec.cache === 'none') return;
            // One that was not closed may grow, with the same head.
            if (header.seekKeys <= 0) return;
            const identity = identityOf(reader.source, spec.url, header, head);
            reader.keepIn(await openStoredExtents(this.store, identity));
          },
        });
        const id = ++this.#lastId;
        this.#files.set(id, file);
        return file.info(id);
      } catch (thrown) {
        await reader.close();
        throw thrown instanceof XylemError ? thrown.at({ url: reader.source.name }) : thrown;
      }
    });
  }

  keys(id: FileId, options: CallOptions = {}): Promise<KeyInfo[]> {
    return typed(async () => {
      const keys = await this.#file(id).keys({ signal: options.signal });
      return keys.map(({ record: _record, ...key }) => key);
    });
  }

  tree(id: FileId, path: string, options: CallOptions = {}): Promise<TreeInfo> {
    return typed(async () => (await this.#file(id).tree(path, { signal: options.signal })).info);
  }

  layout(id: FileId, path: string, options: CallOptions = {}): Promise<TreeLayout> {
    return typed(async () => this.#file(id).layout(path, { signal: options.signal }));
  }

  records(id: FileId, options: CallOptions = {}): Promise<FileRecords> {
    return typed(async () => this.#file(id).records({ signal: options.signal }));
  }

  walk(id: FileId, ranges?: Range[], options: CallOptions = {}): Promise<WalkedRecords> {
    return typed(async () => this.#file(id).walk(ranges, options));
  }

  object(id: FileId, path: string, options: CallOptions = {}): Promise<PlainObject> {
    return typed(async () => {
      const value = await this.#file(id).object(path, { signal: options.signal });
      return value as PlainObject;
    });
  }

  types(id: FileId, options: CallOptions = {}): Promise<ClassInfo[]> {
    return typed(async () => this.#file(id).types({ signal: options.signal }));
  }

  read(id: FileId, request: ReadRequest, options: CallOptions = {}): Promise<ReadResult[]> {
    return typed(async () => {
      const tree = await this.#file(id).tree(request.tree, { signal: options.signal });
      return readBranches(tree, this.runner, request, options);
    });
  }

  draw(id: FileId, request: DrawRequest, options: CallOptions = {}): Promise<DrawResult> {
    return typed(async () => {
      const tree = await this.#file(id).tree(request.tree, { signal: options.signal });
      return drawBranch(tree, this.runner, request, options);
    });
  }

  check(id: FileId, options: CallOptions = {}): Promise<CheckReport> {
    return typed(async () => checkFile(this.#file(id), this.runner, options));
  }

  traceSummary(id: FileId): Promise<TraceSummary> {
    return typed(async () => this.#file(id).reader.trace.summary());
  }

  trace(id: FileId): Promise<ReadRecord[]> {
    return typed(async () => [...this.#file(id).reader.trace.records()]);
  }

  cacheInfo(): Promise<CacheInfo | undefined> {
    return typed(async () => this.store?.info());
  }

  clearCache(): Promise<void> {
    return typed(async () => this.store?.clear());
  }

  close(id: FileId): Promise<void> {
    return typed(async () => {
      const file = this.#files.get(id);
      this.#files.delete(id);
      await file?.close();
    });
  }

  #file(id: FileId): RootFile {
    const file = this.#files.get(id);
    if (file) return file;
    throw new XylemError({ code: 'ARGUMENT', message: `File ${id} is not open.` });
  }
}

/** All that leaves the engine is a XylemError. */
async function typed<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw toXylemError(thrown);
  }
}
