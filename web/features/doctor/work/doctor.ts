import type { BranchInfo, CallOptions, FileId, KeyInfo, TreeLayout } from '../../../api/api';
import type { DoctorOptions, DoctorReport, ExaminedFile, UseVerdict } from '../../../api/doctor';
import type { EngineApi, FileRecords } from '../../../api/engine-api';
import { toXylemError, XylemError } from '../../../base/errors';
import { formatBytes, formatCount } from '../../../base/format';
import { isDamage } from '../../../io/doubt';
import { cyclePath, isTree, newestKeys } from '../../../model/keys';
import { usedBranches } from '../../../reads/use';
import {
  constantBranches,
  duplicateBranches,
  emptyBranches,
  likelyConstants,
  likelyDuplicates,
  missingEntries,
  shortBranches,
} from './doctor-branches';
import { codecFindings } from './doctor-codecs';
import { layoutFindings } from './doctor-layout';
import { type TreeFacts, treeFacts, withRemedies } from './doctor-remedies';
import { type Draft, draft, gradeOf } from './doctor-types';
import { findingsForUse, savedMs, usualVerdicts, verdictFor } from './doctor-use';

const ORDER = { bad: 0, poor: 1, note: 2 };
/** Free space below this is not reported. */
const MIN_FREE = 100_000;

/** Examines the layout of a file, or of one of its trees. Reads only metadata, and with `deep` also values. */
export async function examine(
  api: EngineApi,
  { id: file, name, rootVersion: writer }: ExaminedFile,
  options: DoctorOptions = {},
): Promise<DoctorReport> {
  const { signal, onProgress, use } = options;
  const verdicts: UseVerdict[] = [];
  const keys = await api.keys(file, { signal });
  const trees = [...newestKeys(keys.filter(isTree)).values()].filter(
    ({ path }) => options.tree === undefined || path === options.tree.replace(/;\d+$/, ''),
  );
  const drafts: Draft[] = [];
  const facts: TreeFacts[] = [];
  const notes: string[] = [];
  // It is an error if the given tree does not exist or cannot be read.
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
      const layout = await api.layout(file, cyclePath(key), { signal });
      facts.push(treeFacts(layout));
      const found = await findingsOf(api, file, layout, options);
      const used = use && usedBranches(use, layout);
      if (use !== undefined && used !== undefined) {
        verdicts.push(verdictFor(layout, use.name, used));
        drafts.push(...findingsForUse(found, layout, used));
      } else {
        drafts.push(...found);
        if (use === undefined) verdicts.push(...usualVerdicts(layout));
      }
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code === 'ABORTED' || options.tree !== undefined) throw error;
      if (isDamage(error)) drafts.push(draft(key.path, 'unread-tree', 'bad', unread(error)));
      else notes.push(`${key.path}: ${error.message}`);
    }
  }
  if (use !== undefined && verdicts.length === 0 && trees.length > 0) {
    const why = [...notes, ...drafts.map(({ evidence }) => evidence)];
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `${name} has no tree of which ${use.name} reads a branch${why.length > 0 ? `: ${why.join(' ')}` : '.'}`,
      fix: 'Name branches as "xylem tree" lists them.',
    });
  }
  if (options.tree === undefined) {
    const records = await api.records(file, { signal, onProgress });
    notes.push(...records.notes);
    drafts.push(...fileFindings(records, keys));
  }
  drafts.sort((a, b) => ORDER[a.grade] - ORDER[b.grade] || savedMs(b) - savedMs(a));
  const findings = withRemedies(name, keys, facts, drafts);
  const paths = trees.map(({ path }) => path);
  return { file: name, grade: gradeOf(findings), trees: paths, writer, verdicts, findings, notes };
}

function unread({ message }: XylemError): string {
  return `${message} Its entries cannot be read. "xylem check" says more, and "xylem salvage" saves what is left.`;
}

/** Returns findings on layout and compression of a tree, from its metadata. */
export function treeFindings(layout: TreeLayout): Draft[] {
  if (layout.tree.entries === 0) return [];
  return [...storageFindings(layout), constantBranches(layout), duplicateBranches(layout)].filter(
    (finding) => finding !== undefined,
  );
}

