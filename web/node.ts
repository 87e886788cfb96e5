/** The library for Node. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  type DecodeInit,
  poolRunner,
  userCodeOf,
  type WorkerResult,
  type WorkerTask,
} from '../workers/decode-handler';
import { nodeWorker } from '../workers/endpoint';
import type { ReaderChannel } from '../workers/json-channel';
import { createPool, defaultPoolSize } from '../workers/pool';
import { runLimited } from '../workers/run-limited';
import { answerReader, type ServedParts } from '../workers/serve-reader';
import type { PlainSource, WholeSource } from './api/api';
import type { Calculated } from './api/calc';
import type { CorrectionSet, EventList, GoodRuns, PileupChoice, PileupWeights } from './api/corrections';
import { deferredReader } from './api/deferred-reader';
import type { Histogram } from './api/drawing';
import { type EngineApi, engineOf } from './api/engine-api';
import type { FitInput, FitOptions, FitResult, TogetherOptions, TogetherResult } from './api/fit';
import type { XylemReader } from './api/reader';
import type { Sink } from './api/sink';
import type { Merged, WriteWork, WrittenNew } from './api/write';
import { forwardAll } from './base/forward';
import { checkOptions, type Rules } from './base/options';
import { ADDRESS, either, FLAG, OBJECT, opaque, TEXT, whole } from './base/shape';
import { filledSlot, slotOf } from './base/slot';
import type { BinContents } from './bins/given-histogram';
import type { FolderOptions } from './cache/node-folder';
import { packFiles } from './cache/node-packs';
import { Core } from './core/core';
import { compileCore, noCore } from './core/load';
import { ADDRESSES } from './core/modules/addresses';
import { nodeModules } from './core/modules/node-modules';
import { createEngine, type LocalReader } from './engine/engine';
import * as features from './features/library';
import * as nodeFeatures from './features/node';
import type { LibraryPart, NodePart } from './features/work-part';
import type { PageInsight } from './insight/api';
import type { Send } from './io/http/http-client';
import { directFiles } from './io/node-direct-file';
import { openNodeFile } from './io/node-file-source';
import { readWhole } from './io/node-handle';
import { looseProtocolOf, protocolOf } from './io/schemes';
import type { ByteSource } from './io/source';
import { checkOpen, type OpenOptions, openWith, ownLease, type RootHandle } from './library/open-root';
import { createSharedReaders, type Lease } from './library/shared-readers';
import { maybeReplicas, type OneSource, type RootSource } from './library/sources';
import { wholeFile } from './library/whole-file';
import type { MergeFile, MergeRootOptions, RootWriter, WriteRootOptions } from './library/write';
import { createWriter } from './library/writer';

export type { ReaderChannel } from '../workers/json-channel';
export * from './public';
export { fileSink } from './sinks/node-file-sink';

const BYTES = whole(0);
const FOLDER = opaque<FolderOptions>(
  'an object { folder: text, maxBytes: number of bytes }',
  (value) =>
    OBJECT.is(value) &&
    Object.entries(value).every(
      ([name, one]) =>
        one === undefined || (name === 'folder' ? TEXT.is(one) : name === 'maxBytes' && BYTES.is(one)),
    ),
);

const READER: Rules<NodeReaderOptions> = {
  workers: whole(0, 1024),
  cache: either(FLAG, FOLDER),
  worker: ADDRESS,
  wasm: either(ADDRESS, OBJECT),
};

export interface NodeReaderOptions {
  /** Maximum number of worker threads; 0 decodes all in this thread. Default: by the number of cores. */
  workers?: number | undefined;
  /**
   * Caches bytes that came over HTTP in a folder, by default `xylem` in the caches of this user
   * (XDG_CACHE_HOME). Default: not cached.
   */
  cache?: boolean | FolderOptions | undefined;
  /** Path or file: address of `node-decode.worker.js`, when a bundler has not left it next to the script. */
  worker?: string | URL | undefined;
  /** Path or file: address of `xylem.wasm`, likewise, or the compiled core. */
  wasm?: string | URL | WebAssembly.Module | undefined;
}

