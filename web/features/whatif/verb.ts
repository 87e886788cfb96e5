import type { BranchInfo, TreeLayout } from '../../api/api';
import type { PlannedRequest } from '../../api/engine-api';
import type { FileUse } from '../../api/reading';
import { argumentError, XylemError } from '../../base/errors';
import { listOf, oneOf, optional, POSITIVE, textLike } from '../../base/shape';
import { CODEC_TEXT, compressionNumber, parseCodec } from '../../core/compression';
import { chooseBranches } from '../../model/choose';
import { chooseEntries, countOf } from '../../model/entry-choice';
import { basketLayout, withNeeded } from '../../reads/basket-layout';
import { SOURCE_KINDS, xylemCost } from '../../reads/planned';
import { type UsedBranches, usedBranches } from '../../reads/use';
import { BRANCHES, CHAIN_TEXT, CHOSEN_ENTRIES, FILE, TREE, USE } from '../../verbs/params';
import { treeOf } from '../../verbs/trees';
import { verb } from '../../verbs/verb';
import { codecReport } from './work/codec-report';
import { type CodecTrial, tryCodecs } from './work/codec-trial';
import type { Strategy } from './work/programs';
import { STRATEGIES, simulateReading, strategiesFor } from './work/simulate';
import { type WhatIf, whatIfJson, whatIfReport, whatIfTitle } from './work/whatif-report';

const CODEC = textLike('a codec such as zstd:5, or none', CODEC_TEXT);

/** Bytes in a millisecond of a link of 1 Mbit/s. */
const MBIT = 125;

