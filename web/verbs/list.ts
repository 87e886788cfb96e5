import type { AnyVerb } from './verb';

/** A verb in a list: what it answers, and how its code is loaded. */
export interface ListedVerb {
  summary: string;
  load(): Promise<AnyVerb>;
}

/** All verbs: each is a command, and a tool of `xylem mcp` if it says so. */
export const verbs = {
  diff: {
    summary: 'what differs between two files',
    load: async () => (await import('../features/diff/verb')).diff,
  },
  whatif: {
    summary: 'what reading branches would cost, with ROOT and its caches or with xylem',
    load: async () => (await import('../features/whatif/verb')).whatif,
  },
  probe: {
    summary: 'what a server can do for reading from a page, and how to configure the rest',
    load: async () => (await import('../features/probe/verb')).probe,
  },
  check: {
    summary: 'whether files are sound: all records, baskets and checksums',
    load: async () => (await import('./check')).check,
  },
  doctor: {
    summary: 'how well a file is laid out for reading, what that costs, and how to repair it',
    load: async () => (await import('../features/doctor/doctor')).doctor,
  },
  tree: {
    summary: 'the branches of a tree, their types and sizes',
    load: async () => (await import('./tree')).tree,
  },
  summary: {
    summary: 'minimum, maximum, mean, zeroes, distinct values of the branches; which are constant or equal',
    load: async () => (await import('./summary')).summary,
  },
  map: {
    summary: 'what lies where in a file: every byte of it, in the terminal, as JSON or as SVG',
    load: async () => (await import('../features/map/verb')).map,
  },
  plan: {
    summary: 'cuts thousands of files into tasks of equal size, each a command line',
    load: async () => (await import('../features/chains/plan')).plan,
  },
  wall: {
    summary: 'many histograms or branches as small plots on one page',
    load: async () => (await import('../features/walls/verb')).wall,
  },
  layout: {
    summary: 'how the branches of a tree lie: bytes, baskets, clusters, seeks',
    load: async () => (await import('../features/doctor/layout')).layout,
  },
  dataset: {
    summary: 'whether many files fit together: entries, branches, types, codecs, copies, damage',
    load: async () => (await import('../features/dataset/verb')).dataset,
  },
  perf: {
    summary: 'reads branches and shows how: the pattern of the reads, and the numbers of TTreePerfStats',
    load: async () => (await import('../features/reads/verb')).perf,
  },
  fleet: {
    summary: 'what many jobs at several sites would gain from copies of files, caches and partial reads',
    load: async () => (await import('../features/fleet/verb')).fleet,
  },
} as const satisfies Readonly<Record<string, ListedVerb>>;
