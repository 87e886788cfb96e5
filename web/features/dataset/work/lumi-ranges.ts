/** Consecutive luminosity blocks of a run. */
export type LumiRange = [run: number, first: number, last: number];

/** Luminosity blocks with entries in several files. */
export interface SharedLumis {
  /** Names of the files, in the given order. */
  files: string[];
  ranges: LumiRange[];
}

/** Maximum number of luminosity blocks of a file that are compared. */
export const MAX_LUMIS = 100_000;

/** Collects the luminosity blocks of entries. */
export class LumiCollector {
  readonly #runs = new Map<number, Set<number>>();
  #count = 0;

  /** Adds the blocks of some entries. Returns false if there are more than MAX_LUMIS. */
  add(runs: ArrayLike<number | bigint>, lumis: ArrayLike<number | bigint>): boolean {
    let lastRun = Number.NaN;
    let lastLumi = Number.NaN;
    for (let i = 0; i < runs.length; i++) {
      const run = Number(runs[i]);
      const lumi = Number(lumis[i]);
      // Entries of one block usually follow each other.
      if (run === lastRun && lumi === lastLumi) continue;
      lastRun = run;
      lastLumi = lumi;
      const there = this.#runs.get(run) ?? new Set();
      this.#runs.set(run, there);
      if (there.has(lumi)) continue;
      there.add(lumi);
      this.#count += 1;
      if (this.#count > MAX_LUMIS) return false;
    }
    return true;
  }

  ranges(): LumiRange[] {
    const ranges: LumiRange[] = [];
    for (const run of [...this.#runs.keys()].sort((a, b) => a - b)) {
      const lumis = [...(this.#runs.get(run) ?? [])].sort((a, b) => a - b);
      for (const lumi of lumis) addRange(ranges, [run, lumi, lumi]);
    }
    return ranges;
  }
}

/**
 * Returns groups of files that share luminosity blocks, directly or through another file. The ranges of one file must
 * not overlap.
 */
export function sharedLumis(files: readonly { file: string; lumis: readonly LumiRange[] }[]): SharedLumis[] {
  const all = files.flatMap(({ lumis }, file) => lumis.map((range) => ({ file, range })));
  all.sort((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1] || a.file - b.file);
  const parent = files.map((_, i) => i);
  const rootOf = (file: number): number => {
    let root = file;
    while (parent[root] !== root) root = parent[root] as number;
    for (let at = file; at !== root; ) {
      const next = parent[at] as number;
      parent[at] = root;
      at = next;
    }
    return root;
  };
  const shared: { file: number; range: LumiRange }[] = [];
  let furthest = all[0];
  for (const one of all.slice(1)) {
    const [run, first, last] = one.range;
    if (furthest?.range[0] === run && first <= furthest.range[2]) {
      shared.push({ file: one.file, range: [run, first, Math.min(last, furthest.range[2])] });
      const [a, b] = [rootOf(one.file), rootOf(furthest.file)];
      parent[Math.max(a, b)] = Math.min(a, b);
    }
    if (furthest?.range[0] !== run || last > furthest.range[2]) furthest = one;
  }
  const groups = new Map<number, { files: Set<number>; ranges: LumiRange[] }>();
  for (const { file, range } of shared) {
    const root = rootOf(file);
    const group = groups.get(root) ?? { files: new Set<number>(), ranges: [] };
    groups.set(root, group);
    addRange(group.ranges, range);
  }
  for (const file of files.keys()) groups.get(rootOf(file))?.files.add(file);
  return [...groups.values()].map((group) => ({
    files: [...group.files].map((file) => files[file]?.file ?? ''),
    ranges: group.ranges,
  }));
}

/** Adds a range to ranges that are sorted by their first block. Adjacent ones are joined. */
function addRange(ranges: LumiRange[], [run, first, last]: LumiRange): void {
  const before = ranges[ranges.length - 1];
  if (before?.[0] === run && first <= before[2] + 1) before[2] = Math.max(before[2], last);
  else ranges.push([run, first, last]);
}

/** Formats at most `limit` ranges: "run 362104: 1 to 7, 9". */
export function lumisText(ranges: readonly LumiRange[], limit = 5): string {
  const parts: string[] = [];
  let lastRun = Number.NaN;
  for (const [run, first, last] of ranges.slice(0, limit)) {
    const blocks = first === last ? `${first}` : `${first} to ${last}`;
    if (run === lastRun) parts[parts.length - 1] += `, ${blocks}`;
    else parts.push(`run ${run}: ${blocks}`);
    lastRun = run;
  }
  const more = ranges.length > limit ? `; and ${ranges.length - limit} more` : '';
  return parts.join('; ') + more;
}
