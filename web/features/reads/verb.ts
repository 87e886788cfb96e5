import type { BranchInfo, EntrySelection, PartialNote, TreeInfo, TreeLayout } from '../../api/api';
import type { NamedLink } from '../../api/doctor';
import type { FileUse, PerfReport, Reading } from '../../api/reading';
import type { HealLevel } from '../../api/write';
import { unsupported } from '../../base/data-errors';
import { argumentError, XylemError } from '../../base/errors';
import { formatCount } from '../../base/format';
import { flag, listOf, needed, oneOf, optional, POSITIVE, TEXT, type ValuesOf } from '../../base/shape';
import { chooseBranches } from '../../model/choose';
import { chooseEntries } from '../../model/entry-choice';
import { withNeeded } from '../../reads/basket-layout';
import { branchesRead } from '../../reads/branches-read';
import { storedReading } from '../../reads/perfstats';
import { perfReport } from '../../reads/place';
import { xylemCost, xylemReads } from '../../reads/planned';
import { readingsOf } from '../../reads/readings-of';
import { usedBranches } from '../../reads/use';
import { branchesCost } from '../../verbs/branches-cost';
import { BRANCHES, CHAIN_TEXT, CHOSEN_ENTRIES, USE } from '../../verbs/params';
import { namedReadings, savedReport } from '../../verbs/readings';
import { onlyTree, treeOf, treePaths } from '../../verbs/trees';
import { type VerbCall, type VerbFile, verb } from '../../verbs/verb';
import { columnReads } from '../traces/work/columns-read';
import { type Used, type UsesReport, usedOf, usedOfAll, usesReport } from '../traces/work/uses';
import { columnsTable } from '../traces/work/uses-report';
import { DISK } from '../whatif/work/layout-costs';
import { PROGRAM, PROGRAM_WORDS, programOf, refuseOther, type Strategy } from '../whatif/work/programs';
import { PERF_NUMBERS } from './work/perf-numbers';
import { readingReport, tracesReport } from './work/reads-report';
import { warmthText } from './work/warmth';

/** A reading, and the layout of its tree if that was read. */
interface Measured {
  report: PerfReport;
  layout?: TreeLayout | undefined;
  /** Another reading, laid over it. */
  compare?: PerfReport | undefined;
  /** Another reading, beside it. */
  after?: PerfReport | undefined;
}

/** The readings of traces, and what each used of a tree. */
interface Matched {
  used: [Used, ...Used[]];
  uses: UsesReport;
  layout: TreeLayout;
}

const PARAMS = {
  branches: BRANCHES,
  export: flag('read the branches block by block, as "export" does, and not as "summary" does'),
  draw: { ...USE.draw, about: 'read as "draw" does: the branches of this expression' },
  cut: USE.cut,
  selector: { ...USE.selector, about: 'read as "process" does: run this selector over the entries' },
  ...CHOSEN_ENTRIES,
  file: needed(
    TEXT,
    'FILE',
    'puts the reads of traces to the branches of this file, and says what they read without need and what is better',
  ),
  tree: optional(
    TEXT,
    'TREE',
    'with --file: the tree, where it has several; by default the one that was read most',
  ),
  trace: optional(
    listOf(TEXT, undefined, 1),
    'TRACE',
    'Paths of traces, of which the reads of the file are told.',
  ),
  as: optional(
    listOf(PROGRAM, 2, 1),
    'PROGRAM',
    `do not read: simulate how a program would read, from the metadata alone: ${PROGRAM_WORDS}. Two of them are shown side by side`,
  ),
  healed: optional(
    oneOf('clusters', 'order', 'rebasket'),
    'LEVEL',
    'with --as: beside it the reading of the file as "heal" would write it at this level, which it does not (of joined baskets some MB are read and compressed, for their sizes); of two programs, the second reads that',
  ),
  latency: optional(
    POSITIVE,
    'MS',
    'with --as: round trip of a link; without it and --bandwidth, a disk with seeks of 5 ms',
  ),
  bandwidth: optional(POSITIVE, 'MBIT', 'with --as: bandwidth of the link in Mbit/s; default 100'),
  compare: optional(TEXT, 'SAVED', 'another reading of the same file, laid over this one'),
  columns: flag(
    'also a row for each branch, or for each column of the fields of an RNTuple: baskets or pages, and bytes',
  ),
};

