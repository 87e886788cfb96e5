import type { FileId, TreeLayout } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import type { Range } from '../../io/source';
import { chooseBranches } from '../../model/choose';
import { READ_AHEAD_BYTES } from '../simulate/simulate-blocks';
import { basketLayout, withNeeded } from '../simulate/simulate-layout';
import type { UseWork } from './fleet';
import type { DatasetModel, FleetModel, LinkModel, UseModel } from './model';
import { type FileWork, fileWork, type Program, type Step } from './steps';

/** The metadata of a real file that stands for all files of a data set. */
export interface DatasetFacts {
  layout: TreeLayout;
  fileBytes: number;
  /** The list of keys, and the streamer infos. */
  keys: Range;
  streamers: Range;
}

/** Reads the metadata of a tree in an open file. Rejects with XylemError. */
export async function datasetFacts(
  api: EngineApi,
  file: { id: FileId; size: number },
  tree: string,
): Promise<DatasetFacts> {
  const layout = await api.layout(file.id, tree);
  const { records } = await api.records(file.id);
  const placeOf = (wanted: string): Range => {
    const { offset, length } = records.find(({ kind }) => kind === wanted) ?? { offset: 0, length: 0 };
    return { offset, length };
  };
  return { layout, fileBytes: file.size, keys: placeOf('keys'), streamers: placeOf('streamers') };
}

/** The work of each use of a model. `factsOf` reads the metadata of a data set; it is asked once for each. */
export async function fleetWorks(
  model: FleetModel,
  factsOf: (dataset: DatasetModel) => Promise<DatasetFacts>,
): Promise<UseWork[]> {
  const facts: DatasetFacts[] = [];
  for (const dataset of model.datasets) facts.push(await factsOf(dataset));
  const alike = new Map<string, number>();
  return model.uses.map((use): UseWork => {
    const dataset = model.datasets.findIndex(({ name }) => name === use.dataset);
    const key = JSON.stringify([dataset, use.branches, use.part, use.read]);
    const reads = alike.get(key) ?? alike.size;
    alike.set(key, reads);
    return { dataset, reads, work: worksOf(use, facts[dataset] as DatasetFacts), share: use.share };
  });
}

/** The work of a use on a link. Xylem plans its requests by the link; others read alike on all. */
function worksOf(use: UseModel, facts: DatasetFacts): UseWork['work'] {
  const { layout, fileBytes } = facts;
  const { tree } = layout;
  const chosen = chooseBranches(tree, use.branches.length > 0 ? use.branches : undefined);
  const branches = withNeeded(tree, chosen, layout.source).map(({ index }) => index);
  const entries = { from: 0, to: Math.max(1, Math.round(tree.entries * use.part)), step: 1 };
  const program = programOf(use.read);
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
    });
    known.set(key, work);
    return work;
  };
}

/** A round trip, in ms, from which on xylem asks for the end of a file together with its head. */
const FAR_MS = 50;
/** Bytes that xylem and others read of the head of a file, and xylem before the metadata at its end. */
const XYLEM_HEAD = 65_536;
const HEAD = 403;
const BEFORE_TAIL = 256 * 1024;

/** The reads by which a file is opened and closed, as real programs do it: see docs/fleet.md. */
function openingOf(
  program: Program,
  { layout, fileBytes, keys, streamers }: DatasetFacts,
  latencyMs: number,
): { opening: Step[]; closing: Step[] } {
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
  const head = (bytes: number) => step({ offset: 0, length: bytes });
  if (program.kind === 'uproot') return { opening: [head(HEAD), step(keys), step(record)], closing: [] };
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
  // ROOT reads an RNTuple without a TFile: its anchor, header, footer, and page lists.
  const described =
    layout.tree.kind === 'RNTuple'
      ? [step(keys), step(record), ...layout.parts.map((part) => step(part))]
      : [step(keys), step(streamers), step(), step(record)];
  return { opening: [opens, head(HEAD), ...described], closing: [step()] };
}

/** The program that a model names. */
function programOf(read: string): Program {
  if (read === 'none' || read === 'pool' || read === 'xylem' || read === 'uproot') return { kind: read };
  if (read === 'readahead') return { kind: 'readahead', bytes: READ_AHEAD_BYTES };
  return { kind: 'cache', bytes: Number(read.slice('cache:'.length)) * 1e6 };
}
