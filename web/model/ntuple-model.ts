import type { BranchInfo, EntrySelection, TreeInfo } from '../api/api';
import { joined } from '../base/bytes';
import { unsupported } from '../base/data-errors';
import { toXylemError } from '../base/errors';
import type { Core } from '../core/core';
import type { CoreFile } from '../core/file-core';
import { CoreNtuple, type NtupleLinks, type NtuplePieces, type OffsetPages } from '../core/ntuple-core';
import type { DecodePlan } from '../core/tree-core';
import type { ByteReader, ReadOptions } from '../io/fetch/reader';
import { estimateLink } from '../io/link';
import type { Range } from '../io/source';
import { branchInfos, findBranch } from './branch-table';
import type { DataModel } from './data-model';
import { ofBranch } from './data-model';
import { chooseEntries, type EntryChoice } from './entry-choice';
import { layoutOfNtuple, type ModelLayout } from './layout';
import { DecodeUnitList, type DecodeUnitNumbers } from './slice-list';

/**
 * Chosen entries are planned in steps of this many entries, more than a cluster has, because a full list could be
 * long.
 */
const PLANNED_ENTRIES = 2 ** 24;

/** If a step has fewer numbers than this in its list of chosen entries, the next step is twice as long. */
const SHORT_LIST = 2 ** 16;

/** Maximum depth of nested collections whose offsets are read before their elements. */
const MAX_LEVELS = 4;
/** Number of bytes that may be read to save a round trip, if the link is unknown or not a network. */
const DEFAULT_WORTH_BYTES = 64 * 1024;

/** Reads and decodes parts of the file: see `readSound`. Throws CORRUPT for a range outside of it. */
export type ReadParts = <T>(
  ranges: Range[],
  purpose: string,
  options: ReadOptions,
  decode: (bytes: Uint8Array[]) => T,
) => Promise<T>;

/** The record of an RNTuple's key, and the positions in it. */
interface Anchor {
  record: Uint8Array;
  links: NtupleLinks;
}

/** Reads an anchor. Throws CORRUPT, CHECKSUM and UNSUPPORTED. */
export function readAnchor(file: CoreFile, record: Uint8Array): Anchor {
  const ntuple = new CoreNtuple(file, record);
  try {
    return { record, links: ntuple.links() };
  } finally {
    ntuple.close();
  }
}

/** An RNTuple of an open file: its fields, pages and decode plans. */
export class NtupleModel implements DataModel {
  readonly #ntuple: CoreNtuple;
  readonly #links: NtupleLinks;
  readonly #read: ReadParts;
  /** Cluster groups whose page lists have been read. */
  readonly #known = new Set<number>();
  #compress: ArrayLike<number>;
  readonly info: TreeInfo;
  readonly core: Core;
  knownEntries = 0;

  private constructor(
    ntuple: CoreNtuple,
    path: string,
    readonly reader: ByteReader,
    read: ReadParts,
  ) {
    this.#ntuple = ntuple;
    this.core = ntuple.file.core;
    this.#links = ntuple.links();
    this.#read = read;
    const table = ntuple.describe();
    const { name, title, className, entries, totalBytes, storedBytes, attributeSets } = table;
    this.#compress = table.branches.compress;
    const branches = branchInfos(table.branches, 'RNTuple', (parent, field) => pathOf(parent, field));
    this.info = { path, name, title, kind: 'RNTuple', className, entries, totalBytes, storedBytes, branches };
    if (attributeSets) this.info.attributeSets = attributeSets;
  }

  /** Reads header and footer. Throws CORRUPT, CHECKSUM and UNSUPPORTED. */
  static async open(
    file: CoreFile,
    { record, links }: Anchor,
    path: string,
    reader: ByteReader,
    read: ReadParts,
    options: ReadOptions,
  ): Promise<NtupleModel> {
    return read(
      [
        { offset: links.headerSeek, length: links.headerBytes },
        { offset: links.footerSeek, length: links.footerBytes },
      ],
      'header and footer',
      options,
      ([header = new Uint8Array(0), footer = new Uint8Array(0)]) => {
        const ntuple = new CoreNtuple(file, record);
        try {
          ntuple.add('header', header);
          ntuple.add('footer', footer);
          return new NtupleModel(ntuple, path, reader, read);
        } catch (thrown) {
          ntuple.close();
          throw thrown;
        }
      },
    );
  }