type Asked = ValuesOf<typeof PARAMS>;

export const perf = verb({
  name: 'perf',
  words: ['FILE [TREE]', 'TRACE… --file FILE [--tree TREE]'],
  about: `Reads branches of a tree as "summary" does, or as --draw, --export or --selector say, and tells how: the numbers of
TTreePerfStats, and with --svg the pattern of the reads as TTreePerfStats draws it. Without TREE, FILE may also be a reading: what --save or --json wrote, or a file in which ROOT
saved a TTreePerfStats.
TRACE is also what other programs record: an access log, a HAR file, strace, XrdCl, XCache, fsspec: docs/features/traces.md.
${CHAIN_TEXT}`,
  examples: [
    ['sample.root Events --branches Muon_pt', 'how a branch is read'],
    ['sample.root Events --svg reads.svg', 'the pattern of all branches as a picture'],
  ],
  params: PARAMS,
  notes: PERF_NUMBERS.map(({ name, meaning }) => `  ${name.padEnd(10)} ${meaning}`).join('\n'),
  json: `{"format": "xylem perf 1", "by": "xylem" or "ROOT", "file", "tree", "numbers": {"treeCache", "leaves",
"readTotal", …}, "chosen": [branches], "reads": [{"entry", "offset", "length", …}, …]}, as --save writes it. With --columns
or --file also "columns": [{"path", "column", "type", "pages", "pagesRead", "storedBytes", "readBytes", "againBytes",
"calls"}, …]; with --file a list of one such for each reading, with "use".`,
  wrong({ trace, compare, export: blocks, draw, selector, as: programs, healed, latency, bandwidth }) {
    if (programs) {
      if (programs.length > 2) return '--as takes at most 2 programs.';
      if (trace || compare) return '--as does not go with --file and --compare.';
      if (blocks || selector !== undefined) return '--as does not go with --export and --selector.';
      const isXylem = programOf(programs.at(-1) ?? '')?.kind === 'xylem';
      return healed && isXylem
        ? '--healed is for other programs than xylem, which would have to read that file.'
        : undefined;
    }
    if (healed ?? latency ?? bandwidth) return '--healed, --latency and --bandwidth go with --as.';
    if (trace && compare) return '--file does not take --compare.';
    const isOther = draw !== undefined || selector !== undefined;
    return blocks && isOther ? '--export does not go with --draw and --selector.' : undefined;
  },
  run: (asked, call) =>
    asked.trace !== undefined
      ? matched(asked, asked.trace, call)
      : asked.as !== undefined
        ? simulated(asked, asked.as, call)
        : measured(asked, call),
  report(result, { columns }) {
    const { layout } = result;
    if ('used' in result) return tracesReport(result.uses, result.used, result.layout);
    const { report, compare = result.after } = result;
    const table =
      columns && layout
        ? columnsTable(columnReads(report, layout), layout, new Set(branchesRead(report, layout)))
        : undefined;
    return readingReport(compare === undefined ? [report] : [report, compare], table);
  },
  toJson(result, { columns }) {
    if ('used' in result) {
      const { used, layout } = result;
      return JSON.stringify(
        used.map(({ report, use }) => ({ ...report, use, columns: namedColumns(report, layout) })),
      );
    }
    const { report, layout, after } = result;
    const whole = { ...report, columns: columns && layout ? namedColumns(report, layout) : undefined };
    return JSON.stringify(after ? [whole, after] : whole, null, 1);
  },
  outputs: {
    save: {
      about: 'save the reading as JSON in the file OUT',
      form: 'json',
      async make(result) {
        if ('used' in result && result.used.length > 1)
          throw argumentError(
            `There are ${formatCount(result.used.length)} readings, and a file of one was asked for.`,
            'Take --json, which has all of them.',
          );
        return JSON.stringify(firstOf(result), null, 1);
      },
    },
    svg: { about: 'write the pattern of the reads to OUT ("-" is stdout)', make: patternText },
    waterfall: {
      about: 'write the reads along the axis of time to OUT',
      make: async (result) => (await import('./work/read-svg')).waterfallSvg(firstOf(result)),
    },
    'trace-events': {
      about: 'write the reads along the axis of time as JSON that Perfetto and chrome://tracing open',
      form: 'json',
      make: async (result) =>
        JSON.stringify((await import('../traces/work/trace-events')).traceEvents(firstOf(result))),
    },
  },
  tool: {
    title: 'How branches are read',
    description:
      'Reads branches and tells how: the numbers of TTreePerfStats, and with columns what was read of each branch. Of a file in which ROOT saved a TTreePerfStats, its numbers.',
    without: ['entryList', 'sample', 'seed', 'trace', 'compare', 'selector'],
    text: true,
    cost: ({ file, ...asked }, call) =>
      call.withFile(file, async (open) => {
        const saved = asked.tree === undefined && (await savedIn(open));
        return saved ? { bytes: 0, requests: 0, what: file } : branchesCost(open, asked, call);
      }),
  },
});

