import { formatBytes, formatCount } from '../base/format';
import type { BranchInfo } from '../file/api';
import type { TreeLayout } from '../file/layout';
import { optimizedBaskets } from './doctor-baskets';
import { CLUSTER_BYTES, layoutCosts } from './doctor-costs';
import { type FieldBytes, LEAST_SAVED, poorEncodings, splitColumns } from './doctor-encodings';
import { type LayoutMeasure, measureLayout } from './doctor-measure';
import type { DoctorFinding, DoctorGrade, DoctorRemedy, DoctorRule } from './doctor-types';

/** Below this how a tree lies hardly matters: it comes with a request or two. */
const SMALL_TREE = 5_000_000;
/** Memory for the buffers of a tree, ROOT's default of OptimizeBaskets. */
const BUFFER_MEMORY = 10_000_000;
/** Baskets of the same entries that reach over so many times their bytes lie apart. */
const APART = 1.05;
/** Branches that are named in a finding, and in lines to copy. */
const NAMED = 50;
const LISTED = 8;

/** What is worth knowing of how a tree is laid out and compressed, from its metadata alone. */
export function treeFindings(layout: TreeLayout): DoctorFinding[] {
  if (layout.tree.entries === 0) return [];
  const measure = measureLayout(layout);
  const isTree = layout.tree.kind === 'TTree';
  return [
    ...(isTree
      ? [scattered(layout, measure), misaligned(layout, measure), tiny(layout, measure)]
      : [smallPages(layout, measure)]),
    largeClusters(layout, measure),
    smallClusters(layout, measure),
    ...compression(layout),
    ...encodings(layout),
    emptyBranches(layout),
    constantBranches(layout),
    duplicateBranches(layout),
  ].filter((finding) => finding !== undefined);
}

function finding(
  { tree }: TreeLayout,
  rule: DoctorRule,
  grade: DoctorGrade,
  evidence: string,
  more: Partial<DoctorFinding> = {},
): DoctorFinding {
  return { rule, grade, tree: tree.path, evidence, numbers: {}, costs: [], remedies: [], ...more };
}

function scattered(layout: TreeLayout, measure: LayoutMeasure): DoctorFinding | undefined {
  const { span, shared, travel, backward, baskets, stored, windows } = measure;
  if (stored < SMALL_TREE || baskets < 100 || span < APART) return undefined;
  const grade = span >= 1.1 ? 'bad' : 'poor';
  const clusters = layout.clusterStart.length > 0 ? `${formatCount(windows)} clusters` : 'no clusters';
  const evidence = [
    `The tree has ${clusters}.`,
    `The baskets of the same entries (${formatBytes(stored / windows)} of them) lie over ${span.toFixed(2)} times their bytes,`,
    `and ${percent(shared - 1)} of the bytes belong to two such ranges.`,
    `In entry order ${formatCount(backward)} of ${formatCount(baskets)} reads go backward, over ${travel.toFixed(1)} times the tree's size.`,
  ].join(' ');
  return finding(layout, 'scattered', grade, evidence, {
    numbers: { span, shared, travel, backward, baskets, clusters: layout.clusterStart.length },
    place: measure.worst && { offset: measure.worst.offset, length: measure.worst.length },
    costs: layoutCosts(layout),
    remedies: rewrite(layout),
  });
}

function misaligned(layout: TreeLayout, measure: LayoutMeasure): DoctorFinding | undefined {
  const { crossing, baskets, stored } = measure;
  const share = crossing / Math.max(1, baskets);
  if (layout.clusterStart.length < 2 || stored < SMALL_TREE || share < 0.02) return undefined;
  const evidence = `${formatCount(crossing)} of ${formatCount(baskets)} baskets (${percent(share)}) have entries of two clusters: they are read, and decompressed, twice where clusters are read in parallel.`;
  return finding(layout, 'misaligned', share > 0.2 ? 'bad' : 'poor', evidence, {
    numbers: { crossing, baskets, share },
    costs: layoutCosts(layout),
    remedies: rewrite(layout),
  });
}

