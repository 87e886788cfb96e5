import type { TreeLayout } from '../../api/api';
import { chooseBranches } from '../../model/choose';
import type { Strategy } from '../simulate/simulate';
import { READ_AHEAD_BYTES } from '../simulate/simulate-blocks';
import { basketLayout, withNeeded } from '../simulate/simulate-layout';
import type { UseWork } from './fleet';
import type { DatasetModel, FleetModel, UseModel } from './model';
import { fileWork, type Step } from './steps';

/** The metadata of a real file that stands for all files of a data set. */
export interface DatasetFacts {
  layout: TreeLayout;
  fileBytes: number;
  /** Bytes that were read until the tree's metadata was there. */
  openingBytes: number;
}

/**
 * Requests that wait for each other while a file is opened: 3 of xylem; 6 of ROOT (head, list of keys, key of the
 * tree, its record, list of streamer infos, its key), as `strace` shows them for a file with one tree.
 */
const OPENING_TRIPS = { xylem: 3, others: 6 };

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
    return { dataset, reads, work: workOf(use, facts[dataset] as DatasetFacts), share: use.share };
  });
}

function workOf(use: UseModel, { layout, fileBytes, openingBytes }: DatasetFacts) {
  const { tree } = layout;
  const chosen = chooseBranches(tree, use.branches.length > 0 ? use.branches : undefined);
  const branches = withNeeded(tree, chosen).map(({ index }) => index);
  const entries = { from: 0, to: Math.max(1, Math.round(tree.entries * use.part)), step: 1 };
  const strategy = strategyOf(use.read);
  const opening: Step = {
    trips: strategy.kind === 'xylem' ? OPENING_TRIPS.xylem : OPENING_TRIPS.others,
    bytes: openingBytes,
    pieces: [{ offset: Math.max(0, fileBytes - openingBytes), length: openingBytes }],
    cpuMs: 0,
  };
  return fileWork(basketLayout(layout), { branches, entries }, strategy, use.cpu, { fileBytes, opening });
}

/** The way of reading that a model names. */
function strategyOf(read: string): Strategy {
  if (read === 'none' || read === 'xylem') return { kind: read };
  if (read === 'readahead') return { kind: 'readahead', bytes: READ_AHEAD_BYTES };
  return { kind: 'cache', bytes: Number(read.slice('cache:'.length)) * 1e6 };
}