  async prepare(
    entries: EntrySelection | undefined,
    options: ReadOptions,
    branches: readonly BranchInfo[] = [],
  ): Promise<void> {
    const choice = chooseEntries(entries, this.info.entries);
    await this.#readPageLists(choice, options);
    const all = choice.bounds(0, this.info.entries);
    if (all && all.rows < this.info.entries) await this.#readOffsets(branches, choice, options);
  }

  /**
   * Reads the offsets that tell which elements of collections the chosen entries have, so that only their pages are
   * read. Continues level by level while that saves more bytes than a round trip is worth. Errors are ignored here,
   * because they occur again when the values are read.
   */
  async #readOffsets(
    branches: readonly BranchInfo[],
    choice: EntryChoice,
    options: ReadOptions,
  ): Promise<void> {
    const spans = choice.spans(choice.from, Math.min(choice.to, choice.from + PLANNED_ENTRIES));
    let left = branches.filter(({ kind }) => kind !== 'group');
    for (let level = 0; left.length > 0 && level < MAX_LEVELS; level++) {
      const requests = left.map((branch) => this.#offsetPagesOf(branch, spans));
      left = left.filter((_, i) => (requests[i]?.seeks.length ?? 0) > 0);
      const spared = requests.reduce((sum, request) => sum + (request?.spared ?? 0), 0);
      if (spared < this.#worthOfRoundTrip()) return;
      const wanted = requests.flatMap((request) => (request ? [...headsOf(request)] : []));
      try {
        await this.#read(
          wanted.map(({ range }) => range),
          'offsets',
          options,
          (pages) => {
            for (const [i, { head }] of wanted.entries())
              this.#ntuple.addOffsetPage(head, pages[i] ?? new Uint8Array(0));
          },
        );
      } catch (thrown) {
        if (toXylemError(thrown).code === 'ABORTED') throw thrown;
        return;
      }
    }
  }

  /** Returns undefined for a field that cannot be decoded. */
  #offsetPagesOf(branch: BranchInfo, spans: Float64Array): OffsetPages | undefined {
    try {
      return this.#ntuple.offsetPages(branch.index, spans);
    } catch {
      return undefined;
    }
  }

  #worthOfRoundTrip(): number {
    const link = estimateLink(this.reader.trace.records());
    return link ? link.latencyMs * link.bytesPerMs : DEFAULT_WORTH_BYTES;
  }

  /** Reads the page lists of the cluster groups with chosen entries, in few simultaneous requests. */
  async #readPageLists(choice: EntryChoice, options: ReadOptions): Promise<void> {
    const groups = this.#groupsOf(choice);
    const { pageListSeeks, pageListBytes } = this.#links;
    const ranges = groups.map((i) => ({ offset: pageListSeeks[i] ?? 0, length: pageListBytes[i] ?? 0 }));
    if (groups.length === 0) return;
    await this.#read(ranges, 'page lists', options, (lists) => {
      for (const [i, group] of groups.entries()) {
        // Another caller may have read it in the meantime.
        if (this.#known.has(group)) continue;
        this.#ntuple.addPageList(group, lists[i] ?? new Uint8Array(0));
        this.#known.add(group);
        const [first, end] = this.#firstAndEndOf(group);
        this.knownEntries += end - first;
      }
    });
    this.#countSizes();
  }

  /** Returns the cluster groups with chosen entries whose page lists have not been read. */
  #groupsOf(choice: EntryChoice): number[] {
    const groups: number[] = [];
    for (let i = 0; i < this.#links.groupFirsts.length; i++) {
      const [first, end] = this.#firstAndEndOf(i);
      if (!this.#known.has(i) && first < end && choice.next(first) < end) groups.push(i);
    }
    return groups;
  }

  #firstAndEndOf(group: number): [first: number, end: number] {
    const { groupFirsts } = this.#links;
    return [groupFirsts[group] ?? 0, groupFirsts[group + 1] ?? this.info.entries];
  }

  #countSizes(): void {
    const { totalBytes, storedBytes, branches } = this.#ntuple.describe();
    this.#compress = branches.compress;
    Object.assign(this.info, { totalBytes, storedBytes });
    for (const branch of this.info.branches) {
      branch.baskets = branches.baskets[branch.index] ?? 0;
      branch.totalBytes = branches.totalBytes[branch.index] ?? 0;
      branch.storedBytes = branches.storedBytes[branch.index] ?? 0;
    }
  }

  branch(which: number | string): BranchInfo {
    return findBranch(this.info, which);
  }

  plan(branch: BranchInfo): DecodePlan {
    return ofBranch(this.info, branch, () => this.#ntuple.plan(branch.index));
  }

  rawPlan(branch: BranchInfo): DecodePlan {
    throw unsupported(
      `Entries of the field "${branch.path}" have no bytes of their own: an RNTuple keeps them as pages of columns.`,
      'Read its values instead.',
      { path: `${this.info.path}/${branch.path}` },
    );
  }

  /** Returns the parts of clusters with chosen entries, in entry order. */
  units(branch: BranchInfo, choice: EntryChoice): DecodeUnitList {
    const tables: NtuplePieces[] = [];
    let step = choice.contiguous ? choice.to : PLANNED_ENTRIES;
    for (let from = choice.from; from < choice.to; ) {
      const end = Math.min(choice.to, from + step);
      const spans = choice.spans(from, end);
      tables.push(ofBranch(this.info, branch, () => this.#ntuple.pieces(branch.index, spans)));
      // A cluster may claim any number of entries. If the list is short, the steps become longer.
      if (spans.length < SHORT_LIST) step *= 2;
      from = end;
    }
    return unitsOf(tables, choice);
  }

  layout(): ModelLayout {
    const links = this.#links;
    const parts = [
      { name: 'header', offset: links.headerSeek, length: links.headerBytes },
      { name: 'footer', offset: links.footerSeek, length: links.footerBytes },
      ...Array.from(links.pageListSeeks, (offset, i) => ({
        name: `page list ${i}`,
        offset,
        length: links.pageListBytes[i] ?? 0,
      })),
    ];
    return layoutOfNtuple(this.info, this.#ntuple.layout(), this.#compress, parts);
  }

  close(): void {
    this.#ntuple.close();
  }
}

function* headsOf(requests: OffsetPages): Generator<{ range: Range; head: Uint8Array }> {
  let start = 0;
  for (const [i, offset] of requests.seeks.entries()) {
    const end = requests.headEnds[i] ?? start;
    yield { range: { offset, length: requests.sizes[i] ?? 0 }, head: requests.heads.subarray(start, end) };
    start = end;
  }
}

/** Joins the units of several tables to one list. */
function unitsOf(tables: readonly NtuplePieces[], choice: EntryChoice): DecodeUnitList {
  const join = (list: (table: NtuplePieces) => ArrayLike<number>): Float64Array =>
    Float64Array.from(tables.flatMap((table) => Array.from(list(table))));
  const joinEnds = (ends: (table: NtuplePieces) => Int32Array): Float64Array => {
    let before = 0;
    return Float64Array.from(
      tables.flatMap((table) => {
        const own = Array.from(ends(table), (end) => before + end);
        before = own.at(-1) ?? before;
        return own;
      }),
    );
  };
  const clusters = join(({ clusters: numbers }) => numbers);
  const heads = joinEnds(({ headEnds }) => headEnds);
  const first = join(({ firsts }) => firsts);
  const numbers: DecodeUnitNumbers = {
    first,
    from: join(({ from }) => from),
    to: join(({ to }) => to),
    rows: new Float64Array(first.length),
    offset: join(({ seeks }) => seeks),
    size: join(({ sizes }) => sizes),
    ends: { ranges: joinEnds(({ rangeEnds }) => rangeEnds), heads },
  };
  for (let i = 0; i < first.length; i++) {
    const start = first[i] ?? 0;
    const bounds = choice.bounds(start + (numbers.from[i] ?? 0), start + (numbers.to[i] ?? 0));
    numbers.from[i] = (bounds?.from ?? start) - start;
    numbers.to[i] = (bounds?.to ?? start) - start;
    numbers.rows[i] = bounds?.rows ?? 0;
  }
  const all = tables.map((table) => table.heads);
  const bytes = all.length === 1 && all[0] ? all[0] : joined(all);
  return new DecodeUnitList(numbers, choice, {
    kind: 'Cluster',
    numberOf: (index) => clusters[index] ?? 0,
    headOf: (index) => bytes.subarray(heads[index - 1] ?? 0, heads[index] ?? 0),
  });
}

/**
 * Joins names by dots, because field names cannot contain dots. A member of the elements of a collection is named
 * without the element, `muons.pt`, as in RDataFrame. The element itself is `muons._0`.
 */
function pathOf(parent: BranchInfo, name: string): string {
  const element = parent.depth > 0 && parent.name === '_0' && parent.path.endsWith('._0');
  const above = element && !/^_\d+$/.test(name) ? parent.path.slice(0, -'._0'.length) : parent.path;
  return `${above}.${name}`;
}