/**
 * Makes a reader: the engine runs in this thread, and large work is decoded in a pool of worker threads.
 * Throws INTERNAL when the core cannot be loaded.
 */
export async function openReader(options: NodeReaderOptions = {}): Promise<XylemReader> {
  checkOptions('openReader', options, READER);
  const started = start(options);
  await started;
  return readerOf(started);
}

/** The same synchronously, as in a browser: when starting fails, its calls fail. */
export function createReader(options: NodeReaderOptions = {}): XylemReader {
  checkOptions('createReader', options, READER);
  const started = start(options);
  started.catch(() => {});
  return readerOf(started);
}

interface Started {
  engine: LocalReader;
  pool: { terminate(): void } | undefined;
  /** The files that this thread reads for tasks. */
  files: { close(): void };
}

async function start(options: NodeReaderOptions): Promise<Started> {
  const module = await coreModule(options.wasm);
  const pool =
    options.workers === 0
      ? undefined
      : createPool<DecodeInit, WorkerTask, WorkerResult>({
          init: { module },
          // Node 20 has no navigator.
          size: options.workers ?? defaultPoolSize(availableParallelism()),
          perWorker: 2,
          spawn: () => nodeWorker(decodeWorker(options.worker)),
          limitMs: (task) => userCodeOf(task)?.limitMs,
        });
  const core = await Core.create(module);
  const files = directFiles(packFiles);
  const runner =
    pool &&
    poolRunner(pool, async () => core, {
      ...{ files, modules: nodeModules },
      runUserCode: (...task) => runLimited(pool, ...task),
    });
  const engine = await createEngine({
    module,
    openSource,
    modules: nodeModules,
    selectors: filledSlot<NodePart, 'process'>(nodeFeatures, 'process'),
    store: options.cache ? () => folderStore(options.cache) : undefined,
    runner,
  });
  return { engine, pool, files };
}

async function folderStore(cache: NodeReaderOptions['cache']) {
  const { createFolderStore } = await import('./cache/node-folder');
  return createFolderStore(typeof cache === 'object' ? cache : {});
}

function readerOf(started: Promise<Started>): XylemReader {
  const engine = async (): Promise<LocalReader> => (await started).engine;
  const reader = deferredReader(engine);
  return {
    ...reader,
    insight: insightOf(reader),
    writer: createWriter(
      reader,
      () => writeWork(reader),
      () => nodeModules('write'),
    ),
    terminate: () => {
      started.then(
        ({ engine, pool, files }) => {
          pool?.terminate();
          files.close();
          void engine.end();
        },
        () => {},
      );
    },
  };
}

/**
 * Lets viewers of another program read with a reader of this one: `viewer.reader` is the other end of the channel. `sourceOf`
 * gives addresses a source, or a promise of one, or throws; other ones of http(s):// and root:// are read as this program reads them, with its tokens.
 * It is asked with `beside`, the source of a file, for what a tree there names as the file of a friend: an address or a path.
 * A viewer has the files that it opened, runs no selectors, and does not manage the cache. Returns what ends it and closes the files.
 */
export function serveReader(
  channel: ReaderChannel,
  reader: XylemReader,
  sourceOf?: (
    address: string,
    beside?: WholeSource,
  ) => WholeSource | undefined | Promise<WholeSource | undefined>,
): () => void {
  const parts: ServedParts = {
    insight: insightOf,
    write: writeWork,
    writer: () => nodeModules('write'),
  };
  return answerReader(channel, engineOf(reader), parts, sourceOf);
}

function insightOf(reader: EngineApi): PageInsight {
  let made: Promise<PageInsight> | undefined;
  return forwardAll(
    () =>
      (made ??= import('./insight/api').then(({ createInsight }) =>
        createInsight(reader, loadVerbs, undefined, nodeModules),
      )),
    { warm: () => {} },
  );
}

async function writeWork(reader: EngineApi): Promise<WriteWork> {
  const { loadWriteWork } = await import('./insight/write-work');
  return loadWriteWork(reader);
}

async function coreModule(wasm: NodeReaderOptions['wasm']): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm;
  const path = wasm === undefined ? ADDRESSES.core() : pathOf(wasm);
  const bytes = await readWhole(path).catch((cause: unknown) => {
    throw noCore(String(path), cause);
  });
  return compileCore(bytes, String(path));
}