const firstOf = (result: Measured | Matched): PerfReport =>
  'used' in result ? result.used[0].report : result.report;

/** The pattern of one reading; of several, which branches each used. */
async function patternText(result: Measured | Matched): Promise<string> {
  if (!('used' in result) || result.used.length === 1) {
    const { patternSvg, patternsSvg } = await import('./work/read-svg');
    if (!('used' in result) && result.after) return patternsSvg(result.report, result.after);
    return patternSvg(firstOf(result), 'used' in result ? undefined : result.compare);
  }
  const [{ useDrawing }, { drawingSvg }] = await Promise.all([
    import('../traces/work/use-drawing'),
    import('../../plot/drawing/drawing'),
  ]);
  const uses = result.used.flatMap(({ report: { by }, use }) => (use === undefined ? [] : [{ by, use }]));
  return drawingSvg(useDrawing(uses, result.layout.tree));
}

/** The columns of a reading, with the paths of their branches. */
const namedColumns = (report: PerfReport, layout: TreeLayout) =>
  columnReads(report, layout).map(({ branch, ...column }) => ({
    path: layout.tree.branches[branch]?.path,
    ...column,
  }));

/** A saved reading; else the named tree, or the file's only one, is read. */
async function measured(asked: Asked, call: VerbCall): Promise<Measured> {
  const { file, tree, compare: other, columns } = asked;
  const compare = other === undefined ? undefined : savedReport(await namedReadings(other, call), other);
  const saved = (report: PerfReport): Measured => {
    // It has no places of baskets.
    if (columns) throw call.misused('--columns needs the file that was read: --file FILE.');
    return { report, compare };
  };
  const readings = tree === undefined ? await call.trace(file) : undefined;
  if (readings !== undefined) return saved(savedReport(readings, file));
  return await call.withFile(file, async (open) => {
    const stored = tree === undefined ? await savedIn(open) : undefined;
    return stored ? saved(stored) : { ...(await measure(open, asked, call)), compare };
  });
}

/** The TTreePerfStats of a file that was not named with a tree. */
const savedIn = async ({ reader, info, ownTree }: VerbFile): Promise<PerfReport | undefined> =>
  ownTree === undefined ? await storedReading(reader, info.id) : undefined;

