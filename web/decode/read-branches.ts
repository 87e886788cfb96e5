import { type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import type { Column } from '../core/columns';
import { buildColumn } from '../core/decoder';
import type { CallOptions, EntrySelection, ReadRequest, ReadResult } from './api';
import { firstBlock } from './block';
import { ChainTree, type EntryTree, membersOf } from './chain';
import { concatColumns } from './concat';
import type { DataModel } from './data-model';
import { chooseEntries, isRange } from './entry-choice';
import {
  type BranchScan,
  columnsInOrder,
  type PartResult,
  planBranch,
  scanBranches,
  type TaskRunner,
} from './scan';
import { throttle } from './throttle';

const NO_ROWS: Column = { kind: 'struct', length: 0, typeName: '', names: [], children: [] };

/**
 * Reads branches into columns. A branch that cannot be read whole has its error in the result; the
 * others are there all the same. Throws NOT_FOUND, ARGUMENT and ABORTED.
 */
export async function readBranches(
  tree: EntryTree,
  runner: TaskRunner,
  request: ReadRequest,
  options: CallOptions,
): Promise<ReadResult[]> {
  return tree instanceof ChainTree
    ? readChain(tree, runner, request, options)
    : readFile(tree, runner, request, options);
}

/**
 * Reads file after file. With `maxBytes` no more than one: the columns then end with it.
 */
async function readChain(
  tree: ChainTree,
  runner: TaskRunner,
  request: ReadRequest,
  options: CallOptions,
): Promise<ReadResult[]> {
  const results: ReadResult[] = request.branches.map((which) => ({ branch: tree.branch(which) }));
  const parts: Column[][] = results.map(() => []);
  const { from, to } = chooseEntries(request.entries, tree.info.entries);
  // Where no entry is chosen there still are columns, of the type that the first file gives them.
  const asked: EntrySelection | undefined = from < to ? request.entries : [0, 1];
  for await (const member of membersOf(tree, asked, options)) {
    if ('error' in member) {
      for (const result of results) result.error ??= member.error;
      break;
    }
    const entries: EntrySelection | undefined = from < to ? member.entries : [0, 0];
    const wanted: ReadResult[] = [];
    const indices: number[] = [];
    for (const result of results.filter(({ error }) => !error)) {
      attempt(result, () => {
        indices.push(member.branch(result.branch).index);
        wanted.push(result);
      });
    }
    const read = await readFile(member.tree, runner, { ...request, branches: indices, entries }, options);
    for (const [i, result] of wanted.entries()) {
      const { column, error } = read[i] ?? {};
      result.error = error;
      if (!column) continue;
      attempt(result, () => tree.checkShape(result.branch, column, member.tree));
      parts[results.indexOf(result)]?.push(column);
    }
    if (request.maxBytes !== undefined) break;
  }
  for (const [i, result] of results.entries()) {
    if (!result.error) result.column = parts[i]?.length ? concatColumns(parts[i] ?? []) : NO_ROWS;
  }
  return results;
}

/** A branch fails alone. */
function attempt(result: ReadResult, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    result.error = toXylemError(thrown).toRecord();
  }
}

async function readFile(
  tree: DataModel,
  runner: TaskRunner,
  request: ReadRequest,
  options: CallOptions,
): Promise<ReadResult[]> {
  const branches = request.branches.map((which) => tree.branch(which));
  let entries: EntrySelection | undefined;
  try {
    await tree.prepare(firstOf(request), { signal: options.signal });
    entries = await blockOf(tree, request, options);
    await tree.prepare(entries, { signal: options.signal }, branches);
  } catch (thrown) {
    const error = toXylemError(thrown);
    if (error.code === 'ABORTED' || error.code === 'ARGUMENT') throw error;
    return branches.map((branch) => ({ branch, error: error.toRecord() }));
  }
  const results: ReadResult[] = [];
  const scans: BranchScan[] = [];
  const slots: number[] = [];
  for (const branch of branches) {
    chooseEntries(entries, branch.entries);
    const result: ReadResult = { branch };
    results.push(result);
    try {
      scans.push(planBranch(tree, branch.index, entries, request.raw));
      slots.push(results.length - 1);
    } catch (thrown) {
      // What cannot be decoded does not matter where there is nothing to decode.
      if (branch.kind !== 'group' && branch.baskets === 0 && branch.entries === 0) result.column = NO_ROWS;
      else result.error = toXylemError(thrown).toRecord();
    }
  }
  const parts: PartResult[][] = scans.map(() => []);
  const errors: (ErrorRecord | undefined)[] = scans.map(() => undefined);
  const report = throttle(options.onProgress);
  await scanBranches(tree, runner, scans, {
    ...options,
    goal: { kind: 'columns' },
    onResult: (scan, part) => {
      errors[scan] ??= part.failures[0]?.error;
      parts[scan]?.push(part);
    },
    onBytes: (progress) => report(() => ({ label: labelOf(scans), ...progress })),
  });
  for (const [i, scan] of scans.entries()) {
    const result = results[slots[i] ?? 0];
    if (!result) continue;
    if (errors[i]) result.error = errors[i];
    else result.column = columnOf(scan, parts[i] ?? []);
  }
  return results;
}

/** What must be known of the tree before the entries to read are: of a block only its first entry. */
function firstOf({ entries, maxBytes }: ReadRequest): EntrySelection | undefined {
  if (maxBytes === undefined) return entries;
  const [from, to] = entries !== undefined && isRange(entries) ? entries : [0, 1];
  return [from, Math.min(from + 1, to)];
}

/** The entries to read: those asked for, or the first block of them. */
async function blockOf(
  tree: DataModel,
  request: ReadRequest,
  { signal }: CallOptions,
): Promise<EntrySelection | undefined> {
  const { entries = [0, tree.info.entries], maxBytes } = request;
  if (maxBytes === undefined) return request.entries;
  if (!isRange(entries)) {
    throw new XylemError({
      code: 'ARGUMENT',
      message: 'A block of entries is the first part of a range, not of a list or a sample.',
      fix: 'Give a range of entries, or leave maxBytes out.',
    });
  }
  const branches = request.branches.map((which) => tree.branch(which));
  const hulls = branches.map((branch) => chooseEntries(entries, branch.entries));
  const end = hulls.reduce((most, { to }) => Math.min(most, to), entries[1]);
  return firstBlock(tree, branches, [Math.min(entries[0], end), end], maxBytes, { signal });
}

/** A branch without pieces gives a column without rows, of the right shape. */
function columnOf(scan: BranchScan, parts: PartResult[]): Column {
  const columns = columnsInOrder(parts);
  return columns.length > 0 ? concatColumns(columns) : buildColumn(scan.plan.schema, 0, []);
}

function labelOf(scans: BranchScan[]): string {
  return scans.length === 1 ? `Reading ${scans[0]?.branch.path}` : `Reading ${scans.length} branches`;
}
