import type {
  ArraysResult,
  BranchInfo,
  CallOptions,
  FileInfo,
  KeyInfo,
  PlainObject,
  TreeInfo,
} from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { toXylemError } from '../../../base/errors';
import { chi2Test, kolmogorovTest } from '../../../bins/compare-histograms';
import { comparedBins, otherBins } from '../../../bins/compared-bins';
import { histogramIfAny } from '../../../bins/stored-histogram';
import { chooseBranches } from '../../../model/choose';
import { cyclePath, isTree, newestKeys } from '../../../model/keys';
import { planSteps } from '../../../model/read-steps';
import { type Deviation, firstDifference, rowsEqual, type Tolerance } from './compare-columns';
import type { DiffPart, DiffReport, LayoutDiff, SchemaDiff, ValuesDiff } from './diff-report';

export interface DiffOptions {
  parts: ReadonlySet<DiffPart>;
  tolerance: Tolerance;
  /** Minimum chi2 probability of histograms that count as equal; undefined for exact comparison. */
  probability: number | undefined;
  onProgress?: CallOptions['onProgress'];
  signal?: AbortSignal | undefined;
}

/** A file that is compared. */
export interface ComparedFile {
  readonly reader: EngineApi;
  readonly info: FileInfo;
  keys(): Promise<KeyInfo[]>;
  tree(path: string): Promise<{ readonly info: TreeInfo }>;
  object(path: string): Promise<PlainObject>;
}

/** Compares the contents of two files: the highest cycle of each path. */
export async function diffFiles(a: ComparedFile, b: ComparedFile, options: DiffOptions): Promise<DiffReport> {
  const { parts } = options;
  const [keysA, keysB] = [newestKeys(await a.keys()), newestKeys(await b.keys())];
  const report: DiffReport = {
    same: true,
    files: [a.info.name, b.info.name],
    keys: { added: [], removed: [], changed: [] },
    trees: [],
    values: [],
    objects: [],
    layout: [],
    compared: { trees: 0, branches: 0, entries: 0, objects: 0 },
  };
  if (parts.has('schema')) {
    report.keys = schemaDiff([...keysA.values()], [...keysB.values()], ({ className }) => className);
  }
  for (const [path, key] of keysA) {
    const other = keysB.get(path);
    if (other === undefined || key.kind === 'directory' || key.className !== other.className) continue;
    if (isTree(key)) await diffTrees(a, b, key, other, report, options);
    else if (parts.has('objects')) await diffObjects(a, b, key, other, report, options);
  }
  const { keys, trees, values, objects, layout } = report;
  report.same = !differs(keys) && [trees, values, objects, layout].every(({ length }) => length === 0);
  return report;
}

function schemaDiff<T extends { path: string }>(
  a: readonly T[],
  b: readonly T[],
  typeOf: (item: T) => string,
): SchemaDiff {
  const [inA, inB] = [
    new Map(a.map((item) => [item.path, item])),
    new Map(b.map((item) => [item.path, item])),
  ];
  return {
    added: [...inB.keys()].filter((path) => !inA.has(path)),
    removed: [...inA.keys()].filter((path) => !inB.has(path)),
    changed: [...inA].flatMap(([path, item]) => {
      const other = inB.get(path);
      const [from, to] = [typeOf(item), other === undefined ? undefined : typeOf(other)];
      return to === undefined || from === to ? [] : [{ path, from, to }];
    }),
  };
}

function differs({ added, removed, changed }: SchemaDiff): boolean {
  return added.length + removed.length + changed.length > 0;
}

async function diffTrees(
  a: ComparedFile,
  b: ComparedFile,
  keyA: KeyInfo,
  keyB: KeyInfo,
  report: DiffReport,
  options: DiffOptions,
): Promise<void> {
  const { parts } = options;
  const { info: treeA } = await a.tree(cyclePath(keyA));
  const { info: treeB } = await b.tree(cyclePath(keyB));
  report.compared.trees += 1;
  const schema = parts.has('schema')
    ? schemaDiff(treeA.branches, treeB.branches, ({ typeName }) => typeName)
    : { added: [], removed: [], changed: [] };
  const entries: [number, number] = [treeA.entries, treeB.entries];
  if (differs(schema) || (parts.has('entries') && entries[0] !== entries[1])) {
    report.trees.push({ path: keyA.path, entries, ...schema });
  }
  if (parts.has('values')) {
    const [pathA, pathB] = [cyclePath(keyA), cyclePath(keyB)];
    const sides = [
      { file: a, tree: treeA, path: pathA },
      { file: b, tree: treeB, path: pathB },
    ] as const;
    await diffValues(...sides, report, options);
  }
  if (parts.has('layout')) {
    const layouts = [
      await a.reader.layout(a.info.id, cyclePath(keyA)),
      await b.reader.layout(b.info.id, cyclePath(keyB)),
    ];
    const compression = (side: number, index: number): number => layouts[side]?.compress[index] ?? -1;
    report.layout.push(...diffLayout(treeA, treeB, compression));
  }
}