function storageFindings(layout: TreeLayout): (Draft | undefined)[] {
  return [
    missingEntries(layout),
    ...layoutFindings(layout),
    ...codecFindings(layout),
    shortBranches(layout),
    emptyBranches(layout),
  ];
}

/** Returns the findings of a tree. With `deep`, guesses from sizes are verified with the values. */
async function findingsOf(
  api: EngineApi,
  file: FileId,
  layout: TreeLayout,
  { deep, signal, onProgress }: DoctorOptions,
): Promise<Draft[]> {
  if (!deep || layout.tree.entries === 0) return treeFindings(layout);
  const same = await surelySame(api, file, layout, { signal, onProgress });
  const constant = await surelyConstant(api, file, layout, { signal, onProgress });
  return [
    ...storageFindings(layout),
    constantBranches(layout, undefined, constant),
    duplicateBranches(layout, same, true),
  ].filter((finding) => finding !== undefined);
}

function fileFindings({ records, end }: FileRecords, keys: readonly KeyInfo[]): Draft[] {
  const found: Draft[] = [];
  const free = records.filter(({ kind }) => kind === 'free');
  const bytes = free.reduce((sum, { length }) => sum + length, 0);
  const share = bytes / Math.max(1, end);
  const largest = free.reduce<(typeof free)[number] | undefined>(
    (most, record) => (most === undefined || record.length > most.length ? record : most),
    undefined,
  );
  if (bytes > MIN_FREE && share > 0.02) {
    const grade = share > 0.2 ? 'bad' : share > 0.05 ? 'poor' : 'note';
    const evidence = `${formatBytes(bytes)} (${(100 * share).toFixed(0)} %) of the file are free, in ${formatCount(free.length)} pieces.`;
    found.push({
      ...draft('', 'free-space', grade, evidence),
      tree: undefined,
      numbers: { bytes, share, pieces: free.length },
      place: largest && { offset: largest.offset, length: largest.length },
      promises: [{ what: 'bytes of the file', now: end, after: end - bytes }],
      cure: 'copy',
    });
  }
  const cycles = new Map<string, KeyInfo[]>();
  for (const key of keys) if (isTree(key)) cycles.set(key.path, [...(cycles.get(key.path) ?? []), key]);
  for (const [path, copies] of cycles) {
    const old = copies.sort((a, b) => b.cycle - a.cycle).slice(1);
    const oldBytes = old.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
    // ROOT keeps the last two cycles of a tree that it saves while filling.
    if (old.length < 2) continue;
    const grade = old.length > 5 || oldBytes > 0.05 * end ? 'poor' : 'note';
    const evidence = `${formatCount(old.length)} older cycles of ${path} with ${formatBytes(oldBytes)} are kept in the file: copies of its description from when it had fewer entries.`;
    found.push(
      draft(path, 'old-cycles', grade, evidence, {
        numbers: { cycles: old.length, bytes: oldBytes },
        place: old[0] && { offset: old[0].offset, length: old[0].storedBytes },
        promises: [{ what: 'cycles', now: copies.length, after: 1 }],
        cure: 'copy',
      }),
    );
  }
  return found;
}

/** Returns groups of branches that look identical and have the same bytes in every entry. */
async function surelySame(
  api: EngineApi,
  file: FileId,
  layout: TreeLayout,
  options: CallOptions,
): Promise<BranchInfo[][]> {
  const { tree } = layout;
  const rawOf = async (branch: number): Promise<string> => {
    const request = { tree: tree.path, branches: [branch], raw: true };
    const [result] = await api.arrays(file, request, options);
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
  return same;
}

/** Number of branches that are read at once, because some data of each are kept meanwhile. */
const AT_ONCE = 100;

/** Returns branches that look constant and have only equal values. */
async function surelyConstant(
  api: EngineApi,
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

/** Returns two independent 32-bit checksums of the bytes and of the entries' offsets. */
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
