import type { BranchInfo, FileId, TreeInfo, TreeLayout } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import type { FileUse, Reading } from '../../../api/reading';
import { XylemError } from '../../../base/errors';
import { protocolOf } from '../../../io/schemes';
import type { Range } from '../../../io/source';
import { basketLayout, withNeeded } from '../../../reads/basket-layout';
import { usedBranches } from '../../../reads/use';
import { callsOf } from '../../traces/work/columns-read';
import { READ_AHEAD_BYTES } from '../../whatif/work/programs';
import type { UseWork } from './fleet';
import type { DatasetModel, FleetModel, LinkModel, UseModel } from './model';
import { recordedJobs } from './recorded-jobs';
import { type FileWork, fileWork, type JobProgram, type Step } from './steps';

/** The metadata of a real file, which all files of a data set share. */
export interface DatasetFacts {
  layout: TreeLayout;
  name: string;
  fileBytes: number;
  /** The list of keys, and the streamer infos. */
  keys: Range;
  streamers: Range;
}

/** Reads the metadata of a tree in an open file. Rejects with XylemError. */
export async function datasetFacts(
  api: EngineApi,
  file: { id: FileId; name: string; size: number },
  tree: string,
): Promise<DatasetFacts> {
  const layout = await api.layout(file.id, tree);
  const { records } = await api.records(file.id);
  const placeOf = (wanted: string): Range => {
    const { offset, length } = records.find(({ kind }) => kind === wanted) ?? { offset: 0, length: 0 };
    return { offset, length };
  };
  return {
    layout,
    name: file.name,
    fileBytes: file.size,
    keys: placeOf('keys'),
    streamers: placeOf('streamers'),
  };
}

/** Reads the files that a model names, each at most once: metadata of data sets, and traces and selectors of uses. */
export interface FleetSources {
  facts(dataset: DatasetModel): Promise<DatasetFacts>;
  /**
   * Returns the use of a selector or a trace, and the readings of a trace. Rejects with XylemError if these cannot be
   * read.
   */
  use(use: UseModel, facts: DatasetFacts): Promise<{ use: FileUse; readings?: readonly Reading[] }>;
}

export async function fleetWorks(model: FleetModel, sources: FleetSources): Promise<UseWork[]> {
  const facts: DatasetFacts[] = [];
  for (const dataset of model.datasets) facts.push(await sources.facts(dataset));
  const alike = new Map<string, number>();
  const works: UseWork[] = [];
  for (const use of model.uses) {
    const dataset = model.datasets.findIndex(({ name }) => name === use.dataset);
    const known = facts[dataset] as DatasetFacts;
    const { name: _name, share, cpu: _cpu, ...what } = use;
    const isFile = use.selector !== '' || use.trace !== '';
    const given = isFile ? await sources.use(use, known) : { use: useOf(use) };
    const jobs =
      use.read === 'recorded' && given.readings !== undefined
        ? recordedJobs(given.readings, known.layout)
        : [];
    // A recorded job is one of those in the trace.
    const asked = jobs.length > 0 ? jobs.map((reading) => ({ ...given.use, reading })) : [given.use];
    for (const [i, one] of asked.entries()) {
      const key = JSON.stringify([what, i]);
      const reads = alike.get(key) ?? alike.size;
      alike.set(key, reads);
      works.push({ dataset, reads, work: worksOf(use, one, known), share: share / asked.length });
    }
  }
  return works;
}

/** Returns the use that a model describes without other files. */
function useOf({ name, branches, draw, cut }: UseModel): FileUse {
  if (draw !== '') return { name, draw: { expr: draw, cut } };
  return { name, branches: branches.length > 0 ? branches : undefined };
}

/**
 * Returns the work of a use over a link. Xylem plans its requests by the link; other programs read the same on every
 * link.
 */
