import { abortError, XylemError } from '../web/base/errors';
import type { Column } from '../web/core/columns';
import type {
  BranchInfo,
  BranchKind,
  CallOptions,
  ClassInfo,
  DrawRequest,
  DrawResult,
  FileInfo,
  FileRecords,
  Histogram,
  KeyInfo,
  MemberInfo,
  PlainObject,
  ReaderApi,
  ReadResult,
  TreeInfo,
  TreeLayout,
} from '../web/file/api';
import { chooseEntries } from '../web/file/entry-choice';
import { expressionError } from '../web/query/errors';

export interface MockOptions {
  /** ms for one step of a read; a histogram takes ten steps. Default 0. */
  stepTime?: number;
  /** Branches of the wide tree. Default 10,000. */
  branches?: number;
}

const entries = 250_000;

/**
 * A ReaderApi without a file: directories, a wide tree, stored histograms, a branch that fails, and
 * reads that take their time. For developing and testing what stands above the interface.
 * Opening an address with "missing" in it fails like a 404, one with "text" like a file of another kind.
 */
export function createMockReader(options: MockOptions = {}): ReaderApi {
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

  return {
    async open(source, call) {
      await step(call);
      const name = source.kind === 'url' ? source.url : 'name' in source ? source.name : 'mock.root';
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
    async object(_file, path, call) {
      await step(call);
      trace.requests++;
      trace.bytes += 1200;
      return mockObject(path);
    },
    async types(_file, call) {
      await step(call);
      return mockClasses();
    },
    async read(_file, request, call): Promise<ReadResult[]> {
      await step(call);
      trace.requests++;
      const { from, to } = chooseEntries(request.entries ?? [0, 20], entries);
      return request.branches.map((wanted) => {
        const branch = branchOf(request.tree, wanted);
        if (branch.name === 'broken' && !request.raw) return { branch, error: brokenError().toRecord() };
        return { branch, column: request.raw ? mockBytes(to - from) : mockColumn(branch, from, to) };
      });
    },
    async summarize() {
      throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock sums nothing up.' });
    },

    /** It knows the names of branches, and can say no more of an expression. */
    async query(_file, { tree, expr }, call) {
      await step(call);
      const names = treeOf(tree).branches.flatMap(({ name, path }) => [name, path]);
      if (/^[\w/]+$/.test(expr) && !names.includes(expr)) {
        const place = { at: 0, end: expr.length };
        throw expressionError(expr, place, `There is no branch "${expr}".`, undefined, 'NOT_FOUND');
      }
      throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock has no expressions.' });
    },
    async table() {
      throw new XylemError({ code: 'UNSUPPORTED', message: 'The mock has no expressions.' });
    },
    async draw(_file, request, call): Promise<DrawResult> {
      const branch = branchOf(request.tree, request.branch);
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
          ...(i > 1 && branch.kind === 'number'
            ? { partial: fill(branch, request, (entries * i) / 10) }
            : {}),
        });
      }
      if (branch.kind === 'string') return frequencies(branch);
      return fill(branch, request, entries);
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
    close: async () => undefined,
  };
}

/** Baskets of all branches in turn, cluster by cluster. */
function mockLayout(tree: TreeInfo): TreeLayout {
  const { branches } = tree;
  const clusters = 4;
  const baskets = branches.length * clusters;
  const bytes = 1000;
  const step = Math.ceil(tree.entries / clusters);
  const make = (value: (branch: number, cluster: number) => number) =>
    Float64Array.from({ length: baskets }, (_, i) => value(Math.floor(i / clusters), i % clusters));
  return {
    tree,
    record: { offset: 200 + baskets * bytes, length: 20_000, objectBytes: 90_000 },
    parts: [],
    basketStart: Uint32Array.from({ length: branches.length + 1 }, (_, i) => i * clusters),
    offset: make((branch, cluster) => 200 + (cluster * branches.length + branch) * bytes),
    storedBytes: make(() => bytes),
    firstEntry: make((_, cluster) => cluster * step),
    entries: make((_, cluster) => Math.min(step, tree.entries - cluster * step)),
    exact: new Uint8Array(branches.length).fill(1),
    clusterStart: Float64Array.from({ length: clusters }, (_, i) => i * step),
    autoFlush: step,
    autoSave: -300_000_000,
    flushedBytes: baskets * bytes,
    compress: new Int32Array(branches.length).fill(101),
    basketSize: new Float64Array(branches.length).fill(32_000),
  };
}

