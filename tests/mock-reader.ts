import type {
  ArraysResult,
  BranchInfo,
  CallOptions,
  DrawRequest,
  DrawResult,
  TreeInfo,
} from '../web/api/api';
import type { EngineApi } from '../web/api/engine-api';
import { abortError, XylemError } from '../web/base/errors';
import { createInsight, type InsightReader } from '../web/insight/api';
import { chooseEntries } from '../web/model/entry-choice';
import { expressionError } from '../web/query/language/errors';
import { runInPage } from '../web/verbs/run-in-page';
import { brokenError, fileInfo, mockClasses, mockKeys, mockRecords } from './mock/file';
import { mockObject } from './mock/objects';
import { decayTree, entries, mockLayout, wideTree } from './mock/trees';
import { fill, frequencies, mockBytes, mockColumn } from './mock/values';

export interface MockOptions {
  /** ms for one step of a read; a histogram takes ten steps. Default 0. */
  stepTime?: number;
  /** Branches of the wide tree. Default 10,000. */
  branches?: number;
}

/**
 * A EngineApi without a file: directories, a wide tree, stored histograms, a branch that fails, and
 * reads that take their time. For developing and testing what stands above the interface.
 * Opening an address with "missing" in it fails like a 404, one with "text" like a file of another kind.
 */
