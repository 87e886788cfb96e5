import type { BranchInfo, EntrySelection, TreeLayout } from '../../../api/api';
import type { NamedLink } from '../../../api/doctor';
import type { LinkEstimate } from '../../../io/link';
import { chooseEntries } from '../../../model/entry-choice';
import { basketLayout, withNeeded } from '../../../reads/basket-layout';
import type { SourceKind } from '../../../reads/planned';
import { type Calibration, cpuTimer } from './cpu/calibration';
import type { Program, Strategy } from './programs';
import { counter, diskMs, linkMs, type Outcome, type ReadCounts } from './simulate';
import type { Row } from './whatif-report';

/** The tables of the talks on caches and links. */
export const TABLES = ['links', 'caches', 'readahead', 'shares', 'visits'] as const;
export type TableKind = (typeof TABLES)[number];

/** A part of a tree that is read. */
export interface Part {
  chosen: readonly BranchInfo[];
  /** Set for a recorded reading: the list of branches is complete. */
  recorded?: boolean | undefined;
  entries: EntrySelection | undefined;
}

/** A tree of a file, and what is lent to cost its readings. */
export interface Costed {
  /** Name of the file, where several are compared. */
  file?: string | undefined;
  layout: TreeLayout;
  calibration: Calibration;
  source: SourceKind;
  /** Returns what a reading costs with xylem. */
  xylem(part: Part, link: LinkEstimate, source: SourceKind): Promise<Omit<Outcome, 'strategy'>>;
}

/** Words that tell rows of a table apart. */
type Labels = Pick<Row, 'link' | 'file' | 'reading' | 'visit'>;

/** The place from which a part is read. */
type From = LinkEstimate & Pick<NamedLink, 'isDisk'>;

/** Costs readings of one part with several programs: their reads are simulated once for all links. */
export class PartCosts {
  /** Number of branches that ROOT reads. */
  readonly branches: number;
  readonly #costed: Costed;
  readonly #part: Part;
  readonly #count: (strategy: Strategy) => ReadCounts;
  readonly #known = new Map<string, ReadCounts>();
  readonly #time: ReturnType<typeof cpuTimer>;

  constructor(costed: Costed, part: Part) {
    const { layout, calibration } = costed;
    const needed = part.recorded ? part.chosen : withNeeded(layout.tree, part.chosen, layout.source);
    const branches = needed.map(({ index }) => index);
    const entries = chooseEntries(part.entries, layout.tree.entries);
    this.branches = branches.length;
    this.#costed = costed;
    this.#part = part;
    this.#count = counter(basketLayout(layout), { branches, entries });
    this.#time = cpuTimer(layout, { branches, entries }, calibration);
  }