/** Bundlers know the form of the second. */
function decodeWorker(address: string | URL | undefined): Worker {
  if (address !== undefined) return new Worker(pathOf(address));
  return new Worker(new URL('../workers/node-decode.worker.ts', import.meta.url));
}

/** A path as it is, resolved against the folder of the process; a file: address as one. */
function pathOf(address: string | URL): string {
  return resolve(looseProtocolOf(String(address)) === 'file' ? fileURLToPath(address) : String(address));
}

/** Connections are kept for all readers of the process. */
let send: Promise<Send> | undefined;

async function openSource(spec: WholeSource): Promise<ByteSource> {
  if (spec.kind === 'path') return openNodeFile(spec.path);
  if (spec.kind === 'url') {
    const protocol = protocolOf(spec.url);
    const other = Object.values<NodePart>(nodeFeatures).find(({ source }) => source?.protocol === protocol);
    if (other?.source) return (await other.source.open())(spec.url, { token: spec.token });
  }
  const { openBrowserSource } = await import('./engine/browser-source');
  if (spec.kind !== 'url') return openBrowserSource(spec);
  send ??= nodeSend();
  return openBrowserSource(spec, await send);
}

async function nodeSend(): Promise<Send> {
  const { createNodeSend } = await import('./io/http/node-http');
  const plain = createNodeSend();
  if (!process.env.XYLEM_TOKEN_HOSTS) return plain;
  const { sendWithToken } = await import('./io/node-token');
  return sendWithToken(plain);
}

let shared: ((options: NodeReaderOptions) => Lease) | undefined;

/** Shares a reader; a program that has readers of its own needs none. */
function lease(options: NodeReaderOptions): Lease {
  shared ??= createSharedReaders((own: NodeReaderOptions) => engineOf(createReader(own)));
  return shared(options);
}

/**
 * Opens a ROOT file: a path or an address, a Blob, bytes in memory, a byte source of one's own, or a list of
 * those whose trees are read as one. All files of a process that are opened with the same options share one
 * reader, which ends when the last is closed. Throws the errors of opening.
 */
export async function openRoot(
  source: RootSource,
  options: OpenOptions & NodeReaderOptions = {},
): Promise<RootHandle> {
  checkOpen(options, READER);
  const { workers, cache, worker, wasm, reader, ...call } = options;
  const leased = reader ? ownLease(reader) : lease({ workers, cache, worker, wasm });
  return openWith(leased, source, { named: pathOrAddress }, call);
}

/**
 * Merges ROOT files into one: trees are chained, histograms, profiles and graphs are added as ROOT adds them, other
 * objects are kept. Each file is open, or a source that is opened only while it is read. Throws the errors of reading,
 * IO, UNSUPPORTED for trees that differ, and FILE_CHANGED.
 */
export async function mergeRoot(
  files: readonly MergeFile[],
  sink: Sink,
  options: MergeRootOptions & NodeReaderOptions = {},
): Promise<Merged> {
  const mergeWith = await slotOf<LibraryPart, 'mergeRoot'>(features, 'mergeRoot', 'writer')();
  const { workers, cache, worker, wasm, ...call } = options;
  return mergeWith(() => lease({ workers, cache, worker, wasm }), files, sink, pathOrAddress, call);
}

/**
 * Writes a new ROOT file with trees from columns, histograms and objects of other files, the counterpart of `openRoot`. The sink is closed when
 * `write` is done, and aborted when it fails. Throws what `write` throws, ARGUMENT for a codec that there is not, and IO.
 */
export async function writeRoot(
  sink: Sink,
  write: (file: RootWriter) => Promise<void>,
  options: WriteRootOptions & NodeReaderOptions = {},
): Promise<WrittenNew> {
  const writeRootWith = await slotOf<LibraryPart, 'writeRoot'>(features, 'writeRoot', 'writer')();
  const { workers, cache, worker, wasm, ...rest } = options;
  return writeRootWith(
    () => nodeModules('write'),
    () => lease({ workers, cache, worker, wasm }),
    sink,
    write,
    rest,
  );
}

