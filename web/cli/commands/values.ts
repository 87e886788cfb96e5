import type { ArraysResult, BranchInfo, EntryRange, EntrySelection, TreeInfo } from '../../api/api';
import { withFileName } from '../../api/partial-notes';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import { firstAbove } from '../../base/search';
import type { Column } from '../../core/columns';
import { type RowWriter, rowWriter } from '../../export/canonical';
import { fewerEntries } from '../../model/absent';
import { chooseBranches } from '../../model/choose';
import {
  chooseEntries,
  countOf,
  type EntryChoice,
  entryNumbers,
  sliceSelection,
} from '../../model/entry-choice';
import { planSteps } from '../../model/read-steps';
import { treeOf } from '../../verbs/trees';
import { chosenEntries, UsageError } from '../arguments';
import { command } from '../command';
import { type Context, type OpenFile, progressLine, tellPartial, withFile } from '../context';
import { DigestBuilder } from '../digest';
import { branchesOption, CHAIN_TEXT, commonOptions, entryOptions, flag } from '../options';

/** Entries that text shows when no range is given. */
const SHOWN_ENTRIES = 20;

export const values = command({
  usage: ['FILE [TREE]'],
  about: `Prints the values of a tree's branches: as a table of tabs with one line for each entry, or as JSON.
Without a choice of entries, text shows the first ${SHOWN_ENTRIES} and JSON all of them.
${CHAIN_TEXT}`,
  examples: [
    ['sample.root Events --branches nMuon,Muon_pt --entries 0:3', 'the first three entries'],
    ["sample.root Events --branches 'Muon_*' --sample 1%", 'a random part of the entries'],
  ],
  options: {
    ...entryOptions,
    ...branchesOption,
    raw: flag(
      'instead of values, the bytes of each entry as they are streamed, in hexadecimal; also of branches that ' +
        'cannot be decoded',
    ),
    digest: flag('instead of values, type, count and checksums over all entries'),
    ...commonOptions,
  },
  json: `{"entries": N, "branches": {"<path>": {"values": […], "missing"} or {"error": "…"}}}
      with --raw values are texts of hexadecimal digits: ["0a0b…", …]
      {"entries": N, "branches": {"<path>": {"flat": {"dtype", "count", "crc32", "offsets_crc32"}, "missing"} or {"error": "…"}}}
entries is the number of the tree. Integers are exact; "nan", "inf" and "-inf" are strings; arrays and
collections are nested lists, objects {"member": value}. missing says of a branch that has fewer entries
than the tree why there are fewer values than entries were asked for. A branch that cannot be read has an error, and the
exit status is 0; without --json it is 1 where data are damaged or did not come.`,
  async run(given, [file = '', word], context) {
    if (given.digest && (given.entries ?? given['entry-list'] ?? given.sample) !== undefined) {
      throw new UsageError('--digest is over all entries; leave --entries and --sample out.');
    }
    if (given.digest && given.raw) throw new UsageError('Choose --digest or --raw, not both.');
    return await withFile(file, given, context, async (open) => {
      const path = await treeOf(open, word);
      const { info: tree } = await open.tree(path);
      const branches = chooseBranches(tree, given.branches);
      const whole = { open, path, tree, branches, raw: given.raw === true, context };
      const missing = Math.max(
        tellPartial(tree.partial, 'files', context),
        tellPartial(tree.lost, 'branches', context),
      );
      if (given.digest) {
        const job = choosing(whole, [0, tree.entries], tree.entries);
        return Math.max(missing, await (given.json ? digestJson(job) : digestText(job)));
      }
      // A tree that was filled branch by branch may count fewer entries than its branches have.
      const most = branches.reduce((n, branch) => Math.max(n, branch.entries), tree.entries);
      let entries: EntrySelection = (await chosenEntries(given, most)) ?? [0, most];
      const chosen = given.entries ?? given['entry-list'] ?? given.sample;
      if (!given.json && chosen === undefined && most > SHOWN_ENTRIES) {
        context.err.line(`${SHOWN_ENTRIES} of ${most} entries; --entries : shows all.`);
        entries = [0, SHOWN_ENTRIES];
      }
      const job = choosing(whole, entries, most);
      return Math.max(missing, await (given.json ? valuesJson(job) : valuesText(job)));
    });
  },
});

/** Reading stops after this many unreadable parts in a row: a damaged file may claim any number of entries. */
const MAX_UNREAD = 3;

/** Rows of a part, however few bytes a file says that they have. */
const MAX_ROWS = 2 ** 20;

interface Job {
  open: OpenFile;
  path: string;
  tree: TreeInfo;
  branches: BranchInfo[];
  raw: boolean;
  context: Context;
  selection: EntrySelection;
  /** The chosen entries, and the range from the first to the last of them. */
  choice: EntryChoice;
  bounds: EntryRange;
}

