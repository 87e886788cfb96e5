import { toXylemError } from '../base/errors';
import { formatBytes, formatCount } from '../base/format';
import type { BranchInfo, CallOptions, FileId, KeyInfo, ReaderApi } from '../file/api';
import type { TreeLayout } from '../file/layout';
import type { FileRecords } from '../file/records';
import {
  constantBranches,
  duplicateBranches,
  likelyConstants,
  likelyDuplicates,
  treeFindings,
} from './doctor-rules';
import { type DoctorFinding, type DoctorReport, gradeOf } from './doctor-types';

export interface DoctorOptions extends CallOptions {
  /** Only this tree. */
  tree?: string | undefined;
  /** Reads the branches that look constant or alike, to be sure. */
  deep?: boolean | undefined;
}

const ORDER = { bad: 0, poor: 1, note: 2 };
/** Free space below this is no finding. */
const LEAST_FREE = 100_000;

/** Looks at how a file, or one of its trees, is laid out; reads metadata only, and values with `deep`. */
export async function examine(
  api: ReaderApi,
  file: FileId,
  name: string,
  options: DoctorOptions = {},
): Promise<DoctorReport> {
  const { signal, onProgress } = options;
  const keys = await api.keys(file, { signal });
  const trees = newestTrees(keys).filter(
    ({ path }) => options.tree === undefined || path === options.tree.replace(/;\d+$/, ''),
  );
  const findings: DoctorFinding[] = [];
  const notes: string[] = [];
  // A tree that is asked for and is not there, or cannot be read, is a failure.
  if (options.tree !== undefined && trees.length === 0) await api.tree(file, options.tree, { signal });
  for (const [i, key] of trees.entries()) {
    onProgress?.({
      label: `Looking at ${key.path}`,
      bytesDone: 0,
      bytesTotal: 0,
      entriesDone: i,
      entriesTotal: trees.length,
    });
    try {
      const layout = await api.layout(file, `${key.path};${key.cycle}`, { signal });
      const found = treeFindings(layout);
      findings.push(...(options.deep ? await deepened(api, file, layout, found, options) : found));
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code === 'ABORTED' || options.tree !== undefined) throw error;
      notes.push(`${key.path}: ${error.message}`);
    }
  }
  if (options.tree === undefined) {
    const records = await api.records(file, { signal, onProgress });
    notes.push(...records.notes);
    findings.push(...fileFindings(records, keys));
  }
  findings.sort((a, b) => ORDER[a.grade] - ORDER[b.grade]);
  return { file: name, grade: gradeOf(findings), trees: trees.map(({ path }) => path), findings, notes };
}

function isTree({ kind }: KeyInfo): boolean {
  return kind === 'tree' || kind === 'ntuple';
}

function newestTrees(keys: readonly KeyInfo[]): KeyInfo[] {
  const newest = new Map<string, KeyInfo>();
  for (const key of keys) {
    if (isTree(key) && key.cycle >= (newest.get(key.path)?.cycle ?? 0)) newest.set(key.path, key);
  }
  return [...newest.values()];
}