/**
 * Computes with histograms as ROOT does, by the expressions of "xylem calc": calculate('rebin(a / b, 2)', { a, b }), with
 * results of `draw`, stored histograms, or contents of bins. It runs in the calling thread. Throws ARGUMENT and NOT_FOUND for
 * mistakes of the expression and for histograms with different bins, UNSUPPORTED for what profiles have not.
 */
export async function calculate(
  expression: string,
  histograms: Readonly<Record<string, Histogram | BinContents>>,
): Promise<Calculated> {
  const calculateWith = await slotOf<LibraryPart, 'calculate'>(features, 'calculate', 'calc')();
  return calculateWith(expression, histograms);
}

/**
 * Fits a function as TH1::Fit and TGraph::Fit of ROOT do, by Minuit2: "gaus", "gaus(0)+pol1(3)", or an expression with
 * parameters, as "[0]*exp(-x/[tau])". It runs in the calling thread. Throws ARGUMENT for texts and data that do not fit,
 * and BUDGET for a fit that takes too long; a fit without a minimum is a result whose `valid` is false.
 */
export async function fitHistogram(
  input: FitInput,
  text: string,
  options: FitOptions = {},
): Promise<FitResult> {
  const fitGiven = await slotOf<LibraryPart, 'fit'>(features, 'fit', 'fits')();
  return fitGiven(() => nodeModules('fit'), input, text, options);
}

/**
 * Fits functions to several data at once, and minimizes the sum of their chi-squares or likelihoods. Parameters that `shared`
 * names are the same in all functions that have them. `functions`: one for all data, or one for each. Throws as
 * `fitHistogram`, and ARGUMENT if no two functions have a shared parameter.
 */
export async function fitTogether(
  inputs: readonly FitInput[],
  functions: string | readonly string[],
  options: TogetherOptions,
): Promise<TogetherResult> {
  const fitAll = await slotOf<LibraryPart, 'fitTogether'>(features, 'fitTogether', 'fits')();
  return fitAll(() => nodeModules('fit'), inputs, functions, options);
}

/**
 * Opens corrections in the format of correctionlib, schema version 2: JSON, or JSON that is gzip. The source is a path, an address, a Blob,
 * or bytes in memory. Throws ARGUMENT with the place of a mistake in the document, and the errors of reading.
 */
export async function openCorrections(source: OneSource): Promise<CorrectionSet> {
  const { library, bytes, name } = await readBeside(source);
  return library.corrections(bytes, name);
}

/** Opens a list of good runs: the JSON of CMS, or the XML of ATLAS. See `openCorrections`. */
export async function openGoodRuns(source: OneSource): Promise<GoodRuns> {
  const { library, bytes, name } = await readBeside(source);
  return library.goodRuns(bytes, name);
}

/** Opens a list of events: a text with a line "run:block:event" for each. See `openCorrections`. */
export async function openEventList(source: OneSource): Promise<EventList> {
  const { library, bytes, name } = await readBeside(source);
  return library.eventList(bytes, name);
}

/**
 * Returns weights that give simulation the distribution of the number of interactions in data, each divided by its sum. Throws
 * ARGUMENT for distributions with other bins, without entries, or with negative ones.
 */
export async function pileupWeights(choice: PileupChoice): Promise<PileupWeights> {
  return (await correctionsLibrary()).pileup(choice);
}

const correctionsLibrary = () => slotOf<LibraryPart, 'corrections'>(features, 'corrections', 'corrections')();

async function readBeside(source: OneSource) {
  const library = await correctionsLibrary();
  return { library, ...(await wholeFile(source, pathOrAddress, openSource, library.maxBytes)) };
}

/** A path with a "|" that exists is itself. */
function pathOrAddress(text: string): WholeSource {
  return existsSync(text) ? onePlace(text) : maybeReplicas(text, onePlace);
}

function onePlace(text: string): PlainSource {
  const protocol = looseProtocolOf(text);
  if (protocol === undefined) return { kind: 'path', path: text };
  return protocol === 'file' ? { kind: 'path', path: fileURLToPath(text) } : { kind: 'url', url: text };
}

const loadVerbs = async () => (await import('./verbs/run-in-page')).runInPage;
