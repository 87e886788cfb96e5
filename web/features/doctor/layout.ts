import { argumentError } from '../../base/errors';
import { flag, NOT_NEGATIVE, oneOf, optional, POSITIVE, whole } from '../../base/shape';
import { type CollectionStats, collectionStats } from '../../reads/layout-stats';
import { FILE, TREE } from '../../verbs/params';
import { treeOf } from '../../verbs/trees';
import { verb } from '../../verbs/verb';
import { distributionPlots, distributionsSvg } from './work/distributions';
import { type LayoutFacts, layoutFacts } from './work/layout-facts';
import { type FilesLayout, filesReport, layoutOfFiles } from './work/layout-of-files';
import { layoutReport, SORTED_BY, sortedBranches } from './work/layout-report';

/** The order of the tree itself. */
const OWN = 'file';

type TreeLayoutFacts = LayoutFacts & { collections: CollectionStats[] };

export const layout = verb({
  name: 'layout',
  words: 'FILE [TREE]',
  about: `How the branches of a tree (or the fields of an RNTuple) lie in the file: bytes, compression, baskets,
clusters, and how far apart lies what is read together; with --buffers the sizes of baskets that ROOT's
OptimizeBaskets recommends. It is known from metadata alone, except for what --streaming asks.
FILE is a path or an http(s) URL. Several files, as a quoted pattern ('run*.root'), a list (a.root,b.root) or a
text file of paths and URLs (@list.txt), give one table with a row for each tree. TREE may be left out where there
is only one.`,
  examples: [
    ['sample.root Events', 'how the branches lie'],
    ['sample.root Events --sort stored', 'the largest first'],
  ],
  params: {
    file: FILE,
    tree: TREE,
    sort: optional(
      oneOf(...SORTED_BY, OWN),
      'BY',
      `order of the rows: ${[...SORTED_BY].join(', ')}, or ${OWN} (the tree's own order); default stored`,
    ),
    top: optional(whole(0), 'N', 'only the first N rows; default 40, 0 is all'),
    collections: flag(
      'bytes of each collection instead: a branch at the top with what is below it, or branches of one prefix ' +
        '(Muon_pt, Muon_eta), largest first',
    ),
    buffers: flag(
      'sizes of baskets instead, now and as TTree::OptimizeBaskets of ROOT would set them, split levels, and whether ' +
        'collections are stored object-wise or member-wise',
    ),
    memory: optional(
      POSITIVE,
      'MB',
      'memory for the buffers of all branches, for --buffers; default 10, as in ROOT',
    ),
    minCompression: optional(
      NOT_NEGATIVE,
      'FACTOR',
      'for --buffers: branches that compress by less would no longer be compressed; default 1.1, as in ROOT',
    ),
    streaming: flag(
      'read the first basket of each branch that may hold collections of objects, to say whether they are stored ' +
        'object-wise or member-wise',
    ),
  },
  json: `{"path", "entries", "storedBytes", "totalBytes", "factor", "baskets", "basketBytes": {"min", "mean",
"max"}, "embeddedBaskets", "clusters", "trueClusters", "wrongClusters", "clusterBytes", "crossing",
"backwardSeeks", "forwardSkips", "scatter", "recordBytes", "compressions", "autoFlush", "bufferBytes", "optimized":
{"memory", "minCompression", "memoryNow", "memoryThen", "basketsNow", "basketsThen"}, "distributions": {"sizes",
"numbers"}, "branches": [{"path", "collection", "storedBytes", "bufferBytes", "recommendedBytes", "splitLevel",
"elementType", "streamerType", "streaming", …}], "collections": […]}; of several files {"files": [{"file", "tree",
"kind", "fileBytes", "branches", "entries", "storedBytes", "factor", "bytesPerEntry", "bufferBytes", …}], "failed"}.
embeddedBaskets: baskets that lie in the tree's own record; they count with their part of its stored bytes.
clusters: those that the tree's record claims. trueClusters: those that the baskets have, which
begin where no basket has entries on both sides; baskets in the tree's record and the only one of a branch do
not count. wrongClusters: whether more than 2 % of the baskets lie in two claimed clusters, and there are at least half as
many true ones; clusterBytes and scatter are of the true ones then. crossing: baskets that hold entries of more than one
claimed cluster. backwardSeeks, forwardSkips:
reading all baskets in the order of their first entries. scatter: the stretch of the file that a cluster's
baskets reach over, by their bytes; 1 is best. autoFlush: fAutoFlush, in entries, or in bytes if it is negative.
bufferBytes: fBasketSize, and its sum. optimized: what TTree::OptimizeBaskets prints, of a file that is open for reading.
distributions: edges and counts of histograms, of the stored bytes of baskets or pages, and of their number in a branch or
column. streaming: "split", "object-wise", "member-wise", "both", or "not read". Sizes are in bytes; a factor of nothing is
null.`,
  async run(
    { file, tree, sort, memory, minCompression, streaming },
    call,
  ): Promise<TreeLayoutFacts | FilesLayout> {
    const files = await call.files(file);
    if (files.length > 1) return await layoutOfFiles(files, tree, call);
    return await call.withFile(file, async (open) => {
      const { reader, info } = open;
      const options = {
        memory: memory === undefined ? undefined : Math.round(memory * 1e6),
        minCompression,
      };
      const path = await treeOf(open, tree);
      const asked = { signal: call.signal, orders: streaming };
      const facts = layoutFacts(await reader.layout(info.id, path, asked), options);
      return {
        ...facts,
        branches: sortedBranches(facts, sort),
        collections: collectionStats(facts.branches),
      };
    });
  },
  report(result, { sort, top = 40, collections: alone, buffers, streaming }) {
    if ('files' in result) return filesReport(result, top);
    const { collections, ...stats } = result;
    const report = layoutReport(stats, collections, sort, top);
    const shown = alone ? 'collections' : buffers || streaming ? 'buffers' : 'branches';
    return { ...report, tables: report.tables?.filter(({ id }) => id === shown) ?? [] };
  },
  status: (result) => ('files' in result && result.failed.length > 0 ? 1 : 0),
  outputs: {
    svg: {
      about:
        'write the distributions of the sizes of baskets (pages), and of their number in a branch (column), to OUT ' +
        '("-" is stdout)',
      isPicture: true,
      async make(result) {
        if ('files' in result)
          throw argumentError('The plots are of one file.', 'Name one file with --svg, or leave --svg out.');
        const plots = distributionPlots(result.distributions, result.kind);
        if (plots.length > 0) return distributionsSvg(plots, result.path);
        throw argumentError(
          `No basket of ${result.path} lies in the file itself.`,
          'There is nothing to plot.',
        );
      },
    },
  },
  tool: {
    title: 'Layout of a tree',
    description:
      'How the branches of a tree lie in the file: bytes, compression, baskets, clusters, seeks, and the sizes of baskets that ROOT recommends. From metadata alone.',
    without: ['streaming'],
  },
});
