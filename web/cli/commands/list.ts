import { verbs } from '../../verbs/list';
import type { Command } from '../command';
import type { OtherForm } from './verb-command';

/** Each command: its summary, and how its code is loaded when it is called. */
export type CommandTable = Readonly<Record<string, { summary: string; load: () => Promise<Command> }>>;

/** The command of a verb. */
function ofVerb(name: keyof typeof verbs, other?: () => Promise<OtherForm>): CommandTable[string] {
  const { summary, load } = verbs[name];
  return {
    summary,
    load: async () => {
      const [{ verbCommand }, verb, form] = await Promise.all([import('./verb-command'), load(), other?.()]);
      return verbCommand(verb, form);
    },
  };
}

/** The commands in the order of the help. */
const ordered: CommandTable = {
  ls: {
    summary: 'what is in a file, a directory or a tree',
    load: async () => (await import('./ls')).ls,
  },
  keys: {
    summary: 'all keys of all directories and cycles',
    load: async () => (await import('./keys')).keys,
  },
  tree: ofVerb('tree'),
  values: {
    summary: 'values of branches, entry by entry, or their digests',
    load: async () => (await import('./values')).values,
  },
  object: {
    summary: 'a stored object with its members',
    load: async () => (await import('./object')).object,
  },
  types: {
    summary: 'the classes that a file describes, as text, JSON, TypeScript or C++',
    load: async () => (await import('../../features/snippets/cli/types')).types,
  },
  check: ofVerb('check', async () => (await import('../../features/chains/cli/whole')).checkMany),
  diff: ofVerb('diff'),
  serve: {
    summary: 'the page and a folder of files on this machine, to open them by a link',
    load: async () => (await import('../../features/serve/cli/serve')).serve,
  },
  draw: {
    summary:
      'histograms and profiles of branches and expressions with cuts, as TTree::Draw; stored histograms',
    load: async () => (await import('./draw')).draw,
  },
  wall: ofVerb('wall'),
  process: {
    summary: 'runs your own code over the entries of any number of files, in parallel',
    load: async () => (await import('../../features/selectors/cli/process')).processCommand,
  },
  combine: {
    summary: 'adds partial results of draw, of any number of files and processes',
    load: async () => (await import('../../features/chains/cli/combine')).combine,
  },
  plan: ofVerb('plan'),
  dataset: ofVerb('dataset'),
  hist: {
    summary: 'another name of draw',
    load: async () => (await import('./draw')).hist,
  },
  scan: {
    summary: 'a table of expressions, entry by entry, as TTree::Scan',
    load: async () => (await import('./scan')).scan,
  },
  perf: ofVerb('perf'),
  whatif: ofVerb('whatif'),
  fleet: ofVerb('fleet'),
  doctor: ofVerb('doctor'),
  map: ofVerb('map', async () => ({ draw: (await import('../../features/map/cli/draw-map')).drawMap })),
  layout: ofVerb('layout'),
  probe: ofVerb('probe'),
  summary: ofVerb('summary', async () => (await import('../../features/chains/cli/whole')).summaryMany),
  cache: {
    summary: 'what is kept on this machine of files read from URLs: list, clear, keep a whole file, limit',
    load: async () => (await import('./cache')).cache,
  },
  export: {
    summary: 'entries of a tree as CSV, JSON Lines, Arrow, Parquet or numpy arrays',
    load: async () => (await import('../../features/exports/cli/export')).exportCommand,
  },
  salvage: {
    summary: 'what can be read of a damaged or never closed file, as a sound one',
    load: async () => (await import('../../features/writer/cli/salvage')).salvage,
  },
  heal: {
    summary: 'writes a file anew so that it is read faster: baskets in order, true clusters',
    load: async () => (await import('../../features/writer/cli/heal')).heal,
  },
  skim: {
    summary: 'a copy of a ROOT file, without ROOT',
    load: async () => (await import('../../features/writer/cli/skim')).skim,
  },
  merge: {
    summary: 'several files as one: trees chained, histograms added, without ROOT',
    load: async () => (await import('../../features/writer/cli/merge')).merge,
  },
  mcp: {
    summary: 'a server of the Model Context Protocol, by which assistants read files',
    load: async () => (await import('../../features/mcp/cli/mcp')).mcp,
  },
  completion: {
    summary: 'completions of commands and options for bash, zsh and fish',
    load: async () => (await import('../completion')).completionOf(commands),
  },
};

/** All commands; verbs that have no place in the order come last. */
export const commands: CommandTable = {
  ...ordered,
  ...Object.fromEntries(
    (Object.keys(verbs) as (keyof typeof verbs)[])
      .filter((name) => !Object.hasOwn(ordered, name))
      .map((name) => [name, ofVerb(name)]),
  ),
};

/** All commands, for tests of their common behaviour. */
export const commandNames: readonly string[] = Object.keys(commands);