function worksOf(use: UseModel, asked: FileUse, facts: DatasetFacts): UseWork['work'] {
  const { layout, fileBytes } = facts;
  const { tree } = layout;
  const used = usedBranches(asked, layout);
  if (used === undefined) throw unusable(use, `reads no branch of ${tree.path}`, 'NOT_FOUND');
  const needed = used.recorded ? used.branches : withNeeded(tree, used.branches, layout.source);
  const branches = needed.map(({ index }) => index);
  const entries = { from: 0, to: Math.max(1, Math.round(tree.entries * use.part)), step: 1 };
  const program = programOf(use, asked, tree.kind);
  if (program.kind === 'jsroot' && !used.recorded) refuseUnread(use, used.branches, layout);
  const baskets = basketLayout(layout);
  const known = new Map<string, FileWork>();
  return ({ latencyMs, mbitPerS }: LinkModel) => {
    const key = program.kind === 'xylem' ? `${latencyMs} ${mbitPerS}` : '';
    const before = known.get(key);
    if (before !== undefined) return before;
    const work = fileWork(baskets, { branches, entries }, program, use.cpu, {
      fileBytes,
      ...openingOf(program, facts, latencyMs),
      link: { latencyMs, bytesPerMs: mbitPerS * 125 },
      startMs: use.startMs,
    });
    known.set(key, work);
    return work;
  };
}

/** Round-trip time in ms above which xylem requests the end of a file together with its head. */
const FAR_MS = 50;
/**
 * Bytes that xylem and other programs read at the start of a file, and that xylem reads before the metadata at its
 * end.
 */
const XYLEM_HEAD = 65_536;
const HEAD = 403;
const JSROOT_HEAD = 400;
const BEFORE_TAIL = 256 * 1024;
/** Bytes of the fixed part of a key, and of the whole key of the streamer infos. */
const KEY_HEAD = 34;
const STREAMERS_KEY = 64;

/** Returns the reads for opening and closing a file, as real programs make them: see docs/features/fleet.md. */
function openingOf(
  program: JobProgram,
  facts: DatasetFacts,
  latencyMs: number,
): { opening: Step[]; closing: Step[] } {
  const { layout, fileBytes, keys, streamers } = facts;
  const { offset, length } = layout.record;
  const record = { offset, length };
  const within = ({ offset, length }: Range): Range => ({
    offset,
    length: Math.max(0, Math.min(length, fileBytes - offset)),
  });
  const step = (...ranges: Range[]): Step => {
    const pieces = ranges.map(within).filter(({ length }) => length > 0);
    return { trips: 1, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0), pieces, cpuMs: 0 };
  };
  // The trace includes all reads of its job.
  if (program.kind === 'recorded') return { opening: [{ ...step(), opens: true }], closing: [] };
  const head = (bytes: number) => step({ offset: 0, length: bytes });
  if (program.kind === 'uproot') {
    // For later files a process already knows the classes.
    const { offset, length } = streamers;
    const described = [
      { offset, length: KEY_HEAD },
      { offset: offset + STREAMERS_KEY, length: length - STREAMERS_KEY },
    ];
    const classes =
      length > STREAMERS_KEY ? described.map((range) => ({ ...step(range), isFirst: true })) : [];
    return { opening: [head(HEAD), step(keys), step(record), ...classes], closing: [] };
  }
  if (program.kind === 'jsroot') {
    // Keys and streamer infos together, then these again without their key, and the tree's record.
    const described = step(...[keys, streamers].sort((a, b) => a.offset - b.offset));
    // For an RNTuple this record is the anchor.
    const [header, footer, pages] = layout.parts;
    const ntuple = header && footer && pages ? [step(header, footer), step(pages)] : [];
    return { opening: [head(JSROOT_HEAD), described, step(streamers), step(record), ...ntuple], closing: [] };
  }
  if (program.kind === 'xylem') {
    const places = [keys, streamers].filter((place) => place.length > 0);
    const first = places.reduce((least, place) => Math.min(least, place.offset), fileBytes);
    const from = Math.max(0, first - BEFORE_TAIL);
    const tail = { offset: from, length: fileBytes - from };
    const both =
      latencyMs > FAR_MS ? [step({ offset: 0, length: XYLEM_HEAD }, tail)] : [head(XYLEM_HEAD), step(tail)];
    return { opening: offset >= from ? both : [...both, step(record)], closing: [] };
  }
  const opens: Step = { ...step(), opens: true };
  const described =
    layout.tree.kind === 'RNTuple'
      ? ntupleOpening(facts, step)
      : [head(HEAD), step(keys), step(streamers), step(), step(record)];
  return { opening: [opens, ...described], closing: [step()] };
}