export const whatif = verb({
  name: 'whatif',
  words: 'FILE [TREE]',
  about: `Says what reading branches would cost, from the tree's metadata alone: without a cache, with a read-ahead of
256 kB, with ROOT's TTreeCache (as ROOT 6.40 fills it, by its defaults) or, of an RNTuple, its cluster pool, and with
xylem, whose planner runs for this link and this kind of source.
${CHAIN_TEXT}`,
  params: {
    file: FILE,
    tree: TREE,
    branches: BRANCHES,
    ...USE,
    ...CHOSEN_ENTRIES,
    source: optional(
      oneOf(...SOURCE_KINDS),
      'KIND',
      'from where xylem reads: "parts", an http server that answers several ranges in a request; "ranges", one that ' +
        'answers one, or one of another origin than the page; "root", an XRootD server; "local", a disk. Default: ' +
        '"root" for root://, else "parts"',
    ),
    latency: optional(POSITIVE, 'MS', 'round trip of the link; default 20'),
    bandwidth: optional(POSITIVE, 'MBIT', 'bandwidth of the link in Mbit/s; default 100'),
    caches: optional(listOf(POSITIVE), 'MB,…', 'sizes of TTreeCache; default 10,30,60,200'),
    codec: optional(
      listOf(CODEC, undefined, 1),
      'CODEC,…',
      'instead: sizes and times with these codecs (zlib:1, zstd:5, lz4:4, lzma:6, none), tried on a sample of the ' +
        'baskets or pages, which is read',
    ),
    tried: optional(POSITIVE, 'MB', 'with --codec: about how many stored bytes are tried; default 16'),
  },
  notes: `Calls are what TTreePerfStats calls ReadCalls; a fill of a TTreeCache is one vectored request, so that the
link's latency counts once for it. Times are of the link only: decoding comes on top. Of chosen entries, ROOT reads each by
TTree::GetEntry, in order. What xylem reads is what "summary" reads of these branches, or "draw" with --draw; what was read
to open the file does not count, and is not read again. On a disk, latency is the time of a seek.`,
  json: `{"tree", "branches": n, "entries": [from, to], "chosen": n, "source": "parts", "ranges", "root" or "local",
"link": {"latencyMs", "bytesPerMs"}, "outcomes": [{"strategy", "calls", "trips", "bytes", "overread", "ms"}, …]}. A time
that is too large for a number is "inf". With --codec {"tree", "unit", "baskets", "storedBytes", "tried", "triedBytes",
"totalBytes", "triedTotal", "now", "codecs": [{"codec", "bytes", "errorBytes", "factor", "compressMs", "decompressMs"}, …]}:
bytes and times of all baskets, errorBytes is twice the standard error.`,
  wrong: ({ codec, tried }) => (tried !== undefined && !codec ? '--tried goes with --codec.' : undefined),
  async run({ file, tree, source, latency = 20, bandwidth = 100, caches, codec, tried, ...asked }, call) {
    const link = { latencyMs: latency, bytesPerMs: bandwidth * MBIT };
    const useOf = await call.useOf(asked);
    return await call.withFile(file, async (open): Promise<WhatIf | CodecTrial> => {
      const { reader, info } = open;
      const kind = source ?? (open.path.startsWith('root') ? 'root' : 'parts');
      const layout = await reader.layout(info.id, await treeOf(open, tree));
      if (codec !== undefined) {
        const use = useOf(info);
        const branches = wholeOf(layout.tree.branches, use && usedOf(use, layout).branches);
        const codecs = codec.map((text) => compressionNumber(parseCodec(text)));
        const bytes = tried === undefined ? undefined : tried * 1e6;
        return await tryCodecs(reader, info.id, layout, { branches, codecs, bytes }, call);
      }
      const { path, entries: all } = layout.tree;
      const used = usedOf(useOf(info), layout);
      const needed = used.recorded ? used.branches : withNeeded(layout.tree, used.branches, layout.source);
      const entries = await call.entriesOf(asked, all);
      const choice = chooseEntries(entries, all);
      const strategies = caches === undefined ? strategiesFor(layout.tree.kind) : withCaches(caches);
      const branches = needed.map(({ index }) => index);
      const others = simulateReading(basketLayout(layout), { branches, entries: choice }, link, strategies);
      const request: PlannedRequest = asked.draw
        ? { draw: { tree: path, expr: asked.draw, cut: asked.cut, entries } }
        : {
            summarize: {
              tree: path,
              branches: used.branches.map(({ index }) => index),
              entries,
              details: true,
            },
          };
      return {
        ...{ tree: path, branches: needed.length, entries: [choice.from, choice.to] },
        chosen: countOf(choice.spans(choice.from, choice.to)),
        ...{ source: kind, link },
        outcomes: [
          ...others,
          {
            strategy: { kind: 'xylem' },
            ...(await xylemCost({ reader, info, request, kind }, link, { signal: call.signal })),
          },
        ],
      };
    });
  },
  report: (found) => ('codecs' in found ? codecReport(found) : whatIfReport(found)),
  toJson: (found) => ('codecs' in found ? JSON.stringify(found) : whatIfJson(found)),
  outputs: {
    svg: {
      about: 'write the plot of cache size against calls and time to OUT ("-" is stdout)',
      async make(found) {
        if ('codecs' in found)
          throw argumentError('There is no plot of codecs.', 'Leave --svg or --codec out.');
        const [{ whatIfPlot }, { plotSvg }] = await Promise.all([
          import('./work/simulation'),
          import('../../plot/svg'),
        ]);
        return plotSvg(whatIfPlot(found.outcomes, whatIfTitle(found)), { width: 860, log: { y: true } });
      },
    },
  },
  tool: {
    name: 'what_if',
    title: 'What a reading costs',
    description:
      'Requests, bytes and time that reading branches would cost on a link: with ROOT without a cache, with its TTreeCache, and with xylem. From metadata alone: nothing is read.',
    without: ['reads', 'selector', 'entryList', 'sample', 'seed', 'caches'],
    names: { draw: 'expression', latency: 'latencyMs', bandwidth: 'megabitsPerSecond' },
  },
});

/** Returns the branches of a use; all if there is no use. Throws NOT_FOUND if it reads none of the tree. */
function usedOf(use: FileUse | undefined, layout: TreeLayout): UsedBranches {
  if (use === undefined) return { branches: chooseBranches(layout.tree, undefined) };
  const used = usedBranches(use, layout);
  if (used !== undefined) return used;
  throw new XylemError({ code: 'NOT_FOUND', message: `${use.name} reads no branch of ${layout.tree.path}.` });
}

/** Returns the indices of branches with all that lie below them; of all branches if none are chosen. */
function wholeOf(all: readonly BranchInfo[], chosen: readonly BranchInfo[] = all): number[] {
  const whole = new Set(chosen.map(({ index }) => index));
  // Branches follow the one to which they belong.
  for (const { index, parent } of all) if (whole.has(parent)) whole.add(index);
  return [...whole].sort((a, b) => a - b);
}

/** The strategies with caches of these sizes in MB. */
function withCaches(sizes: readonly number[]): Strategy[] {
  const caches = sizes.map((size): Strategy => ({ kind: 'cache', bytes: size * 1e6 }));
  return [...STRATEGIES.slice(0, 2), ...caches];
}