type Whole = Omit<Job, 'selection' | 'choice' | 'bounds'>;

function choosing(whole: Whole, selection: EntrySelection, entries: number): Job {
  const choice = chooseEntries(selection, entries);
  return { ...whole, selection, choice, bounds: [choice.from, choice.to] };
}

/** Reads in steps, and yields each result and whether it is the last one of its branch. */
async function* results(job: Job): AsyncGenerator<{ result: ArraysResult; first: boolean; last: boolean }> {
  const { reader, info } = job.open;
  const { bounds, selection, choice } = job;
  const progress = progressLine(job.context);
  const failed = new Set<number>();
  const part = countOf(choice.spans(...bounds)) / Math.max(1, bounds[1] - bounds[0]);
  for (const step of planSteps(job.branches, bounds, part)) {
    const branches = step.branches.filter((branch) => !failed.has(branch.index));
    if (branches.length === 0) continue;
    const request = {
      tree: job.path,
      branches: branches.map((b) => b.index),
      entries: sliceSelection(selection, ...step.entries),
      raw: job.raw,
    };
    const read = await reader.arrays(info.id, request, { onProgress: progress.show });
    await progress.wipe();
    const first = step.entries[0] === bounds[0];
    for (const result of read) {
      if (result.error !== undefined) failed.add(result.branch.index);
      yield { result, first, last: step.entries[1] === bounds[1] || result.error !== undefined };
    }
  }
}

async function valuesJson(job: Job): Promise<number> {
  const { out } = job.context;
  const names = new BranchNames();
  let rows = 0;
  out.put(`{"entries": ${job.tree.entries}, "branches": {`);
  for await (const { result, first, last } of results(job)) {
    if (first) out.put(`${names.next(result.branch)}: {`);
    if (result.column === undefined) {
      out.put(`${first ? '' : '], '}"error": ${JSON.stringify(reason(result.error))}}`);
      continue;
    }
    const write = writerOf(job, result.column);
    if (first) {
      out.put('"values": [');
      rows = 0;
    }
    await putRows(result.column.length, write, rows === 0, job.context);
    rows += result.column.length;
    const missing = result.missing ? `, "missing": ${JSON.stringify(result.missing.message)}` : '';
    if (last) out.put(`]${missing}}`);
  }
  out.line('}}');
  return 0;
}

/** Whether values are missing: a branch that cannot be decoded has none in a sound file either. */
function isMissing(error: Pick<ErrorRecord, 'code'> | undefined): boolean {
  return error?.code !== 'UNSUPPORTED' && error?.code !== 'NO_STREAMER';
}

async function putRows(length: number, write: RowWriter, first: boolean, context: Context): Promise<void> {
  const { out } = context;
  const put = (text: string): void => out.put(text);
  for (let row = 0; row < length; row++) {
    if (row > 0 || !first) out.put(',');
    write(row, put);
    if (row % 256 === 255) await out.drain();
  }
}

function writerOf(job: Job, column: Column): RowWriter {
  return job.raw ? hexWriter(column) : rowWriter(column);
}

/** Writes rows of bytes as texts of two hexadecimal digits each. */
function hexWriter(column: Column): RowWriter {
  if (column.kind !== 'list' || column.child.kind !== 'primitive') return rowWriter(column);
  const { offsets, child } = column;
  const { buffer, byteOffset, byteLength } = child.data;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return (row, put) => put(`"${bytes.toString('hex', offsets[row] ?? 0, offsets[row + 1] ?? 0)}"`);
}

/** The paths of branches as JSON keys; a path that occurs again gets its index. */
class BranchNames {
  readonly #seen = new Set<string>();

  next(branch: BranchInfo): string {
    const again = this.#seen.has(branch.path);
    const comma = this.#seen.size > 0 ? ',\n' : '\n';
    this.#seen.add(branch.path);
    return comma + JSON.stringify(again ? `${branch.path}#${branch.index}` : branch.path);
  }
}

function reason(error: ErrorRecord | undefined): string {
  return error?.message ?? 'no values came';
}

