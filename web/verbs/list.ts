import * as features from '../features/cli';
import type { ListedVerb } from './verb';

/** All verbs: each is a command, and a tool of `xylem mcp` if it says so. */
export const verbs: Readonly<Record<string, ListedVerb>> = {
  tree: {
    summary: 'the branches of a tree, their types and sizes',
    group: 'look',
    elsewhere: ['branches'],
    load: async () => (await import('./tree')).tree,
  },
  check: {
    summary: 'whether files are sound: all records, baskets and checksums',
    group: 'check',
    elsewhere: ['verify', 'validate', 'test'],
    load: async () => (await import('./check')).check,
  },
  summary: {
    summary: 'minimum, maximum, mean, zeroes, distinct values of the branches; which are constant or equal',
    group: 'read',
    elsewhere: ['stats', 'stat', 'describe'],
    load: async () => (await import('./summary')).summary,
  },
  ...Object.assign({}, ...Object.values<{ verbs?: typeof verbs }>(features).map(({ verbs: own }) => own)),
};