function tiny(layout: TreeLayout, measure: LayoutMeasure): DoctorFinding | undefined {
  const { medianBytes, baskets, stored } = measure;
  if (baskets < 2000 || medianBytes >= 4000) return undefined;
  // The key of a basket has about so many bytes.
  const keys = baskets * 80;
  // Baskets of a cluster that lie together come with one read: then only their keys cost.
  const together = layout.clusterStart.length > 0 && measure.span < APART;
  const many = medianBytes < 1500 && baskets > 50_000;
  const grade: DoctorGrade = together ? (keys > 0.1 * stored ? 'poor' : 'note') : many ? 'bad' : 'poor';
  const evidence = `Half of the ${formatCount(baskets)} baskets have less than ${formatBytes(medianBytes)}; their keys alone are about ${percent(keys / stored)} of the tree.${together ? ' Those of a cluster lie together, so that a cache reads them at once.' : ''}`;
  const small = smallest(layout);
  return finding(layout, 'tiny-baskets', grade, evidence, {
    numbers: { medianBytes, baskets, buffer: median(layout.basketSize) },
    branches: small.map(({ path }) => path),
    costs: layoutCosts(layout),
    remedies: rewrite(layout),
  });
}

function smallPages(layout: TreeLayout, measure: LayoutMeasure): DoctorFinding | undefined {
  const { medianBytes, baskets } = measure;
  if (baskets < 2000 || medianBytes >= 2000) return undefined;
  const evidence = `Half of the ${formatCount(baskets)} pages have less than ${formatBytes(medianBytes)}.`;
  return finding(layout, 'small-pages', 'poor', evidence, {
    numbers: { medianBytes, pages: baskets },
    costs: layoutCosts(layout),
    remedies: [
      {
        for: 'RNTuple',
        lines: [
          'ROOT::RNTupleWriteOptions options;',
          'options.SetMaxUnzippedPageSize(1024 * 1024);',
          'options.SetApproxZippedClusterSize(128 * 1024 * 1024);',
        ],
      },
    ],
  });
}

function largeClusters(layout: TreeLayout, measure: LayoutMeasure): DoctorFinding | undefined {
  const clusters = layout.clusterStart.length;
  const most = layout.tree.kind === 'RNTuple' ? 250e6 : 100e6;
  if (clusters === 0 || measure.largestWindow < most) return undefined;
  const evidence = `The largest of ${formatCount(clusters)} clusters has ${formatBytes(measure.largestWindow)}: that much has to be in memory at once, and there are few parts to share among threads.`;
  return finding(layout, 'large-clusters', measure.largestWindow > 4 * most ? 'bad' : 'poor', evidence, {
    numbers: { largest: measure.largestWindow, clusters },
    remedies: rewrite(layout),
  });
}

function smallClusters(layout: TreeLayout, measure: LayoutMeasure): DoctorFinding | undefined {
  const clusters = layout.clusterStart.length;
  const average = measure.stored / Math.max(1, clusters);
  if (clusters < 50 || average > 500_000) return undefined;
  const evidence = `${formatCount(clusters)} clusters of ${formatBytes(average)} on average: reading a branch takes as many small reads. Files merged without rewriting often look like this.`;
  return finding(layout, 'small-clusters', average < 100_000 ? 'bad' : 'poor', evidence, {
    numbers: { average, clusters },
    costs: layout.tree.kind === 'TTree' ? layoutCosts(layout) : [],
    remedies: rewrite(layout),
  });
}

function compression(layout: TreeLayout): DoctorFinding[] {
  const { tree, compress } = layout;
  const byCodec = new Map<string, { bytes: number; total: number; branches: number }>();
  for (const branch of tree.branches) {
    if (branch.kind === 'group' || branch.storedBytes === 0) continue;
    const name = codecName(compress[branch.index] ?? -1);
    const sum = byCodec.get(name) ?? { bytes: 0, total: 0, branches: 0 };
    byCodec.set(name, {
      bytes: sum.bytes + branch.storedBytes,
      total: sum.total + branch.totalBytes,
      branches: sum.branches + 1,
    });
  }
  const found: DoctorFinding[] = [];
  const none = byCodec.get('none');
  if (none && none.bytes > 1_000_000 && none.bytes > 0.2 * tree.storedBytes) {
    const evidence = `${formatCount(none.branches)} branches with ${formatBytes(none.bytes)} are stored as they are.`;
    found.push(finding(layout, 'uncompressed', 'poor', evidence, { numbers: none, remedies: recompress() }));
  }
  const lzma = byCodec.get('lzma');
  if (lzma && lzma.bytes > 1_000_000 && lzma.bytes > 0.2 * tree.storedBytes) {
    const evidence = `${formatBytes(lzma.bytes)} are compressed by LZMA (factor ${(lzma.total / lzma.bytes).toFixed(2)}): reading is several times slower than with zstd, for about 10 % fewer bytes. Right for archives, not for analysis.`;
    found.push(
      finding(layout, 'slow-compression', 'poor', evidence, { numbers: lzma, remedies: recompress() }),
    );
  }
  // Of the fields of an RNTuple see `encodings`.
  const useless = tree.branches.filter(
    ({ index, kind, totalBytes, storedBytes }) =>
      tree.kind === 'TTree' &&
      kind !== 'group' &&
      storedBytes > 100_000 &&
      (compress[index] ?? 0) % 100 > 0 &&
      totalBytes < 1.05 * storedBytes,
  );
  const bytes = useless.reduce((sum, branch) => sum + branch.storedBytes, 0);
  if (bytes > 0.1 * tree.storedBytes) {
    const evidence = `${formatCount(useless.length)} branches with ${formatBytes(bytes)} (${percent(bytes / tree.storedBytes)}) shrink by less than 5 %.`;
    found.push(
      finding(layout, 'poor-compression', 'note', evidence, {
        numbers: { branches: useless.length, bytes },
        branches: paths(useless),
        remedies: [
          {
            for: 'ROOT',
            lines: useless
              .slice(0, LISTED)
              .map(({ name }) => `tree->GetBranch(${quoted(name)})->SetCompressionLevel(0);`),
          },
        ],
      }),
    );
  }
  return found;
}