async function valuesText(job: Job): Promise<number> {
  const { out, err } = job.context;
  const { reader, info } = job.open;
  const { bounds, selection, choice } = job;
  const budget = 4 << 20;
  const bytes = job.branches.reduce((sum, b) => sum + b.totalBytes / Math.max(1, b.entries), 0);
  const rows = Math.max(1, Math.min(bounds[1] - bounds[0], MAX_ROWS, Math.ceil(budget / Math.max(1, bytes))));
  const told = new Set<number>();
  let status = 0;
  out.cells(['entry', ...job.branches.map((branch) => branch.path)]);
  // A tree may claim any number of entries; those that no branch has are not shown.
  const longest = job.branches.reduce((most, branch) => Math.max(most, branch.entries), 0);
  const end = Math.min(bounds[1], longest);
  const starts = job.tree.fileStarts ?? [];
  let unread = 0;
  let file = 0;
  for (let from = bounds[0], to = from; from < end; from = choice.next(to)) {
    // A part ends with its file, because a branch that fails in one file of a chain has no values in the whole part.
    const next = firstAbove(starts, from);
    to = Math.min(end, from + rows, starts[next] ?? end);
    if (next !== file) unread = 0;
    file = next;
    const part = sliceSelection(selection, from, to);
    const request = {
      tree: job.path,
      branches: job.branches.map((b) => b.index),
      entries: part,
      raw: job.raw,
    };
    const read = await reader.arrays(info.id, request);
    unread = read.every(({ column }) => (column?.length ?? 0) === 0) ? unread + 1 : 0;
    if (unread > MAX_UNREAD) {
      err.line(
        `Nothing could be read up to entry ${from}; the rest is left out. --entries ${from}: goes on.`,
      );
      break;
    }
    const numbers = entryNumbers(chooseEntries(part, end));
    for (const { branch, error } of read) {
      if (error === undefined || told.has(branch.index)) continue;
      told.add(branch.index);
      if (isMissing(error)) status = 1;
      err.line(`${branch.path}: ${withFileName(error)}`);
    }
    const writers = read.map(({ column }) => (column === undefined ? undefined : writerOf(job, column)));
    for (const [row, entry] of numbers.entries()) {
      out.put(String(entry));
      for (const [i, write] of writers.entries()) {
        out.put('\t');
        if (write === undefined || row >= (read[i]?.column?.length ?? 0)) out.put('?');
        else write(row, (text) => out.put(text));
      }
      out.line();
      await out.drain();
    }
  }
  for (const branch of job.branches) {
    if (told.has(branch.index) || choice.next(branch.entries) >= bounds[1]) continue;
    const { message, code } = fewerEntries(job.tree, branch);
    status = 1;
    err.line(`${message} [${code}]`);
  }
  return status;
}

/** `unread`: values of the branch are missing; without --json the exit status is 1 then. */
type DigestResult =
  | { branch: BranchInfo; flat: ReturnType<DigestBuilder['finish']>; missing?: string; unread?: boolean }
  | { branch: BranchInfo; error: string; missing?: undefined; unread?: boolean };

/** Only branches of numbers are read; others have no digest. */
async function* digests(job: Job): AsyncGenerator<DigestResult> {
  const numbers = job.branches.filter((branch) => branch.kind === 'number');
  for (const branch of job.branches) {
    if (branch.kind !== 'number') yield { branch, error: `${branch.typeName}: a digest is of numbers only` };
  }
  let builder = new DigestBuilder();
  let failure: string | undefined;
  let unread = false;
  for await (const { result, first, last } of results({ ...job, branches: numbers })) {
    const { branch, column, error } = result;
    if (first) {
      builder = new DigestBuilder();
      [failure, unread] = [undefined, false];
    }
    try {
      if (column === undefined) [failure, unread] = [failure ?? reason(error), isMissing(error)];
      else if (failure === undefined) builder.add(column);
    } catch (thrown) {
      const refused = toXylemError(thrown);
      [failure, unread] = [refused.message, isMissing(refused)];
    }
    if (!last) continue;
    if (failure !== undefined) yield { branch, error: failure, unread };
    else {
      const missing = result.missing?.message;
      yield { branch, flat: builder.finish(), ...(missing !== undefined && { missing, unread: true }) };
    }
  }
}

async function digestJson(job: Job): Promise<number> {
  const { out } = job.context;
  const names = new BranchNames();
  out.put(`{"entries": ${job.tree.entries}, "branches": {`);
  for await (const { branch, unread: _unread, ...what } of digests(job)) {
    out.put(`${names.next(branch)}: ${JSON.stringify(what)}`);
    await out.drain();
  }
  out.line('}}');
  return 0;
}

async function digestText(job: Job): Promise<number> {
  const { out, err } = job.context;
  let status = 0;
  out.cells(['branch', 'dtype', 'count', 'crc32', 'offsets_crc32']);
  for await (const found of digests(job)) {
    if (found.unread) status = 1;
    if (found.missing !== undefined) err.line(found.missing);
    const cells =
      'flat' in found
        ? [found.flat.dtype, String(found.flat.count), found.flat.crc32, found.flat.offsets_crc32 ?? '-']
        : [`error: ${found.error}`];
    out.cells([found.branch.path, ...cells]);
    await out.drain();
  }
  return status;
}