/** Bytes that ROOT reads at once over root:// for the description of an RNTuple. */
const NTUPLE_BLOCK = 131_072;

/**
 * Returns the reads for opening an RNTuple in ROOT, which does so without a TFile: head, keys, anchor and page lists
 * in blocks, of which the last is kept; then, after asking for the server's limits, header and footer together.
 */
function ntupleOpening({ layout, keys }: DatasetFacts, step: (...ranges: Range[]) => Step): Step[] {
  let block = Number.NEGATIVE_INFINITY;
  const blockAt = ({ offset, length }: Range): Step[] => {
    if (offset >= block && offset + length <= block + NTUPLE_BLOCK) return [];
    block = offset;
    return [step({ offset, length: Math.max(length, NTUPLE_BLOCK) })];
  };
  const [header = keys, footer = keys, ...lists] = layout.parts;
  const { offset, length } = layout.record;
  const steps = [{ offset: 0, length: HEAD }, keys, { offset, length }].flatMap(blockAt);
  steps.push(step(), step(header, footer));
  return [...steps, ...lists.flatMap(blockAt)];
}

/** Types of JSROOT's fields that have columns and subfields. */
const JSROOT_COLLECTION = /^std::((unordered_)?(multi)?(map|set)|vector|variant)/;

/**
 * Throws UNSUPPORTED for fields of an RNTuple that JSROOT 7.11 cannot read: projected fields, members given by path,
 * and collections other than those of the standard library, whose offsets it would take for values.
 */
function refuseUnread(use: UseModel, chosen: readonly BranchInfo[], layout: TreeLayout): void {
  const { tree, basketStart, source } = layout;
  if (tree.kind !== 'RNTuple') return;
  const refuse = (path: string, why: string) => {
    throw unusable(use, `reads ${path} with jsroot, which JSROOT 7.11 does not read: ${why}`, 'UNSUPPORTED');
  };
  for (const { index, path, depth } of chosen) {
    if ((source?.[index] ?? -1) >= 0) refuse(path, 'it is projected');
    if (depth > 0) refuse(path, 'it is a part of another field');
    for (let i = index; i === index || (tree.branches[i]?.depth ?? 0) > depth; i++) {
      const field = tree.branches[i];
      const hasColumns = basketStart[i] !== basketStart[i + 1];
      const hasFields = (tree.branches[i + 1]?.depth ?? 0) > (field?.depth ?? 0);
      if (field && hasColumns && hasFields && !JSROOT_COLLECTION.test(field.typeName))
        refuse(path, `${field.path} is of the type ${field.typeName}`);
    }
  }
  if (layout.parts.length > 3)
    throw unusable(
      use,
      `reads ${tree.path} with jsroot, which reads only its first list of pages`,
      'UNSUPPORTED',
    );
}

/** Returns the program that a model names. Throws UNSUPPORTED for one that cannot read this kind of tree. */
function programOf(use: UseModel, { reading }: FileUse, of: TreeInfo['kind']): JobProgram {
  const read = use.read || (of === 'RNTuple' ? 'pool' : 'cache:30');
  const other = of === 'RNTuple' ? read.startsWith('cache:') : read === 'pool';
  if (other) {
    const instead = of === 'RNTuple' ? 'pool' : 'cache:30';
    throw unusable(use, `has read "${read}", which does not read ${of}s: take ${instead}`, 'UNSUPPORTED');
  }
  if (read === 'none' || read === 'pool' || read === 'xylem' || read === 'uproot') return { kind: read };
  if (read === 'readahead') return { kind: 'readahead', bytes: READ_AHEAD_BYTES };
  if (read === 'recorded') {
    const reads = reading === undefined ? [] : callsOf(reading);
    return { kind: 'recorded', reads, isXrootd: protocolOf(reading?.file ?? '') === 'xrootd' };
  }
  const [kind, number] = read.split(':');
  if (kind === 'jsroot') return { kind, ranges: number === undefined ? undefined : Number(number) };
  return { kind: 'cache', bytes: Number(number) * 1e6 };
}

function unusable({ name }: UseModel, why: string, code: 'NOT_FOUND' | 'UNSUPPORTED'): XylemError {
  return new XylemError({ code, message: `The use "${name}" ${why}.` });
}
