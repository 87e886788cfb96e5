import { own } from '../../base/search';
import * as features from '../../features/cli';
import { verbs } from '../../verbs/list';
import type { ListedVerb } from '../../verbs/verb';
import type { CliPart, ListedCommand } from '../part';

export type CommandTable = Readonly<Record<string, ListedCommand>>;

const parts: readonly CliPart[] = Object.values(features);
const forms: NonNullable<CliPart['forms']> = Object.assign({}, ...parts.map((part) => part.forms));

/** The command of a verb. */
function ofVerb(name: string, { summary, load }: ListedVerb): ListedCommand {
  return {
    summary,
    load: async () => {
      const [{ verbCommand }, verb, form] = await Promise.all([
        import('./verb-command'),
        load(),
        own(forms, name)?.(),
      ]);
      return verbCommand(verb, form);
    },
  };
}

/** All commands, in the order of the help. */
export const commands: CommandTable = {
  ls: {
    summary: 'what is in a file, a directory or a tree',
    load: async () => (await import('./ls')).ls,
  },
  keys: {
    summary: 'all keys of all directories and cycles',
    load: async () => (await import('./keys')).keys,
  },
  object: {
    summary: 'a stored object with its members',
    load: async () => (await import('./object')).object,
  },
  values: {
    summary: 'values of branches, entry by entry, or their digests',
    load: async () => (await import('./values')).values,
  },
  draw: {
    summary:
      'histograms and profiles of branches and expressions with cuts, as TTree::Draw; stored histograms',
    load: async () => (await import('./draw')).draw,
  },
  hist: {
    summary: 'another name of draw',
    load: async () => (await import('./draw')).hist,
  },
  scan: {
    summary: 'a table of expressions, entry by entry, as TTree::Scan',
    load: async () => (await import('./scan')).scan,
  },
  ...Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, ofVerb(name, verb)])),
  ...Object.assign({}, ...parts.map((part) => part.commands)),
  cache: {
    summary: 'what is kept on this machine of files read from URLs: list, clear, keep a whole file, limit',
    load: async () => (await import('./cache')).cache,
  },
  completion: {
    summary: 'completions of commands and options for bash, zsh and fish',
    load: async () => (await import('../completion')).completionOf(commands),
  },
};

/** All commands, for tests of their common behaviour. */
export const commandNames: readonly string[] = Object.keys(commands);