  async row(strategy: Program, link: From, labels: Labels = {}): Promise<Row> {
    const outcome = await this.#outcome(strategy, link);
    return { ...labels, ...outcome, ...this.#time(strategy, outcome.ms) };
  }

  /** A reading that waits for nothing, because all bytes are in memory or in a cache. */
  async rowOfMemory(strategy: Program, labels: Labels): Promise<Row> {
    const nothing = { calls: 0, trips: 0, bytes: 0, overread: 0, ms: 0 };
    return { ...labels, strategy, ...nothing, ...this.#time(strategy, 0) };
  }

  async #outcome(strategy: Program, link: From): Promise<Outcome> {
    const { source, xylem } = this.#costed;
    if (strategy.kind === 'xylem')
      return { strategy, ...(await xylem(this.#part, link, link.isDisk ? 'local' : source)) };
    const key = JSON.stringify(strategy);
    const counts = this.#known.get(key) ?? this.#count(strategy);
    this.#known.set(key, counts);
    return { strategy, ...counts, ms: link.isDisk ? diskMs(counts, link) : linkMs(strategy, counts, link) };
  }
}

/** The sizes of caches of the talk: none, one that is too small, the default of that time, and two that are large. */
const CACHE_SIZES = [64e3, 10e6, 30e6, 200e6];
const READ_AHEADS = [64e3, 256e3, 1e6, 2e6, 10e6];
const SHARES = [1, 0.1, 0.01];
/** A hard disk: 5 ms for a seek, 150 MB/s. */
const DISK: From = { latencyMs: 5, bytesPerMs: 150_000, isDisk: true };

/** Programs with caches of these sizes in bytes; 0 is no cache. */
export function cachePrograms(kind: 'TTree' | 'RNTuple', sizes: readonly number[] = CACHE_SIZES): Program[] {
  if (kind === 'RNTuple') return [{ kind: 'none' }, { kind: 'pool' }, { kind: 'xylem' }];
  const caches = sizes.map((bytes): Program => ({ kind: 'cache', bytes }));
  return [{ kind: 'none' }, ...caches, { kind: 'xylem' }];
}

/** One program of each kind. */
function programs(kind: 'TTree' | 'RNTuple'): Program[] {
  const root: Program = kind === 'RNTuple' ? { kind: 'pool' } : { kind: 'cache', bytes: 30e6 };
  return [{ kind: 'none' }, root, { kind: 'uproot' }, { kind: 'xylem' }];
}

interface Asked {
  part: Part;
  /** The link of tables of one link. */
  link: LinkEstimate;
  /** The links of the table of links. */
  links: readonly NamedLink[];
  /** Sizes of caches in bytes. */
  caches: readonly number[] | undefined;
  /** Whether the entries are those of a list, so that shares of them are not told. */
  listed: boolean;
}

/** Returns the rows of a table. */
export async function tableRows(table: TableKind, costed: Costed, asked: Asked): Promise<Row[]> {
  const { kind } = costed.layout.tree;
  const { part, link, links, caches } = asked;
  const rows: Row[] = [];
  const add = async (costs: PartCosts, those: readonly Program[], from: From, labels: Labels) => {
    for (const program of those) rows.push(await costs.row(program, from, labels));
  };
  switch (table) {
    case 'links': {
      const costs = new PartCosts(costed, part);
      for (const one of links) await add(costs, cachePrograms(kind, caches), one, { link: one });
      break;
    }
    case 'caches':
      await add(new PartCosts(costed, part), cachePrograms(kind, caches), link, { file: costed.file });
      break;
    case 'readahead': {
      const aheads: Program[] = [
        { kind: 'none' },
        ...READ_AHEADS.map((bytes) => ({ kind: 'readahead', bytes }) as const),
      ];
      for (const [reading, one] of readAheadParts(costed, part))
        await add(new PartCosts(costed, one), aheads, link, { reading });
      break;
    }
    case 'shares':
      for (const [reading, one] of shareParts(costed, asked))
        await add(new PartCosts(costed, one), programs(kind), link, { reading });
      break;
    case 'visits': {
      const costs = new PartCosts(costed, part);
      await add(costs, programs(kind), DISK, { visit: 'disk, cold' });
      for (const program of programs(kind))
        rows.push(await costs.rowOfMemory(program, { visit: 'disk, warm' }));
      await add(costs, programs(kind), link, { visit: 'link, first visit' });
      for (const program of programs(kind)) {
        const labels = { visit: 'link, second visit' };
        // Only xylem keeps bytes from one visit to the next.
        if (program.kind === 'xylem') rows.push(await costs.rowOfMemory(program, labels));
        else rows.push(await costs.row(program, link, labels));
      }
    }
  }
  return rows;
}

/** Reading ahead is good for all branches, and bad for two of many and for a few entries here and there. */
function readAheadParts({ layout }: Costed, part: Part): [string, Part][] {
  const { chosen } = part;
  const stored = chosen.filter(({ storedBytes }) => storedBytes > 0);
  const two = [1, 2].flatMap((third) => stored[Math.floor((third * stored.length) / 3)] ?? []);
  const entries = sampleOf(part.entries, 0.01, layout.tree.entries);
  return [
    [`${chosen.length} branches`, part],
    ...(stored.length > 2
      ? [[`2 of ${chosen.length} branches`, { chosen: two, entries: part.entries }] satisfies [string, Part]]
      : []),
    ...(entries === undefined
      ? []
      : [['1 % of the entries, random', { ...part, entries }] satisfies [string, Part]]),
  ];
}

function shareParts({ layout }: Costed, { part, listed }: Asked): [string, Part][] {
  if (listed) return [['the listed entries', part]];
  const { entries: total } = layout.tree;
  const { from, to } = chooseEntries(part.entries, total);
  return SHARES.flatMap((share): [string, Part][] => {
    const percent = `${100 * share} %`;
    if (share === 1) return [[percent, part]];
    const first = Math.max(from, Math.min(to, from + Math.ceil(share * (to - from))));
    const random = sampleOf(part.entries, share, total);
    return [
      [`${percent}, the first entries`, { ...part, entries: [from, first] }],
      ...(random === undefined
        ? []
        : [[`${percent}, random entries`, { ...part, entries: random }] satisfies [string, Part]]),
    ];
  });
}

/** A random part of the entries of a range; undefined of other choices. */
function sampleOf(
  entries: EntrySelection | undefined,
  fraction: number,
  total: number,
): EntrySelection | undefined {
  if (entries === undefined) return { fraction };
  const { from, to, contiguous } = chooseEntries(entries, total);
  return contiguous ? { fraction, within: [from, to] } : undefined;
}
