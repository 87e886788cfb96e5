import type { BranchInfo, EntryRange, TreeLayout } from '../../api/api';
import type { PlannedRequest } from '../../api/engine-api';
import type { FileUse } from '../../api/reading';
import { argumentError, XylemError } from '../../base/errors';
import { listOf, oneOf, optional, POSITIVE, TEXT, textLike } from '../../base/shape';
import { CODEC_TEXT, compressionNumber, parseCodec } from '../../core/compression';
import { chooseBranches } from '../../model/choose';
import { chooseEntries, countOf } from '../../model/entry-choice';
import { SOURCE_KINDS, xylemCost } from '../../reads/planned';
import { type UsedBranches, usedBranches } from '../../reads/use';
import { BRANCHES, CHAIN_TEXT, CHOSEN_ENTRIES, FILE, TREE, USE } from '../../verbs/params';
import { treeOf } from '../../verbs/trees';
import { type VerbCall, type VerbFile, verb } from '../../verbs/verb';
import { CLIENTS, LINKS_ASKED, linksOf, MBIT } from './work/asked-links';
import { codecReport } from './work/codec-report';
import { type CodecTrial, tryCodecs } from './work/codec-trial';
import { CALIBRATION_FILE, calibrationText, parseCalibration, REFERENCE_TEXT } from './work/cpu/calibration';
import { REFERENCE } from './work/cpu/reference-costs';
import type { Strategy } from './work/programs';
import { STRATEGIES, strategiesFor } from './work/simulate';
import { type Costed, type Part, PartCosts, TABLES, tableRows } from './work/tables';
import { type WhatIf, whatIfJson, whatIfReport, whatIfTitle } from './work/whatif-report';

const CODEC = textLike('a codec such as zstd:5, or none', CODEC_TEXT);

