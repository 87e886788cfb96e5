import type { CallOptions } from '../../../../api/api';
import type { TreeLayout } from '../../../../api/layout';
import { unsupported } from '../../../../base/data-errors';
import { toXylemError } from '../../../../base/errors';
import { cyclePath } from '../../../../model/keys';
import type { ClassCodec } from '../encode/class-codec';
import type { BranchPlan } from '../encode/types';
import type { FileWriter } from '../file/file-writer';
import type { Records } from '../file/records';
import { checkSize } from '../input/claims';
import { clusterRanges } from '../input/clusters';
import type { CopiedSpan } from '../input/copy';
import type { Input } from '../input/input';
import { branchesElsewhere } from '../input/other-files';
import { progressOf } from '../input/progress';
import { type BasketOrder, canSay, jobAt, type TreeJob } from '../input/tree-copy';
import { type BranchForm, branchForms } from './branch-form';
import { chosenGroups } from './chosen-groups';
import { embeddedRecords } from './embedded';
import { clusterGroups, evenClusters, wholeGroups } from './groups';
import { appendBaskets, type PlacedGroup, regroupPlans } from './place';
import { type BasketGroup, type RegroupedTree, type RegroupOptions, regroupBaskets } from './regroup';

/** How the baskets of trees are made again. */
export interface RegroupPlan {
  /**
   * 100 × algorithm + level. Undefined keeps copied baskets as they are, and uses the branch's own value for new
   * ones.
   */
  compress?: number | undefined;
  /**
   * Joins and divides baskets so that clusters have about this many compressed bytes; undefined keeps the baskets.
   */
  clusterBytes?: number | undefined;
}

/** Trees whose baskets were made again. Each list has one element per tree. */
export interface RegroupedTrees {
  /** The trees, with their new clusters. */
  jobs: TreeJob[];
  /** New values of their branches. */
  plans: (BranchPlan | undefined)[][];
  /** Their layouts in the output, without positions. */
  expected: TreeJob[];
  placed: PlacedGroup[];
  notes: string[];
}

/** Added to the version of a file larger than 2 GB. */
const BIG_FILE = 1_000_000;
/**
 * For files up to this version, ROOT also decompresses baskets that are stored uncompressed, unless their branch says
 * that nothing is compressed. In later files it recognizes them by their length.
 */
const LAST_GUESSED = 30401;

/** Whether ROOT may take uncompressed baskets for compressed ones in a file of this version (fVersion). */
export function guessesPacked(version: number): boolean {
  return version % BIG_FILE <= LAST_GUESSED;
}

/** The input, and the output file. */
interface Regrouping {
  input: Input;
  out: FileWriter;
  records: Records;
  codec: ClassCodec;
  /** Receives the checksums of the written bytes. */
  spans: CopiedSpan[] | undefined;
}

/** The baskets that `regroupTrees` makes. Nothing has been read yet. */
export interface TreeGroups extends Pick<RegroupedTrees, 'jobs' | 'notes'> {
  /** The trees of the input. */
  sources: RegroupedTree[];
  /** The baskets in the order in which they are written. */
  groups: BasketGroup[];
}

/** Makes the baskets of trees again and appends them. Throws the errors of `regroupBaskets`. */
export async function regroupTrees(
  { input, out, records, codec, spans }: Regrouping,
  trees: readonly TreeJob[],
  plan: RegroupPlan & { order: BasketOrder },
  options: RegroupOptions & CallOptions,
): Promise<RegroupedTrees> {
  const planned = await groupTrees({ input, records, codec }, trees, plan, options);
  const { sources, groups } = planned;
  const onBytes = progressOf('Writing baskets', [{ length: storedBytes(trees) }], options);
  const placed = await appendBaskets(regroupBaskets(input, records, sources, groups, options), out, records, {
    directoryOf: (tree) => jobAt(trees, tree).directory,
    onBytes,
    spans,
  });
  return treesOf(planned, placed, plan, input.header);
}