function mockRecords(): FileRecords {
  const { size } = fileInfo(0, 'mock.root');
  const records: FileRecords['records'] = [
    { kind: 'header', offset: 0, length: 100, name: 'file header', className: '' },
    { kind: 'directory', offset: 100, length: 100, name: '/', className: 'TFile' },
  ];
  return { size, end: size, records, notes: [] };
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

function brokenError(): XylemError {
  return new XylemError({
    code: 'CHECKSUM',
    message: 'Basket 3 of branch broken does not match its checksum: stored 0x1f2e3d4c, computed 0x00c0ffee.',
    fix: 'The file was damaged on its way or on disk: fetch it again, or read other branches.',
    where: {
      url: 'https://example.org/mock.root',
      path: 'Events/broken',
      offset: 812_331,
      length: 40_112,
      breadcrumbs: ['Events', 'broken', 'basket 3'],
    },
  });
}

function fileInfo(id: number, name: string): FileInfo {
  return {
    id,
    name,
    title: '',
    size: 2_412_345_678,
    rootVersion: '6.32/04',
    compression: 'zstd 5',
    created: '2024-05-14T11:02:48',
    modified: '2024-05-14T11:21:05',
    uuid: '0e2b9b1c-1204-11ef-9a5e-0242ac110002',
    notes: ['Never closed properly: 2 keys were recovered by walking the records.'],
  };
}

function mockKeys(): KeyInfo[] {
  let offset = 246;
  const key = (path: string, className: string, kind: KeyInfo['kind'], title = '', cycle = 1): KeyInfo => {
    offset += 1000;
    return {
      path,
      name: path.split('/').pop() ?? path,
      title,
      className,
      cycle,
      kind,
      storedBytes: 820 + path.length * 37,
      objectBytes: 2480,
      offset,
    };
  };
  return [
    key('Events', 'TTree', 'tree', 'Collision events', 2),
    key('Events', 'TTree', 'tree', 'Collision events', 1),
    key('histograms', 'TDirectory', 'directory', 'Control plots'),
    key('histograms/muons', 'TDirectory', 'directory', 'Muon control plots'),
    key('histograms/muons/pt', 'TH1F', 'histogram', 'Transverse momentum'),
    key('histograms/muons/mass', 'TH1D', 'histogram', 'Di-muon mass, weighted'),
    key('histograms/response', 'TProfile', 'histogram', 'Response'),
    key('histograms/correlation', 'TH2F', 'histogram', 'Correlation'),
    key('metadata', 'TDirectory', 'directory', 'How it was made'),
    key('metadata/<img src=x onerror=alert(1)>', 'TNamed', 'object', '<b>not bold</b>'),
    key('metadata/settings', 'TList', 'object', 'Settings of the job'),
    key('decays', 'TTree', 'tree', 'B decays'),
  ];
}

function branch(
  index: number,
  parent: number,
  depth: number,
  path: string,
  typeName: string,
  kind: BranchKind,
): BranchInfo {
  return {
    index,
    parent,
    depth,
    path,
    name: path.split('/').pop() ?? path,
    title: `${path.replace(/[_/]/g, ' ')} as reconstructed`,
    typeName,
    kind,
    entries,
    baskets: kind === 'group' ? 0 : 42,
    totalBytes: kind === 'group' ? 0 : entries * 4 + 42 * 70,
    storedBytes: kind === 'group' ? 0 : 60_000 + ((index * 7919) % 900_000),
  };
}

function wideTree(count: number): TreeInfo {
  const branches: BranchInfo[] = [
    branch(0, -1, 0, 'run', 'unsigned int', 'number'),
    branch(1, -1, 0, 'trigger', 'std::string', 'string'),
    branch(2, -1, 0, 'broken', 'float', 'number'),
    branch(3, -1, 0, 'vertex', 'TLorentzVector', 'object'),
  ];
  const names = ['Muon', 'Electron', 'Jet', 'Tau', 'Photon', 'Track'];
  const members = ['pt', 'eta', 'phi', 'mass', 'charge', 'dxy', 'dz', 'iso', 'id'];
  let group = 0;
  while (branches.length < count) {
    const name = `${names[group % names.length]}${group < names.length ? '' : Math.floor(group / names.length)}`;
    const parent = branches.length;
    branches.push(branch(parent, -1, 0, name, `std::vector<${name}>`, 'group'));
    for (const member of members) {
      if (branches.length >= count) break;
      branches.push(
        branch(branches.length, parent, 1, `${name}/${name}_${member}`, 'std::vector<float>', 'number'),
      );
    }
    group++;
  }
  return treeInfo('Events', 'Collision events', branches);
}

function decayTree(): TreeInfo {
  const branches = ['mass', 'lifetime', 'angle', 'channel'].map((name, i) =>
    branch(i, -1, 0, name, name === 'channel' ? 'char*' : 'double', name === 'channel' ? 'string' : 'number'),
  );
  return treeInfo('decays', 'B decays', branches);
}

function treeInfo(path: string, title: string, branches: BranchInfo[]): TreeInfo {
  const sum = (field: 'totalBytes' | 'storedBytes') => branches.reduce((all, one) => all + one[field], 0);
  return {
    path,
    name: path,
    title,
    kind: 'TTree',
    className: 'TTree',
    entries,
    totalBytes: sum('totalBytes'),
    storedBytes: sum('storedBytes'),
    branches,
  };
}

/** A peak on a falling background: repeatable, and different for each branch. */
function fill(branchInfo: BranchInfo, request: DrawRequest, count: number): Histogram {
  const bins = request.bins ?? 100;
  const centre = 40 + (branchInfo.index % 17) * 5;
  const [low, high] = request.range ?? [0, 200];
  const counts = new Float64Array(bins);
  const width = (high - low) / bins;
  for (let i = 0; i < bins; i++) {
    const x = low + (i + 0.5) * width;
    const peak = Math.exp(-0.5 * ((x - centre) / 6) ** 2) / 15;
    const tail = Math.exp(-x / 45) / 45;
    const noise = 1 + 0.06 * Math.sin(i * 12.9898 + branchInfo.index) * Math.cos(i * 78.233);
    counts[i] = x < 0 ? 0 : Math.round(count * width * 0.5 * (peak + tail) * noise);
  }
  return {
    kind: 'histogram',
    title: branchInfo.path,
    bins,
    low,
    high,
    counts,
    underflow: low > 0 ? 1200 : 0,
    overflow: 314,
    nan: 0,
    values: count * 2,
    entries: count,
    mean: 48.21734,
    stdDev: 27.90312,
    min: 0.0123,
    max: 812.4,
    integer: false,
    partial:
      branchInfo.name === 'lifetime'
        ? { failed: 1, total: 42, errors: [brokenError().toRecord()] }
        : undefined,
  };
}

function frequencies(branchInfo: BranchInfo): DrawResult {
  const names = [
    'HLT_IsoMu24',
    'HLT_Ele32',
    'HLT_PFHT1050',
    '',
    'HLT_<script>alert(1)</script>',
    'HLT_DoubleMu4',
  ];
  const top = names.map((value, i) => ({ value, count: Math.round(entries / 2 ** (i + 1)) }));
  return {
    kind: 'frequencies',
    title: branchInfo.path,
    values: top.reduce((all, one) => all + one.count, 0),
    distinct: names.length,
    entries,
    top,
  };
}

function mockColumn(branchInfo: BranchInfo, from: number, to: number): Column {
  const length = to - from;
  const numbers = Float32Array.from({ length }, (_, i) => 20 + (((from + i) * 17.31) % 83));
  const flat: Column = { kind: 'primitive', length, dtype: 'f32', data: numbers };
  if (branchInfo.kind === 'object') {
    return {
      kind: 'struct',
      length,
      typeName: 'TLorentzVector',
      names: ['fE', 'fP'],
      children: [flat, flat],
    };
  }
  if (branchInfo.typeName.startsWith('std::vector')) {
    const offsets = Int32Array.from({ length: length + 1 }, (_, i) => Math.floor(i * 0.8));
    return { kind: 'list', length, offsets, child: flat };
  }
  if (branchInfo.kind !== 'string') return flat;
  const words = Array.from(
    { length },
    (_, i) => ['HLT_IsoMu24', 'HLT_Ele32', '<b>x</b>'][(from + i) % 3] ?? '',
  );
  const bytes = new TextEncoder().encode(words.join(''));
  const offsets = new Int32Array(length + 1);
  words.forEach((word, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + word.length;
  });
  return { kind: 'string', length, offsets, bytes };
}

/** Entry i has i % 3 bytes. */
function mockBytes(length: number): Column {
  const offsets = new Int32Array(length + 1);
  for (let i = 0; i < length; i++) offsets[i + 1] = (offsets[i] ?? 0) + (i % 3);
  const total = offsets[length] ?? 0;
  const data = Uint8Array.from({ length: total }, (_, i) => 16 * i + 10);
  return { kind: 'list', length, offsets, child: { kind: 'primitive', length: total, dtype: 'u8', data } };
}

function axis(title: string, bins: number, low: number, high: number, edges?: Float64Array): PlainObject {
  return {
    _typename: 'TAxis',
    fNbins: bins,
    fXmin: low,
    fXmax: high,
    fTitle: title,
    fXbins: edges ?? new Float64Array(),
  };
}

function mockObject(path: string): PlainObject {
  const bins = 60;
  const shape = Float64Array.from({ length: bins + 2 }, (_, i) =>
    Math.round(900 * Math.exp(-0.5 * ((i - 30) / 7) ** 2) + 400 * Math.exp(-i / 20)),
  );
  const base = {
    fEntries: 26_115,
    fTsumw: 25_900,
    fTsumwx: 770_000,
    fTsumwx2: 27_000_000,
    fSumw2: new Float64Array(),
  };
  if (path.includes('muons/pt')) {
    const edges = Float64Array.from({ length: bins + 1 }, (_, i) => i ** 1.35);
    return {
      _typename: 'TH1F',
      fName: 'pt',
      fTitle: 'Transverse momentum',
      fXaxis: axis('p_{T} [GeV]', bins, 0, edges[bins] ?? 1, edges),
      fYaxis: axis('Muons', 1, 0, 1),
      fArray: Float32Array.from(shape),
      ...base,
    };
  }
  if (path.includes('mass')) {
    return {
      _typename: 'TH1D',
      fName: 'mass',
      fTitle: 'Di-muon mass, weighted',
      fXaxis: axis('m [GeV]', bins, 60, 120),
      fYaxis: axis('Events / GeV', 1, 0, 1),
      fArray: shape,
      ...base,
      fSumw2: shape.map((value) => value * 2.5),
    };
  }
  if (path.includes('response')) {
    const counts = shape.map((value) => Math.max(0, Math.round(value / 40)));
    const sums = counts.map((n, i) => n * (0.8 + 0.25 * Math.exp(-i / 12)));
    const squares = counts.map((n, i) => n * ((0.8 + 0.25 * Math.exp(-i / 12)) ** 2 + 0.04));
    return {
      _typename: 'TProfile',
      fName: 'response',
      fTitle: 'Response',
      fXaxis: axis('p_{T} [GeV]', bins, 0, 300),
      fYaxis: axis('reco / true', 1, 0, 1),
      fArray: sums,
      fBinEntries: counts,
      fErrorMode: 0,
      ...base,
      fSumw2: squares,
    };
  }
  if (path.includes('correlation')) {
    const n = 48;
    const cells = Float32Array.from({ length: (n + 2) * (n + 2) }, (_, i) => {
      const x = (i % (n + 2)) / n - 0.5;
      const y = Math.floor(i / (n + 2)) / n - 0.5;
      return Math.round(500 * Math.exp(-12 * (x * x + y * y - 1.4 * x * y)) - 3);
    }).map((value) => Math.max(0, value));
    return {
      _typename: 'TH2F',
      fName: 'correlation',
      fTitle: 'Correlation',
      fXaxis: axis('η', n, -2.4, 2.4),
      fYaxis: axis('φ', n, -3.2, 3.2),
      fArray: cells,
      ...base,
      fTsumwy: -1200,
    };
  }
  if (path.includes('settings')) {
    return {
      _typename: 'TList',
      name: 'settings',
      arr: Array.from({ length: 250 }, (_, i) => ({
        _typename: 'TNamed',
        fUniqueID: i,
        fBits: 0,
        fName: `step${i}`,
        fTitle: '<i>text</i>',
      })),
      big: 9_007_199_254_740_993n,
      weights: Float64Array.from({ length: 1000 }, (_, i) => i / 7),
    };
  }
  return {
    _typename: 'TNamed',
    fUniqueID: 0,
    fBits: 50_331_648,
    fName: '<img src=x onerror=alert(1)>',
    fTitle: '<b>not bold</b>',
  };
}

function mockClasses(): ClassInfo[] {
  const element = (
    name: string,
    typeName: string,
    type: number,
    rest: Partial<MemberInfo> = {},
  ): MemberInfo => ({
    name,
    title: '',
    typeName,
    type,
    dimensions: [],
    counter: '',
    base: false,
    ...rest,
  });
  const base = (name: string, baseVersion: number): MemberInfo =>
    element(name, name, 0, { base: true, baseVersion });
  return [
    {
      name: 'TNamed',
      version: 1,
      checksum: 0xdfb74a3c,
      elements: [
        base('TObject', 1),
        element('fName', 'TString', 65, { title: 'object identifier' }),
        element('fTitle', 'TString', 65, { title: '<b>object title</b>' }),
      ],
    },
    {
      name: 'TObject',
      version: 1,
      checksum: 0x901bc02d,
      elements: [
        element('fUniqueID', 'unsigned int', 13, { title: 'object unique identifier' }),
        element('fBits', 'unsigned int', 15, { title: 'bit field status word' }),
      ],
    },
    {
      name: 'Track',
      version: 2,
      checksum: 0x12345678,
      elements: [
        base('TNamed', 1),
        element('nHits', 'int', 6, { title: 'number of hits' }),
        element('charge', 'float*', 45, { title: '[nHits] of each hit', counter: 'nHits' }),
        element('covariance', 'double', 28, { dimensions: [3, 3] }),
        element('vertices', 'vector<Vertex>', 300, { title: 'where it may have come from' }),
      ],
    },
    { name: 'Track', version: 1, checksum: 0x1234, elements: [element('nHits', 'int', 3)] },
  ];
}