function encodings(layout: TreeLayout): DoctorFinding[] {
  const { plain, noisy } = poorEncodings(layout);
  return [
    encoding(
      layout,
      plain,
      'are compressed without being split into planes of bytes, which makes them larger than they need be.',
      (branch) =>
        `model->GetMutableField(${quoted(dotted(branch))}).SetColumnRepresentatives({{${splitColumns(layout, branch)}}});`,
    ),
    encoding(
      layout,
      noisy,
      `hold numbers that shrink by less than ${percent(LEAST_SAVED)}: their last bits are random, and cost what the rest does. If so many are not needed:`,
      (branch) =>
        `dynamic_cast<ROOT::RField<${branch.typeName.includes('double') ? 'double' : 'float'}> &>(model->GetMutableField(${quoted(dotted(branch))})).SetTruncated(16);  // bits`,
    ),
  ].filter((found) => found !== undefined);
}

function encoding(
  layout: TreeLayout,
  fields: readonly FieldBytes[],
  what: string,
  line: (branch: BranchInfo) => string,
): DoctorFinding | undefined {
  if (fields.length === 0) return undefined;
  const bytes = fields.reduce((sum, field) => sum + field.bytes, 0);
  const branches = fields.map(({ branch }) => branch);
  const share = bytes / Math.max(1, layout.tree.storedBytes);
  const named = `${formatCount(fields.length)} ${fields.length === 1 ? 'field' : 'fields'} with ${formatBytes(bytes)} (${percent(share)})`;
  return finding(layout, 'poor-encoding', 'note', `${named} ${what}`, {
    numbers: { fields: fields.length, bytes, share },
    branches: paths(branches),
    place: firstPage(layout, branches[0]),
    remedies: [{ for: 'RNTuple', lines: branches.slice(0, LISTED).map(line) }],
  });
}

/** The first page of a field that lies in the file. */
function firstPage(
  { basketStart, offset, storedBytes }: TreeLayout,
  branch: BranchInfo | undefined,
): DoctorFinding['place'] {
  const i = basketStart[branch?.index ?? 0] ?? 0;
  return branch && { offset: offset[i] ?? 0, length: storedBytes[i] ?? 0 };
}

/** The name of a field as RNTuple writes it. */
function dotted({ path }: BranchInfo): string {
  return path.replaceAll('/', '.');
}

function emptyBranches(layout: TreeLayout): DoctorFinding | undefined {
  const leaves = layout.tree.branches.filter(({ kind }) => kind !== 'group');
  const empty = leaves.filter(({ baskets, totalBytes }) => baskets === 0 || totalBytes === 0);
  const share = empty.length / Math.max(1, leaves.length);
  if (empty.length < 10 || share < 0.05) return undefined;
  const evidence = `${formatCount(empty.length)} of ${formatCount(leaves.length)} branches (${percent(share)}) have no data; opening the tree reads their description all the same.`;
  return finding(layout, 'empty-branches', share > 0.3 ? 'poor' : 'note', evidence, {
    numbers: { branches: empty.length, share },
    branches: paths(empty),
    remedies: [drop(layout, empty)],
  });
}

/** Branches that compress so well that their values can hardly differ, those that do best first. */
export function likelyConstants({ tree }: TreeLayout): BranchInfo[] {
  return tree.branches
    .filter(
      ({ kind, totalBytes, storedBytes }) =>
        kind !== 'group' && storedBytes > 0 && totalBytes > 20_000 && totalBytes > 30 * storedBytes,
    )
    .sort((a, b) => b.totalBytes / b.storedBytes - a.totalBytes / a.storedBytes);
}