async function measure(open: VerbFile, { tree: name, ...asked }: Asked, call: VerbCall) {
  const { reader, info } = open;
  const { branches, draw, cut, selector } = asked;
  // Before anything but the opening has read.
  const held = await call.pageCacheBytes?.(open.path);
  const use = (await call.useOf({ branches, draw, cut, selector }))(info);
  const before = call.cpuMs?.() ?? 0;
  const layout = await reader.layout(info.id, name ?? (await onlyTree(open)));
  const { tree } = layout;
  const chosen = use ? (usedBranches(use, layout)?.branches ?? []) : chooseBranches(tree, undefined);
  const entries = await call.entriesOf(asked, tree.entries);
  const how = await readAs(open, { tree, chosen, entries, use, isExport: asked.export === true }, call);
  const cpuMs = call.cpuMs && call.cpuMs() - before;
  // From the opening on, because the head of a file may hold baskets.
  const { reads, facts = [], ...head } = perfReport(info.name, layout, await reader.trace(info.id), cpuMs);
  const isLocal = !/^[a-z][\w+.-]*:\/\//i.test(open.path);
  const warmth = warmthText({ isLocal, size: info.size, held }, await reader.traceSummary(info.id));
  const told = [['Read as', how] as const, ['Cold or warm', warmth] as const];
  const more = { facts: [...told, ...facts], chosen: chosen.map(({ path }) => path) };
  return { report: { ...head, ...more, reads }, layout };
}

/** Says how one or two programs would read, the second of them perhaps the healed file. */
async function simulated(asked: Asked, words: readonly string[], call: VerbCall): Promise<Measured> {
  const { file, tree: name, healed, latency, bandwidth, branches, draw, cut } = asked;
  const { plannedReport, simulatedReport } = await import('./work/simulated');
  const useOf = await call.useOf({ branches, draw, cut });
  return await call.withFile(file, async (open): Promise<Measured> => {
    if (open.isChain) throw call.misused('--as is for one file: offsets in several are not those of one.');
    const { reader, info, path } = open;
    const layout = await reader.layout(info.id, await treeOf(open, name));
    const { tree } = layout;
    const use = useOf(info);
    const chosen = use ? (usedBranches(use, layout)?.branches ?? []) : chooseBranches(tree, undefined);
    const selection = await call.entriesOf(asked, tree.entries);
    const from = latency === undefined && bandwidth === undefined ? DISK : linkOf({ latency, bandwidth });
    const reading = {
      ...{ file: info.name, layout, from, entries: chooseEntries(selection, tree.entries) },
      branches: withNeeded(tree, chosen, layout.source).map(({ index }) => index),
    };
    const reportOf = async (word: string): Promise<PerfReport> => {
      const program = programOf(word) ?? { kind: 'none' };
      refuseOther(program, tree.kind);
      if (program.kind !== 'xylem') return simulatedReport(reading, program);
      const request = draw
        ? { draw: { tree: tree.path, expr: draw, cut, entries: selection } }
        : {
            summarize: {
              tree: tree.path,
              branches: chosen.map(({ index }) => index),
              entries: selection,
              details: true,
            },
          };
      const kind = from.isDisk ? 'local' : path.startsWith('root') ? 'root' : 'parts';
      return plannedReport(
        reading,
        await xylemReads({ reader, info, request, kind }, from, { signal: call.signal }),
      );
    };
    const [first = '', last = first] = words;
    const report = await reportOf(first);
    if (healed === undefined)
      return { report, layout, after: last === first ? undefined : await reportOf(last) };
    const program = programOf(last);
    const better = await healedLayout(open, healed, layout, call);
    refuseOther(program ?? { kind: 'none' }, tree.kind);
    const after = { ...reading, layout: better, form: `healed (${healed})` };
    return { report, layout, after: simulatedReport(after, program as Strategy) };
  });
}

/** Returns the layout that a tree will have when the file is healed. Nothing is written. */
async function healedLayout(
  { planHeal, info }: VerbFile,
  level: HealLevel,
  { tree }: TreeLayout,
  { signal, onProgress }: VerbCall,
): Promise<TreeLayout> {
  if (planHeal === undefined) throw unsupported('Files are not written here.');
  const { trees } = await planHeal({ level, layouts: true, signal, onProgress });
  const found = trees.find(({ path }) => path === tree.path)?.layoutAfter;
  if (found !== undefined) return found;
  throw new XylemError({
    code: 'NOT_FOUND',
    message: `${tree.path} is not the newest cycle of a tree of ${info.name}: only that is healed.`,
  });
}

const linkOf = ({ latency = 20, bandwidth = 100 }: Pick<Asked, 'latency' | 'bandwidth'>): NamedLink => ({
  name: `${latency} ms, ${bandwidth} Mbit/s`,
  latencyMs: latency,
  bytesPerMs: bandwidth * 125,
});