export function createMockReader(options: MockOptions = {}): InsightReader {
  const stepTime = options.stepTime ?? 0;
  const trace = { requests: 2, bytes: 48_213, cachedBytes: 0, storedBytes: 0, roundTrips: 2, busyTime: 31 };
  const wide = wideTree(options.branches ?? 10_000);
  const trees = new Map([wide, decayTree()].map((tree) => [tree.path, tree]));
  let nextId = 1;

  const step = (call: CallOptions | undefined) => pause(stepTime, call?.signal);
  const treeOf = (path: string): TreeInfo => {
    const tree = trees.get(path.replace(/;\d+$/, ''));
    if (tree === undefined) throw new XylemError({ code: 'NOT_FOUND', message: `There is no tree ${path}.` });
    return tree;
  };
  const branchOf = (path: string, wanted: number | string): BranchInfo => {
    const found = treeOf(path).branches.find((one) => one.index === wanted || one.path === wanted);
    if (found === undefined)
      throw new XylemError({ code: 'NOT_FOUND', message: `There is no branch ${wanted}.` });
    return found;
  };

  /** Knows the names of branches, and can say no more about an expression. */
  async function drawExpression(
    { tree, expr = '' }: DrawRequest,
    call: CallOptions | undefined,
  ): Promise<never> {
    await step(call);
    const names = treeOf(tree).branches.flatMap(({ name, path }) => [name, path]);
    if (/^[\w/]+$/.test(expr) && !names.includes(expr)) {
      const place = { at: 0, end: expr.length };
      throw expressionError(expr, place, `There is no branch "${expr}".`, undefined, 'NOT_FOUND');
    }
    throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock has no expressions.' });
  }

  async function drawBranch(request: DrawRequest, call: CallOptions | undefined): Promise<DrawResult> {
    const branch = branchOf(request.tree, request.branch ?? '');
    for (let i = 1; i <= 10; i++) {
      await step(call);
      if (branch.name === 'broken' && i === 3) throw brokenError();
      trace.requests++;
      trace.bytes += branch.storedBytes / 10;
      call?.onProgress?.({
        label: `Reading ${branch.name}`,
        bytesDone: (branch.storedBytes * i) / 10,
        bytesTotal: branch.storedBytes,
        entriesDone: (entries * i) / 10,
        entriesTotal: entries,
        ...(i > 1 && branch.kind === 'number' ? { partial: fill(branch, request, (entries * i) / 10) } : {}),
      });
    }
    if (branch.kind === 'string') return frequencies(branch);
    return fill(branch, request, entries);
  }

  const reader: EngineApi = {
    async warm() {},
    async open(source, call) {
      await step(call);
      const name = source.kind === 'url' ? source.url : ('name' in source && source.name) || 'mock.root';
      if (name.includes('missing')) {
        throw new XylemError({
          code: 'HTTP_STATUS',
          message: `The server answered 404 Not Found for ${name}.`,
          fix: 'Check the address; the file may have been moved, or you may need to sign in to see it.',
          where: { url: name, offset: 0, length: 4096 },
        });
      }
      if (name.includes('text')) {
        throw new XylemError({
          code: 'NOT_ROOT',
          message: 'The file starts with "<!doc", where a ROOT file has "root".',
          fix: 'The server probably sent a web page instead of the file: open the address in a tab to see it.',
          where: { url: name, offset: 0, length: 5 },
        });
      }
      return fileInfo(nextId++, name);
    },
    async keys(_file, call) {
      await step(call);
      return mockKeys();
    },
    async tree(_file, path, call) {
      await step(call);
      trace.requests++;
      trace.bytes += 210_000;
      return treeOf(path);
    },
    async layout(_file, path, call) {
      await step(call);
      return mockLayout(treeOf(path));
    },
    async plannedReads(_file, _reading, call) {
      await step(call);
      return [];
    },
    async fields(_file, at) {
      return { offset: at, shape: 'key', fields: [], bytes: new Uint8Array(0), size: 0 };
    },
    async records(_file, call) {
      await step(call);
      return mockRecords();
    },
    async walk(_file, _ranges, call) {
      await step(call);
      const none = { offset: [], length: [], keyBytes: [], objectBytes: [] };
      const places = Object.fromEntries(Object.keys(none).map((name) => [name, new Float64Array(0)]));
      const texts = { className: new Uint32Array(0), name: new Uint32Array(0), title: new Uint32Array(0) };
      return { ...(places as Record<keyof typeof none, Float64Array>), ...texts, texts: [], stopped: [] };
    },
    async readAhead(_file, _ranges, call) {
      await step(call);
    },
    async object(_file, path, call) {
      await step(call);
      trace.requests++;
      trace.bytes += 1200;
      return mockObject(path);
    },
    async functionValues(requests) {
      const message = 'The mock computes no functions.';
      return requests.map(() => ({ error: { code: 'UNSUPPORTED', message } }));
    },
    async types(_file, call) {
      await step(call);
      return mockClasses();
    },
    async arrays(_file, request, call): Promise<ArraysResult[]> {
      await step(call);
      trace.requests++;
      const { from, to } = chooseEntries(request.entries ?? [0, 20], entries);
      return request.branches.map((wanted) => {
        const branch = branchOf(request.tree, wanted);
        if (branch.name === 'broken' && !request.raw) return { branch, error: brokenError().toRecord() };
        return { branch, column: request.raw ? mockBytes(to - from) : mockColumn(branch, from, to) };
      });
    },
    async readBlock(_file, { branches, tree, entries: chosen, starts }, call) {
      await step(call);
      const { to } = chooseEntries(chosen, entries);
      return branches.map((wanted, i) => {
        const branch = branchOf(tree, wanted);
        if (branch.name === 'broken') throw brokenError();
        return { branch, columns: [mockColumn(branch, starts[i] ?? 0, to)], end: to };
      });
    },
    async encode() {
      throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock writes no Parquet files.' });
    },
    async makeBaskets() {
      throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock writes no ROOT files.' });
    },
    async summarize() {
      throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock sums nothing up.' });
    },

    process: () => Promise.reject(new XylemError({ code: 'UNSUPPORTED', message: 'The mock runs no code.' })),
    async scan() {
      throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock has no expressions.' });
    },
    drawAll: (_file, { draws, ...request }, call) =>
      Promise.all(draws.map((one) => drawExpression({ ...request, ...one }, call))),
    draw: (_file, request, call) =>
      request.branch === undefined || request.cut ? drawExpression(request, call) : drawBranch(request, call),
    recover: async () => {
      throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock has no records to walk.' });
    },
    check: async () => {
      throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock has no bytes to check.' });
    },
    traceSummary: async () => ({ ...trace }),
    trace: async () => [],
    cacheInfo: async () => undefined,
    clearCache: async () => {},
    limitCache: async () => {},
    keepOffline: async () => {},
    bytes: async () => {
      throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock has no bytes.' });
    },
    close: async () => undefined,
  };
  return { ...reader, insight: createInsight(reader, async () => runInPage) };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError());
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(abortError());
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