/** `sure` are those whose values were read and are all equal. */
export function constantBranches(
  layout: TreeLayout,
  constant = likelyConstants(layout),
  sure: readonly BranchInfo[] = [],
): DoctorFinding | undefined {
  const [most] = constant;
  if (most === undefined) return undefined;
  const named = sure.slice(0, LISTED).map(({ path }) => path);
  if (sure.length > named.length) named.push('…');
  const count = sure.length === 1 ? 'one branch' : `${formatCount(sure.length)} branches`;
  const known =
    sure.length > 0 ? ` One and the same value in all entries: ${count} (${named.join(', ')}).` : '';
  const evidence = `${constant.length === 1 ? 'One branch shrinks' : `${formatCount(constant.length)} branches shrink`} more than 30 times (${most.path}: ${(most.totalBytes / most.storedBytes).toFixed(0)} times): the values are the same, or nearly, in most entries.${known}`;
  return finding(layout, 'constant-branches', 'note', evidence, {
    numbers: {
      branches: constant.length,
      ...(sure.length > 0 && { sure: sure.length }),
      bytes: constant.reduce((sum, branch) => sum + branch.totalBytes, 0),
    },
    branches: paths([...sure, ...constant.filter((branch) => !sure.includes(branch))]),
    place: firstPage(layout, sure[0] ?? most),
    remedies: [drop(layout, sure.length > 0 ? sure : constant)],
  });
}

/** Branches whose baskets have the same sizes, one for one: only reading tells whether their bytes are the same. */
export function duplicateBranches(
  layout: TreeLayout,
  same = likelyDuplicates(layout),
  sure = false,
): DoctorFinding | undefined {
  const [first] = same;
  if (first === undefined) return undefined;
  const bytes = same.reduce((sum, [one, ...others]) => sum + others.length * (one?.storedBytes ?? 0), 0);
  const groups = same.length === 1 ? 'One group' : `${formatCount(same.length)} groups`;
  const have = sure
    ? 'the same values in every entry'
    : 'baskets of exactly the same sizes, likely with the same values';
  const names = first.map(({ path }) => path).slice(0, 3);
  const evidence = `${groups} of branches with ${have}: ${names.join(', ')}; ${formatBytes(bytes)} too much.`;
  return finding(layout, 'duplicate-branches', sure ? 'poor' : 'note', evidence, {
    numbers: { groups: same.length, bytes },
    branches: paths(same.flat()),
    remedies: [
      drop(
        layout,
        same.flatMap((group) => group.slice(1)),
      ),
    ],
  });
}

/**
 * Groups of branches of the same type whose baskets are alike in entries and in stored bytes; of which only
 * the sums are about the same, where `loose`.
 */
export function likelyDuplicates(layout: TreeLayout, loose = false): BranchInfo[][] {
  const { tree, basketStart, storedBytes, firstEntry } = layout;
  const groups = new Map<string, BranchInfo[]>();
  for (const branch of tree.branches) {
    const { index, typeName, baskets } = branch;
    // Small ones are alike by chance, and numbers that do not vary too.
    if (branch.kind === 'group' || branch.storedBytes < 4000 || branch.totalBytes > 30 * branch.storedBytes)
      continue;
    const from = basketStart[index] ?? 0;
    const to = basketStart[index + 1] ?? 0;
    if (to - from < 2) continue;
    const sizes = Array.from(
      storedBytes.subarray(from, to),
      (bytes, i) => `${bytes - nameBytes(branch)}@${firstEntry[from + i]}`,
    );
    const key = loose ? branch.totalBytes - baskets * nameBytes(branch) : sizes.join();
    const group = groups.get(`${typeName} ${key}`);
    if (group) group.push(branch);
    else groups.set(`${typeName} ${key}`, [branch]);
  }
  return [...groups.values()]
    .flatMap((group) => (loose ? closeInSize(group) : [group]))
    .filter(({ length }) => length > 1);
}

/** Parts of a group whose stored bytes differ by less than 1 %. */
function closeInSize(group: readonly BranchInfo[]): BranchInfo[][] {
  const parts: BranchInfo[][] = [];
  for (const branch of [...group].sort((a, b) => a.storedBytes - b.storedBytes)) {
    const last = parts.at(-1);
    const first = last?.[0];
    if (last && first && branch.storedBytes < 1.01 * first.storedBytes) last.push(branch);
    else parts.push([branch]);
  }
  return parts;
}

/** A basket's key holds the name of its branch. */
function nameBytes({ name }: BranchInfo): number {
  return name.length;
}