interface Side {
  file: ComparedFile;
  tree: TreeInfo;
  path: string;
}

async function diffValues(a: Side, b: Side, report: DiffReport, options: DiffOptions): Promise<void> {
  const { branches } = b.tree;
  const others = new Map(branches.map((branch) => [branch.path, branch]));
  const shared = chooseBranches(a.tree, undefined).filter((branch) => others.has(branch.path));
  const entries = Math.max(0, Math.min(a.tree.entries, b.tree.entries));
  report.compared.branches += shared.length;
  report.compared.entries += entries;
  const found = new Map<number, ValuesDiff & { deviation: Deviation }>();
  for (const step of planSteps(shared, [0, entries])) {
    const chosen = step.branches.filter((branch) => found.get(branch.index)?.error === undefined);
    if (chosen.length === 0) continue;
    const request = { entries: step.entries };
    const indices = chosen.map(({ path }) => others.get(path)?.index ?? -1);
    const call = { onProgress: options.onProgress, signal: options.signal };
    const [left, right] = await Promise.all([
      a.file.reader.arrays(
        a.file.info.id,
        { ...request, tree: a.path, branches: chosen.map(({ index }) => index) },
        call,
      ),
      b.file.reader.arrays(b.file.info.id, { ...request, tree: b.path, branches: indices }, call),
    ]);
    for (const [i, branch] of chosen.entries()) {
      let diff = found.get(branch.index);
      if (!diff) {
        const deviation = { abs: 0, rel: 0 };
        diff = { tree: a.tree.path, branch: branch.path, entries: 0, different: 0, deviation };
        found.set(branch.index, diff);
      }
      compareStep(diff, left[i], right[i], step.entries[0], options.tolerance);
    }
  }
  for (const { deviation, ...diff } of found.values()) {
    if (diff.different === 0 && diff.error === undefined) continue;
    report.values.push({
      ...diff,
      ...(deviation.abs > 0 && { maxAbs: deviation.abs, maxRel: deviation.rel }),
    });
  }
}

function compareStep(
  diff: ValuesDiff & { deviation: Deviation },
  a: ArraysResult | undefined,
  b: ArraysResult | undefined,
  first: number,
  tolerance: Tolerance,
): void {
  const [x, y] = [a?.column, b?.column];
  if (x === undefined || y === undefined) {
    diff.error = (a?.error ?? b?.error)?.message ?? 'It cannot be read.';
    return;
  }
  const equal = rowsEqual(x, y, tolerance, diff.deviation);
  const rows = Math.min(x.length, y.length);
  diff.entries += rows;
  for (let row = 0; row < rows; row++) {
    if (equal(row, row)) continue;
    diff.different += 1;
    diff.first ??= first + row;
  }
  const more = Math.abs(x.length - y.length);
  if (more > 0) {
    diff.different += more;
    diff.first ??= first + rows;
  }
}

function diffLayout(
  a: TreeInfo,
  b: TreeInfo,
  compression: (side: number, index: number) => number,
): LayoutDiff[] {
  const others = new Map(b.branches.map((branch) => [branch.path, branch]));
  return a.branches.flatMap((branch: BranchInfo) => {
    const other = others.get(branch.path);
    if (other === undefined) return [];
    const facts = [
      ['storedBytes', branch.storedBytes, other.storedBytes],
      ['totalBytes', branch.totalBytes, other.totalBytes],
      ['baskets', branch.baskets, other.baskets],
      ['compression', compression(0, branch.index), compression(1, other.index)],
    ] as const;
    return facts.flatMap(([what, from, to]) =>
      from === to ? [] : [{ tree: a.path, branch: branch.path, what, from, to }],
    );
  });
}

async function diffObjects(
  a: ComparedFile,
  b: ComparedFile,
  keyA: KeyInfo,
  keyB: KeyInfo,
  report: DiffReport,
  { tolerance, probability }: DiffOptions,
): Promise<void> {
  const place = { path: keyA.path, className: keyA.className };
  report.compared.objects += 1;
  let pair: [PlainObject, PlainObject];
  try {
    pair = [await a.object(cyclePath(keyA)), await b.object(cyclePath(keyB))];
  } catch (thrown) {
    const error = toXylemError(thrown);
    if (error.code === 'ABORTED') throw error;
    report.objects.push({ ...place, error: error.message });
    return;
  }
  const member = firstDifference(...pair, tolerance, { abs: 0, rel: 0 });
  if (member === undefined) return;
  const [x, y] = pair.map((one) => (/^T(H|Profile)/.test(one._typename) ? histogramIfAny(one) : undefined));
  if (!x || !y || otherBins(x.axes, y.axes) !== undefined) {
    report.objects.push({ ...place, member });
    return;
  }
  const [bins, others] = [comparedBins(x), comparedBins(y)];
  const chi2 = chi2Test(bins, others);
  if (probability !== undefined && chi2.p >= probability) return;
  const kolmogorov = x.axes.length === 1 ? kolmogorovTest(bins, others) : undefined;
  report.objects.push({ ...place, member, chi2, ...(kolmogorov && { kolmogorov }) });
}