/** Returns the baskets to make. Throws UNSUPPORTED, and CORRUPT for overlapping baskets. */
export async function groupTrees(
  { input, records, codec }: Pick<Regrouping, 'input' | 'records' | 'codec'>,
  trees: readonly TreeJob[],
  { compress, clusterBytes, order }: RegroupPlan & { order: BasketOrder },
  options: Pick<CallOptions, 'signal'>,
): Promise<TreeGroups> {
  const notes: string[] = [];
  const jobs = [...trees];
  const sources: RegroupedTree[] = [];
  const several = await classesOfSeveral(input, options);
  for (const { key, source, data } of trees) {
    const place = [{ offset: key.offset, length: key.storedBytes }];
    const record = await input.reader.bytes(input.id, place, options);
    sources.push({
      layout: source,
      forms: branchForms(source, record, data, codec, several),
      embedded: embeddedRecords(source, data, codec, records),
    });
  }
  const isWhole = clusterBytes === undefined && !trees.some(({ chosen }) => chosen);
  let groups: BasketGroup[] = isWhole ? wholeGroups(trees, order, compress) : [];
  if (!isWhole)
    for (const [i, job] of trees.entries()) {
      if (job.chosen) {
        checkSize(input.info, ownBytes(job.source));
        const { entries, starts, groups: own } = chosenGroups(job, i, job.chosen, compress, input.info.size);
        refuseParts(job, own, sources[i]?.forms ?? []);
        groups = groups.concat(own);
        const layout = {
          ...job.layout,
          tree: { ...job.layout.tree, entries },
          trueStart: Float64Array.from(starts),
        };
        const clusters = starts.length > 0 ? clusterRanges(starts, entries, layout.autoFlush) : undefined;
        jobs[i] = { ...job, layout, clusters: clusters && canSay(job.data, clusters) };
        if (job.data.fTreeIndex) notes.push(`${cyclePath(job.key)}: its index (TTreeIndex) is dropped`);
        if (job.data.fEventList)
          notes.push(`${cyclePath(job.key)}: its list of entries (TEventList) is dropped`);
        continue;
      }
      if (clusterBytes === undefined) {
        groups = groups.concat(wholeGroups([job], order, compress).map((group) => ({ ...group, tree: i })));
        continue;
      }
      const whole = job.layout.tree.branches.find(({ index }) => sources[i]?.forms[index]?.whole);
      if (whole) {
        const why = sources[i]?.forms[whole.index]?.whole;
        notes.push(
          `${cyclePath(job.key)}: baskets of ${whole.path} ${why} and cannot be divided; they are kept`,
        );
        groups = groups.concat(
          wholeGroups([job], 'clusters', compress).map((group) => ({ ...group, tree: i })),
        );
        continue;
      }
      checkSize(
        input.info,
        job.layout.storedBytes.reduce((sum, bytes) => sum + bytes, 0),
      );
      const clusters = evenClusters(job.layout, clusterBytes);
      groups = groups.concat(clusterGroups(job, i, clusters.autoFlush, compress));
      const starts = Math.ceil(job.source.tree.entries / clusters.autoFlush);
      const trueStart = Float64Array.from({ length: starts }, (_, k) => k * clusters.autoFlush);
      jobs[i] = { ...job, layout: { ...job.layout, trueStart }, clusters: canSay(job.data, clusters) };
    }
  // Such a branch stays as it is, including baskets in the tree's record.
  const elsewhere = trees.map(
    ({ layout }) => new Set(branchesElsewhere(layout.tree).map(({ index }) => index)),
  );
  groups = groups.filter(({ tree, branch }) => !elsewhere[tree]?.has(branch));
  return { sources, jobs, groups, notes };
}

/**
 * Returns the bytes of the baskets of a tree in its own file. Overlapping baskets would turn a small file into a
 * large one.
 */
function ownBytes({ tree, basketStart, storedBytes }: TreeLayout): number {
  let bytes = 0;
  for (const { index, otherFile } of tree.branches) {
    if (otherFile !== undefined) continue;
    for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++)
      bytes += storedBytes[i] ?? 0;
  }
  return bytes;
}

