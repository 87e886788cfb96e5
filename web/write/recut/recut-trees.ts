import type { CallOptions } from '../../api/api';
import type { TreeLayout } from '../../api/layout';
import { cyclePath } from '../../model/find-key';
import type { CopiedSpan } from '../copy';
import type { ClassCodec } from '../encode/class-codec';
import type { BranchPlan } from '../encode/types';
import type { FileWriter } from '../file-writer';
import type { Input } from '../input';
import { progressOf } from '../progress';
import type { Records } from '../records';
import { type BasketOrder, canSay, type TreeJob } from '../tree-copy';
import { branchForms } from './branch-form';
import { clusterCuts, evenClusters, wholeCuts } from './cuts';
import { embeddedRecords } from './embedded';
import { appendBaskets, type PlacedCut, recutPlans } from './place';
import { type BasketCut, type RecutOptions, type RecutTree, recutBaskets } from './recut';

/** How the baskets of trees are made anew. */
export interface RecutPlan {
  /** 100 × algorithm + level; undefined keeps what is copied, and takes that of its branch for what is made. */
  compress?: number | undefined;
  /** Joins and cuts baskets so that clusters hold about this many compressed bytes; undefined keeps baskets. */
  clusterBytes?: number | undefined;
}

/** Trees whose baskets were made anew. The lists have one element for each tree. */
export interface RecutTrees {
  /** With their new clusters. */
  jobs: TreeJob[];
  /** New values of their branches. */
  plans: BranchPlan[][];
  /** Their layouts in the output, without places. */
  expected: TreeJob[];
  placed: PlacedCut[];
  notes: string[];
}

/** The input, and the file that is written. */
interface Recutting {
  input: Input;
  out: FileWriter;
  records: Records;
  codec: ClassCodec;
  /** Gets the checksums of what was written. */
  spans: CopiedSpan[] | undefined;
}

/** Makes the baskets of trees anew and appends them. Throws the errors of `recutBaskets`. */
export async function recutTrees(
  { input, out, records, codec, spans }: Recutting,
  trees: readonly TreeJob[],
  { compress, clusterBytes, order }: RecutPlan & { order: BasketOrder },
  options: RecutOptions & CallOptions,
): Promise<RecutTrees> {
  const classes = await input.reader.types(input.id, { signal: options.signal });
  const notes: string[] = [];
  const jobs = [...trees];
  const sources = trees.map(
    ({ source, data }): RecutTree => ({
      layout: source,
      forms: branchForms(source, data, classes),
      embedded: embeddedRecords(source, data, codec, records),
    }),
  );
  let cuts: BasketCut[] = clusterBytes === undefined ? wholeCuts(trees, order, compress) : [];
  if (clusterBytes !== undefined)
    for (const [i, job] of trees.entries()) {
      const whole = job.layout.tree.branches.find(({ index }) => sources[i]?.forms[index]?.whole);
      if (whole) {
        notes.push(
          `${cyclePath(job.key)}: baskets of ${whole.path} leave out where entries begin and cannot be cut; they are kept`,
        );
        cuts = cuts.concat(wholeCuts([job], 'clusters', compress).map((cut) => ({ ...cut, tree: i })));
        continue;
      }
      const clusters = evenClusters(job.layout, clusterBytes);
      cuts = cuts.concat(clusterCuts(job, i, clusters.autoFlush, compress));
      const starts = Math.ceil(job.source.tree.entries / clusters.autoFlush);
      const trueStart = Float64Array.from({ length: starts }, (_, k) => k * clusters.autoFlush);
      jobs[i] = { ...job, layout: { ...job.layout, trueStart }, clusters: canSay(job.data, clusters) };
    }
  const onBytes = progressOf('Writing baskets', [{ length: storedBytes(trees) }], options);
  const placed = await appendBaskets(recutBaskets(input, records, sources, cuts, options), out, records, {
    directoryOf: (tree) => trees[tree]?.directory ?? out.root,
    onBytes,
    spans,
  });
  const own = trees.map((_, tree) => placed.filter(({ cut }) => cut.tree === tree));
  return {
    jobs,
    plans: jobs.map(({ source }, i) =>
      recutPlans(source, own[i] ?? [], source.tree.entries).map((plan) => ({ ...plan, compress })),
    ),
    expected: jobs.map((job, i) => ({ ...job, layout: layoutAfter(job, own[i] ?? []) })),
    placed,
    notes,
  };
}

function storedBytes(trees: readonly TreeJob[]): number {
  return trees.reduce((sum, { layout }) => sum + layout.storedBytes.reduce((a, b) => a + b, 0), 0);
}

/** The layout that a tree has in the output, without the places of its baskets. */
function layoutAfter({ layout }: TreeJob, placed: readonly PlacedCut[]): TreeLayout {
  const { tree } = layout;
  const position = new Map(tree.branches.map(({ index }, i) => [index, i]));
  const sorted = [...placed].sort(
    (a, b) =>
      (position.get(a.cut.branch) ?? 0) - (position.get(b.cut.branch) ?? 0) ||
      a.cut.firstEntry - b.cut.firstEntry,
  );
  return {
    ...layout,
    firstEntry: Float64Array.from(sorted, ({ cut }) => cut.firstEntry),
    entries: Float64Array.from(sorted, ({ cut }) => cut.entries),
    storedBytes: Float64Array.from(sorted, ({ length }) => length),
  };
}