export const whatif = verb({
  name: 'whatif',
  words: 'FILE [TREE]',
  about: `Says what reading branches would cost, from the tree's metadata alone: without a cache, with a read-ahead of
256 kB, with ROOT's TTreeCache (as ROOT 6.40 fills it, by its defaults) or, of an RNTuple, its cluster pool, and with
xylem, whose planner runs for this link and this kind of source. With --table, one of the tables of the talks on caches and
links: docs/features/whatif.md.
${CHAIN_TEXT}`,
  examples: [
    ['sample.root Events --branches Muon_pt', 'what one branch costs'],
    ['sample.root Events --latency 20 --bandwidth 1000', 'over a link of 20 ms and 1000 Mbit/s'],
  ],
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
    caches: optional(
      listOf(POSITIVE),
      'MB,…',
      'sizes of TTreeCache; default 10,30,60,200, of tables 0.064,10,30,200',
    ),
    codec: optional(
      listOf(CODEC, undefined, 1),
      'CODEC,…',
      'instead: sizes and times with these codecs (zlib:1, zstd:5, lz4:4, lzma:6, none), tried on a sample of the ' +
        'baskets or pages, which is read',
    ),
    tried: optional(POSITIVE, 'MB', 'with --codec: about how many stored bytes are tried; default 16'),
    table: optional(
      oneOf(...TABLES),
      'TABLE',
      'a table: "links", clients A to G or --links with each cache; "caches", calls and time for each size, also of ' +
        'several files; "readahead", sizes from 0 to 10 MB for good and bad cases; "shares", 100, 10 and 1 % of the ' +
        'entries; "visits", cold and warm, a first and a second one',
    ),
    links: optional(
      LINKS_ASKED,
      'NAME=MS/MBIT,…',
      'with --table links: these links, as office=20/100,home=35/16; default the clients A to G of the talks',
    ),
    beside: optional(
      listOf(TEXT, undefined, 1),
      'FILE',
      'with --table caches: another file with this tree, as of another split level; may be repeated',
    ),
    calibration: optional(
      TEXT,
      'FILE',
      'CPU times by this file of "xylem calibrate --save"; default: by what "xylem calibrate" kept on this machine',
    ),
  },
  notes: `Calls are what TTreePerfStats calls ReadCalls; a fill of a TTreeCache is one vectored request, so that the
link's latency counts once for it. Time is of the link only. CPU is the time of decompressing and deserialising, from a model
that "xylem calibrate" fits to this machine; of ROOT, of TTree::GetEntry for each entry. Wall is the sum of both; xylem decodes while it
receives. Of chosen entries, ROOT reads each by
TTree::GetEntry, in order. What xylem reads is what "summary" reads of these branches, or "draw" with --draw; what was read
to open the file does not count, and is not read again. On a disk, latency is the time of a seek.`,
  json: `{"tree", "branches": n, "entries": [from, to], "chosen": n, "source": "parts", "ranges", "root" or "local",
"link": {"latencyMs", "bytesPerMs"}, "cpu": where CPU times come from, "table", "outcomes": [{"strategy", "calls", "trips",
"bytes", "overread", "ms", "cpuMs", "wallMs"}, …]}; in a table also "link": {"name", "latencyMs", "bytesPerMs"}, "file", "reading" or
"visit". A CPU time that is not known is left out, as of an RNTuple. A time that is too large for a number is "inf". With --codec
{"tree", "unit", "baskets", "storedBytes", "tried", "triedBytes", "totalBytes", "triedTotal", "now", "codecs": [{"codec", "bytes",
"errorBytes", "factor", "compressMs", "decompressMs"}, …]}: bytes and times of all baskets, errorBytes is twice the standard error.`,
  wrong({ table, links, beside, latency, bandwidth, codec, tried }) {
    if (tried !== undefined && !codec) return '--tried goes with --codec.';
    if (codec && table) return '--codec does not go with --table.';
    if (links && table !== 'links') return '--links goes with --table links.';
    if (beside && table !== 'caches') return '--beside goes with --table caches.';
    if (table === 'links' && (latency ?? bandwidth) !== undefined)
      return '--table links has links of its own; name others with --links.';
    const empty = links && linksOf(links).find((link) => !(link.latencyMs > 0 && link.bytesPerMs > 0));
    return empty ? `The round trip and the bandwidth of "${empty.name}" have to be above 0.` : undefined;
  },
  async run(given, call): Promise<WhatIf | CodecTrial> {
    const { file, tree, source, latency = 20, bandwidth = 100, codec, tried, ...asked } = given;
    const { caches, table, links, beside = [], calibration: named } = asked;
    const { entries, entryList, sample, seed } = asked;
    const link = { latencyMs: latency, bytesPerMs: bandwidth * MBIT };
    const [useOf, { calibration, cpu }] = await Promise.all([call.useOf(asked), calibrationOf(named, call)]);
    if (codec !== undefined)
      return await call.withFile(file, async (open) => {
        const { reader, info } = open;
        const layout = await reader.layout(info.id, await treeOf(open, tree));
        const use = useOf(info);
        const branches = wholeOf(layout.tree.branches, use && usedOf(use, layout).branches);
        const codecs = codec.map((text) => compressionNumber(parseCodec(text)));
        const bytes = tried === undefined ? undefined : tried * 1e6;
        return await tryCodecs(reader, info.id, layout, { branches, codecs, bytes }, call);
      });
    const sizes = caches?.map((megabytes) => megabytes * 1e6);
    const one = async (open: VerbFile, name?: string): Promise<WhatIf> => {
      const { reader, info } = open;
      const kind = source ?? (open.path.startsWith('root') ? 'root' : 'parts');
      const layout = await reader.layout(info.id, await treeOf(open, tree));
      const { path, entries: all } = layout.tree;
      const used = usedOf(useOf(info), layout);
      const part: Part = {
        ...{ chosen: used.branches, recorded: used.recorded },
        entries: await call.entriesOf({ entries, entryList, sample, seed }, all),
      };
      const requestOf = ({ chosen, entries }: Part): PlannedRequest =>
        asked.draw
          ? { draw: { tree: path, expr: asked.draw, cut: asked.cut, entries } }
          : { summarize: { tree: path, branches: chosen.map(({ index }) => index), entries, details: true } };
      const costed: Costed = {
        ...{ file: name, layout, calibration, source: kind },
        xylem: (of, over, from) =>
          xylemCost({ reader, info, request: requestOf(of), kind: from }, over, { signal: call.signal }),
      };
      const costs = new PartCosts(costed, part);
      const choice = chooseEntries(part.entries, all);
      const found = {
        ...{ tree: path, branches: costs.branches, entries: [choice.from, choice.to] as EntryRange },
        chosen: countOf(choice.spans(choice.from, choice.to)),
        ...{ source: kind, link, cpu, table },
      };
      if (table !== undefined) {
        const over = links ? linksOf(links) : CLIENTS;
        const listed = entryList !== undefined;
        return {
          ...found,
          outcomes: await tableRows(table, costed, { part, link, links: over, caches: sizes, listed }),
        };
      }
      const strategies = sizes === undefined ? strategiesFor(layout.tree.kind) : withCaches(sizes);
      const outcomes = [];
      for (const strategy of [...strategies, { kind: 'xylem' } as const])
        outcomes.push(await costs.row(strategy, link));
      return { ...found, outcomes };
    };
    const results: WhatIf[] = [];
    for (const path of [file, ...beside])
      results.push(await call.withFile(path, (open) => one(open, beside.length > 0 ? path : undefined)));
    const [first] = results as [WhatIf, ...WhatIf[]];
    return { ...first, outcomes: results.flatMap(({ outcomes }) => outcomes) };
  },
  report: (found) => ('codecs' in found ? codecReport(found) : whatIfReport(found)),
  toJson: (found) => ('codecs' in found ? JSON.stringify(found) : whatIfJson(found)),
  outputs: {
    svg: {
      about: 'write the plot of cache size against calls and time to OUT ("-" is stdout)',
      async make(found) {
        if ('codecs' in found)
          throw argumentError('There is no plot of codecs.', 'Leave --svg or --codec out.');
        if (found.table !== undefined && (found.table !== 'caches' || found.outcomes.some((row) => row.file)))
          throw argumentError(
            'The plot is of the caches of one file.',
            'Leave out --svg, --table or --beside.',
          );
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
    without: [
      'reads',
      'selector',
      'entryList',
      'sample',
      'seed',
      'caches',
      'beside',
      'calibration',
      'codec',
      'tried',
    ],
    names: { draw: 'expression', latency: 'latencyMs', bandwidth: 'megabitsPerSecond' },
  },
});

/** Returns the calibration that a parameter names, or that this machine keeps, or that of the reference machine. */
async function calibrationOf(named: string | undefined, call: VerbCall) {
  const kept =
    named === undefined ? await call.keptOfUser?.(CALIBRATION_FILE) : (await call.text(named)).text;
  if (kept === undefined) return { calibration: REFERENCE, cpu: REFERENCE_TEXT };
  const calibration = parseCalibration(kept, named ?? CALIBRATION_FILE);
  return { calibration, cpu: calibrationText(calibration) };
}

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

/** The strategies with caches of these sizes in bytes. */
function withCaches(sizes: readonly number[]): Strategy[] {
  const caches = sizes.map((bytes): Strategy => ({ kind: 'cache', bytes }));
  return [...STRATEGIES.slice(0, 2), ...caches];
}