function fileFindings({ records, end }: FileRecords, keys: readonly KeyInfo[]): DoctorFinding[] {
  const found: DoctorFinding[] = [];
  const free = records.filter(({ kind }) => kind === 'free');
  const bytes = free.reduce((sum, { length }) => sum + length, 0);
  const share = bytes / Math.max(1, end);
  const largest = free.reduce<(typeof free)[number] | undefined>(
    (most, record) => (most === undefined || record.length > most.length ? record : most),
    undefined,
  );
  if (bytes > LEAST_FREE && share > 0.02) {
    found.push({
      rule: 'free-space',
      grade: share > 0.2 ? 'bad' : share > 0.05 ? 'poor' : 'note',
      evidence: `${formatBytes(bytes)} (${(100 * share).toFixed(0)} %) of the file are free, in ${formatCount(free.length)} pieces.`,
      numbers: { bytes, share, pieces: free.length },
      place: largest && { offset: largest.offset, length: largest.length },
      costs: [],
      remedies: [{ for: 'hadd', lines: ['hadd -f new.root old.root'] }],
    });
  }
  const cycles = new Map<string, KeyInfo[]>();
  for (const key of keys) if (isTree(key)) cycles.set(key.path, [...(cycles.get(key.path) ?? []), key]);
  for (const [path, copies] of cycles) {
    const old = copies.sort((a, b) => b.cycle - a.cycle).slice(1);
    const oldBytes = old.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
    // ROOT keeps the last two of a tree that it saves on the way.
    if (old.length < 2) continue;
    found.push({
      rule: 'old-cycles',
      grade: old.length > 5 || oldBytes > 0.05 * end ? 'poor' : 'note',
      tree: path,
      evidence: `${formatCount(old.length)} older cycles of ${path} with ${formatBytes(oldBytes)} are kept in the file.`,
      numbers: { cycles: old.length, bytes: oldBytes },
      place: old[0] && { offset: old[0].offset, length: old[0].storedBytes },
      costs: [],
      remedies: [
        {
          for: 'ROOT',
          lines: ['tree->Write("", TObject::kOverwrite);', 'tree->SetAutoSave(0);  // or a larger interval'],
        },
        { for: 'hadd', lines: ['hadd -f new.root old.root'] },
      ],
    });
  }
  return found;
}

/** Findings that are guesses from sizes, held against the values themselves. */
async function deepened(
  api: ReaderApi,
  file: FileId,
  layout: TreeLayout,
  findings: readonly DoctorFinding[],
  { signal, onProgress }: CallOptions,
): Promise<DoctorFinding[]> {
  const { tree } = layout;
  const rawOf = async (branch: number): Promise<string> => {
    const request = { tree: tree.path, branches: [branch], raw: true };
    const [result] = await api.read(file, request, { signal, onProgress });
    return result?.column?.kind === 'list' && result.column.child.kind === 'primitive'
      ? digest(result.column.offsets, result.column.child.data)
      : `unread ${branch}`;
  };
  const same: BranchInfo[][] = [];
  for (const group of likelyDuplicates(layout, true)) {
    const byValue = new Map<string, BranchInfo[]>();
    for (const branch of group) {
      const key = await rawOf(branch.index);
      byValue.set(key, [...(byValue.get(key) ?? []), branch]);
    }
    same.push(...[...byValue.values()].filter(({ length }) => length > 1));
  }
  const constant = await surelyConstant(api, file, layout, { signal, onProgress });
  const sure = [constantBranches(layout, undefined, constant), duplicateBranches(layout, same, true)];
  const others = findings.filter(({ rule }) => rule !== 'duplicate-branches' && rule !== 'constant-branches');
  return [...others, ...sure.filter((finding) => finding !== undefined)];
}

/** Branches that are read at once: what is known of the values of each is kept while they are. */
const AT_ONCE = 100;

/** Those of the branches that look constant whose values are all equal. */
async function surelyConstant(
  api: ReaderApi,
  file: FileId,
  layout: TreeLayout,
  options: CallOptions,
): Promise<BranchInfo[]> {
  const { tree } = layout;
  const likely = likelyConstants(layout);
  const sure: BranchInfo[] = [];
  for (let i = 0; i < likely.length; i += AT_ONCE) {
    const branches = likely.slice(i, i + AT_ONCE).map(({ index }) => index);
    const request = { tree: tree.path, branches, details: true };
    for (const { branch, details, entries, error } of await api.summarize(file, request, options)) {
      const whole = error === undefined && entries === tree.entries;
      const own = tree.branches[branch.index];
      if (whole && details?.constant === true && own !== undefined) sure.push(own);
    }
  }
  return sure;
}

/** Two independent 32-bit sums of the bytes and of the entries' borders. */
function digest(offsets: ArrayLike<number | bigint>, values: ArrayLike<number | bigint>): string {
  let a = 0x811c9dc5;
  let b = 0x1505;
  const add = (value: number): void => {
    a = Math.imul(a ^ value, 0x01000193);
    b = (Math.imul(b, 33) + value) | 0;
  };
  for (let i = 0; i < offsets.length; i++) add(Number(offsets[i]) | 0);
  for (let i = 0; i < values.length; i++) add(Number(values[i]));
  return `${offsets.length} ${values.length} ${a >>> 0} ${b >>> 0}`;
}