/** The entries that are read, and the way of reading. */
interface Reads {
  tree: TreeInfo;
  chosen: readonly BranchInfo[];
  entries: EntrySelection | undefined;
  use: FileUse | undefined;
  isExport: boolean;
}

/** Reads by the call that a command makes, without its results, and returns the name of the command. */
async function readAs({ reader, info }: VerbFile, reads: Reads, call: VerbCall): Promise<string> {
  const { tree, chosen, entries, use, isExport } = reads;
  const { signal, onProgress } = call;
  const options = { signal, onProgress };
  const request = { tree: tree.path, entries };
  const note = ({ partial }: { partial?: PartialNote | undefined }): void => {
    for (const { message } of partial?.errors ?? []) call.note(message);
  };
  if (use?.draw) {
    note(await reader.draw(info.id, { ...request, ...use.draw }, options));
    return 'draw';
  }
  if (use?.selector?.module) {
    note(await reader.process(info.id, { ...request, module: use.selector.module }, options));
    return 'process';
  }
  const branches = chosen.map(({ index }) => index);
  if (isExport) {
    const { readChunks } = await import('../../export/chunks');
    for await (const _ of readChunks(reader, info.id, { ...request, branches }, options));
    return 'export';
  }
  const results = await reader.summarize(info.id, { ...request, branches, details: true }, options);
  for (const { branch, error, missing = error } of results)
    if (missing !== undefined) call.note(`${branch.path}: ${missing.message}`);
  return 'summary';
}

/** Matches traces to a file. */
async function matched({ file, tree }: Asked, traces: readonly string[], call: VerbCall): Promise<Matched> {
  const readings: Reading[][] = [];
  for (const trace of traces) readings.push(await namedReadings(trace, call));
  return await call.withFile(file, async (open) => {
    const { path: name, info } = open;
    const own = readings.flatMap((some) => readingsOf(some, { name, size: info.size }));
    const layout = await layoutRead(open, own, tree, call);
    const used = usedReadings(own, layout, call);
    const uses = await usesReport(used, layout, file, (branches, entries, link) => {
      const request = { summarize: { tree: layout.tree.path, branches, entries } };
      return xylemCost({ reader: open.reader, info, request }, link);
    });
    return { used, uses, layout };
  });
}

/** The layout of the named tree; else of the only one, or of the one of whose branches most was read. */
async function layoutRead(
  open: VerbFile,
  readings: readonly Reading[],
  name: string | undefined,
  call: VerbCall,
): Promise<TreeLayout> {
  const { reader, info } = open;
  const paths = name === undefined && open.ownTree === undefined ? await treePaths(open) : [];
  if (paths.length < 2) return await reader.layout(info.id, await treeOf(open, name));
  let most = 0;
  let found: TreeLayout | undefined;
  for (const path of paths) {
    const layout = await reader.layout(info.id, path);
    const bytes = usedOfAll(readings, layout).reduce((sum, { use }) => sum + (use?.wantedBytes ?? 0), 0);
    if (bytes > most) [most, found] = [bytes, layout];
  }
  if (found !== undefined) return found;
  throw call.misused(`The reads are of none of the ${paths.length} trees: name one with --tree.`);
}

/** The readings that read the tree; a program that opens a file twice may read it once only. Throws as `usedOf`. */
function usedReadings(readings: readonly Reading[], layout: TreeLayout, call: VerbCall): Matched['used'] {
  const used: Used[] = [];
  let without: unknown;
  for (const reading of readings) {
    try {
      used.push(usedOf(reading, layout));
    } catch (thrown) {
      if (!(thrown instanceof XylemError) || thrown.code !== 'ARGUMENT') throw thrown;
      without = thrown;
    }
  }
  const [first, ...others] = used;
  if (first === undefined) throw without;
  const left = readings.length - used.length;
  if (left > 0)
    call.note(
      `${formatCount(left)} of ${formatCount(readings.length)} readings read no basket of ${layout.tree.path}, and are left out`,
    );
  return [first, ...others];
}