/** How to write the tree anew: in clusters, with buffers that fit. */
function rewrite(layout: TreeLayout): DoctorRemedy[] {
  const { tree } = layout;
  if (tree.kind === 'RNTuple') return recompress();
  const entries = Math.max(1, Math.round((tree.entries * CLUSTER_BYTES) / Math.max(1, tree.storedBytes)));
  const { sizes, memory } = optimizedBaskets(layout, BUFFER_MEMORY, Math.min(entries, tree.entries));
  const largest = tree.branches
    .filter(({ index, kind }) => kind !== 'group' && sizes[index] !== layout.basketSize[index])
    .sort((a, b) => b.storedBytes - a.storedBytes)
    .slice(0, LISTED);
  return [
    { for: 'hadd', lines: ['hadd -O -f505 new.root old.root'] },
    {
      for: 'ROOT',
      lines: [
        `tree->SetAutoFlush(${Math.min(entries, tree.entries)});  // clusters of about ${formatBytes(CLUSTER_BYTES)}`,
        `tree->OptimizeBaskets(${BUFFER_MEMORY}, 1.1);  // or, as it would, ${formatBytes(memory)} in all:`,
        ...largest.map(({ name, index }) => `tree->SetBasketSize(${quoted(name)}, ${sizes[index]});`),
      ],
    },
    {
      for: 'RDataFrame',
      lines: [
        'ROOT::RDF::RSnapshotOptions options;',
        `options.fAutoFlush = ${Math.min(entries, tree.entries)};`,
        'options.fCompressionAlgorithm = ROOT::RCompressionSetting::EAlgorithm::kZSTD; options.fCompressionLevel = 5;',
        `ROOT::RDataFrame(${quoted(tree.path)}, "old.root").Snapshot(${quoted(tree.path)}, "new.root", "", options);`,
      ],
    },
    {
      for: 'CMSSW',
      lines: [
        `process.out.eventAutoFlushCompressedSize = cms.untracked.int32(${CLUSTER_BYTES})`,
        'process.out.compressionAlgorithm = cms.untracked.string("ZSTD")',
        'process.out.compressionLevel = cms.untracked.int32(5)',
      ],
    },
  ];
}

function recompress(): DoctorRemedy[] {
  return [
    { for: 'hadd', lines: ['hadd -f505 new.root old.root'] },
    { for: 'ROOT', lines: ['file->SetCompressionSettings(505);  // zstd, level 5; before the tree is made'] },
  ];
}

function drop({ tree }: TreeLayout, branches: readonly BranchInfo[]): DoctorRemedy {
  const more = branches.length > LISTED ? [`// and ${formatCount(branches.length - LISTED)} more`] : [];
  const listed = branches.slice(0, LISTED);
  if (tree.kind === 'RNTuple') {
    const names = listed.map((branch) => quoted(dotted(branch))).join(', ');
    return {
      for: 'RDataFrame',
      lines: [
        `ROOT::RDataFrame frame(${quoted(tree.path)}, "old.root");`,
        'auto columns = frame.GetColumnNames();',
        `for (std::string field : {${names}}) columns.erase(std::remove(columns.begin(), columns.end(), field), columns.end());`,
        ...more,
        'ROOT::RDF::RSnapshotOptions options;',
        'options.fOutputFormat = ROOT::RDF::ESnapshotOutputFormat::kRNTuple;',
        `frame.Snapshot(${quoted(tree.path)}, "new.root", columns, options);`,
      ],
    };
  }
  const lines = listed.map(({ name }) => `tree->SetBranchStatus(${quoted(name)}, false);`);
  return { for: 'ROOT', lines: [...lines, ...more, 'tree->CloneTree(-1, "fast");'] };
}

function smallest({ tree }: TreeLayout): BranchInfo[] {
  return tree.branches
    .filter(({ kind, baskets }) => kind !== 'group' && baskets > 0)
    .sort((a, b) => a.storedBytes / a.baskets - b.storedBytes / b.baskets)
    .slice(0, NAMED);
}

function paths(branches: readonly BranchInfo[]): string[] {
  return branches.slice(0, NAMED).map(({ path }) => path);
}

/** A C++ string literal. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

function codecName(settings: number): string {
  if (settings < 0) return 'unknown';
  if (settings % 100 === 0) return 'none';
  return ['zlib', 'zlib', 'lzma', 'old', 'lz4', 'zstd'][Math.floor(settings / 100)] ?? 'unknown';
}

function median(values: Float64Array): number {
  return values.slice().sort()[values.length >> 1] ?? 0;
}

function percent(share: number): string {
  const value = 100 * share;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} %`;
}