/** Returns the trees with the new positions of their baskets. */
export function treesOf(
  { jobs, notes }: TreeGroups,
  placed: PlacedGroup[],
  { compress }: RegroupPlan,
  { version }: Input['header'],
): RegroupedTrees {
  const own = jobs.map((_, tree) => placed.filter(({ group }) => group.tree === tree));
  const isOld = guessesPacked(version);
  const mayBeTakenAsPacked = (baskets: readonly PlacedGroup[], branch: number): boolean =>
    isOld &&
    baskets.some(({ group, length, totalBytes }) => group.branch === branch && length === totalBytes);
  const plans = jobs.map(({ source, layout }, i) =>
    regroupPlans(source, own[i] ?? [], layout.tree.entries).map(
      (plan, branch) =>
        plan && { ...plan, compress: mayBeTakenAsPacked(own[i] ?? [], branch) ? 0 : compress },
    ),
  );
  return {
    jobs,
    plans,
    expected: jobs.map((job, i) => ({ ...job, layout: layoutAfter(job, own[i] ?? [], plans[i] ?? []) })),
    placed,
    notes,
  };
}

/**
 * Returns the classes for which a file describes several layouts, as hadd writes it; none if its classes cannot be
 * read.
 */
async function classesOfSeveral(
  { reader, id }: Pick<Input, 'reader' | 'id'>,
  options: CallOptions,
): Promise<Set<string>> {
  const sums = new Map<string, number>();
  const several = new Set<string>();
  const classes = await reader.types(id, options).catch((thrown: unknown) => {
    if (toXylemError(thrown).code === 'ABORTED') throw thrown;
    return [];
  });
  for (const { name, checksum } of classes) {
    if ((sums.get(name) ?? checksum) !== checksum) several.add(name);
    sums.set(name, checksum);
  }
  return several;
}

/** Throws UNSUPPORTED if a basket would be divided that does not store where its entries begin. */
function refuseParts(
  { key, source }: TreeJob,
  groups: readonly BasketGroup[],
  forms: readonly BranchForm[],
): void {
  const group = groups.find(
    ({ branch, parts }) => forms[branch]?.whole && (parts.length > 1 || parts[0]?.ranges !== undefined),
  );
  if (!group) return;
  const path = `${key.path}/${source.tree.branches[group.branch]?.path}`;
  throw unsupported(
    `Baskets of "${path}" ${forms[group.branch]?.whole}, and cannot be divided.`,
    'Choose whole clusters of entries, or leave the branch out.',
    { path },
  );
}

function storedBytes(trees: readonly TreeJob[]): number {
  return trees.reduce((sum, { layout }) => sum + layout.storedBytes.reduce((a, b) => a + b, 0), 0);
}

/** Returns the layout of a tree in the output, without the positions of its baskets. */
function layoutAfter(
  { layout }: TreeJob,
  placed: readonly PlacedGroup[],
  plans: readonly (BranchPlan | undefined)[],
): TreeLayout {
  const { tree, basketStart, firstEntry, entries, storedBytes } = layout;
  const own = new Map<number, PlacedGroup[]>();
  for (const one of placed) {
    const list = own.get(one.group.branch);
    if (list) list.push(one);
    else own.set(one.group.branch, [one]);
  }
  const baskets = tree.branches.flatMap(({ index }, position) => {
    if (!plans[index])
      return Array.from(firstEntry.subarray(basketStart[position], basketStart[position + 1]), (first, k) => {
        const i = (basketStart[position] ?? 0) + k;
        return { first, entries: entries[i] ?? 0, bytes: storedBytes[i] ?? 0 };
      });
    return (own.get(index) ?? [])
      .map(({ group, length }) => ({ first: group.firstEntry, entries: group.entries, bytes: length }))
      .sort((a, b) => a.first - b.first);
  });
  return {
    ...layout,
    tree: {
      ...tree,
      branches: tree.branches.map((branch) => ({
        ...branch,
        entries: plans[branch.index]?.entries ?? branch.entries,
      })),
    },
    firstEntry: Float64Array.from(baskets, ({ first }) => first),
    entries: Float64Array.from(baskets, (basket) => basket.entries),
    storedBytes: Float64Array.from(baskets, ({ bytes }) => bytes),
  };
}
