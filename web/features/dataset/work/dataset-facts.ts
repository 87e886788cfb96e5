import type { BranchInfo, CallOptions, FileInfo } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { toXylemError, XylemError } from '../../../base/errors';
import { compressionName } from '../../../core/compression';
import { isTree } from '../../../model/keys';
import type { DatasetFile, DatasetTree } from './dataset';
import { LumiCollector, type LumiRange } from './lumi-ranges';

/** Names of branches with the run number in NanoAOD, ATLAS and LHCb files. */
const RUN_NAMES = [
  ...['run', 'runNumber', 'RunNumber', 'run_number'],
  ...['EventInfoAux.runNumber', 'EventInfoAuxDyn.runNumber'],
];
/** Names of branches with the number of the luminosity block. */
const LUMI_NAMES = [
  ...['luminosityBlock', 'lumi', 'lumiBlock', 'LumiBlock', 'lumi_block'],
  ...['EventInfoAux.lumiBlock', 'EventInfoAuxDyn.lumiBlock'],
];
/** Number of entries whose runs and luminosity blocks are read at once. */
const STEP = 1_000_000;

export interface FactsAsked {
  /** The tree to read; empty for all. */
  tree: string;
  /** Reads the whole file. */
  deep: boolean;
}

/**
 * Reads the facts about one file that a dataset compares. The progress is that of reading every basket. Throws if its
 * keys or trees cannot be read.
 */
export async function datasetFacts(
  reader: EngineApi,
  info: FileInfo,
  name: string,
  { tree, deep }: FactsAsked,
  options: CallOptions,
): Promise<DatasetFile> {
  const { id, size, uuid, rootVersion, notes } = info;
  const quiet = { signal: options.signal };
  const keys = await reader.keys(id, quiet);
  const paths = new Set(keys.filter(isTree).map(({ path }) => path));
  const trees: DatasetTree[] = [];
  const damage: string[] = [];
  for (const path of tree === '' ? paths : [tree]) {
    if (!paths.has(path)) continue;
    const facts = await treeFacts(reader, info, path, quiet);
    try {
      Object.assign(facts, await lumisOf(reader, info, path, quiet));
    } catch (thrown) {
      const { code, message } = toXylemError(thrown);
      if (code === 'ABORTED') throw thrown;
      damage.push(message);
    }
    trees.push(facts);
  }
  if (deep) {
    const { findings } = await reader.check(id, options);
    for (const { severity, message } of findings) if (severity === 'error') damage.push(message);
  }
  return { name, size, uuid, rootVersion, notes, trees, damage: [...new Set(damage)] };
}

async function treeFacts(
  reader: EngineApi,
  { id }: FileInfo,
  path: string,
  options: CallOptions,
): Promise<DatasetTree> {
  const { tree, trueStart, compress } = await reader.layout(id, path, options);
  return {
    path,
    entries: tree.entries,
    clusters: trueStart.length,
    storedBytes: tree.storedBytes,
    codecs: [...new Set(compress)].filter((setting) => setting >= 0).map(compressionName),
    branches: tree.branches.map((branch) => ({ path: branch.path, type: branch.typeName })),
  };
}

/** Returns the luminosity blocks of a tree that has branches for them. Throws the errors of reading these. */
async function lumisOf(
  reader: EngineApi,
  { id, name }: FileInfo,
  path: string,
  options: CallOptions,
): Promise<{ lumis?: LumiRange[]; manyLumis?: true }> {
  const { entries, branches } = await reader.tree(id, path, options);
  const run = named(branches, RUN_NAMES);
  const lumi = named(branches, LUMI_NAMES);
  if (!run || !lumi) return {};
  const found = new LumiCollector();
  for (let from = 0; from < entries; from += STEP) {
    const request = { tree: path, branches: [run.index, lumi.index] };
    const part = { ...request, entries: [from, Math.min(from + STEP, entries)] as [number, number] };
    const [runs, lumis] = await reader.arrays(id, part, options);
    const error = runs?.error ?? lumis?.error ?? runs?.missing ?? lumis?.missing;
    if (error) throw new XylemError({ ...error, where: { ...error.where, url: name } });
    const [a, b] = [runs?.column, lumis?.column];
    // Branches with such names may contain something else.
    if (a?.kind !== 'primitive' || b?.kind !== 'primitive') return {};
    if (!found.add(a.data, b.data)) return { manyLumis: true };
  }
  return { lumis: found.ranges() };
}

/** Returns the branch of integers with one of the names. Earlier names are preferred. */
function named(branches: readonly BranchInfo[], names: readonly string[]): BranchInfo | undefined {
  for (const name of names) {
    const branch = branches.find(
      (one) => one.name === name && /^(std::)?(unsigned |u)?(int|long|short)/i.test(one.typeName),
    );
    if (branch) return branch;
  }
  return undefined;
}
