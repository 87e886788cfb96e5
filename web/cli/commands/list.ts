import { own } from '../../base/search';
import * as features from '../../features/cli';
import { verbs } from '../../verbs/list';
import type { ListedVerb } from '../../verbs/verb';
import type { CliPart, ListedCommand } from '../part';

export type CommandTable = Readonly<Record<string, ListedCommand>>;

const parts: readonly CliPart[] = Object.values(features);

/** The command of a verb. */
const ofVerb = ({ load, ...listed }: ListedVerb): ListedCommand => ({
  ...listed,
  load: async () => {
    const [{ verbCommand }, verb] = await Promise.all([import('./verb-command'), load()]);
    return verbCommand(verb);
  },
});

/** A command with the forms that features give it. */
const inForms = (name: string, { same = name, load, ...rest }: ListedCommand): ListedCommand => ({
  ...rest,
  load: async () => {
    const listed = parts.flatMap(({ forms = {} }) => own(forms, same) ?? []);
    const [command, forms] = await Promise.all([load(), Promise.all(listed.map((form) => form()))]);
    return forms.length > 0 ? command.inForms(forms) : command;
  },
});

const listed: CommandTable = {
  ls: {
    summary: 'what is in a file, a directory or a tree',
    group: 'look',
    elsewhere: ['show', 'info', 'rootls', 'list', 'dir', 'print', 'open'],
    load: async () => (await import('./ls')).ls,
  },
  keys: {
    summary: 'all keys of all directories and cycles',
    group: 'look',
    load: async () => (await import('./keys')).keys,
  },
  object: {
    summary: 'a stored object with its members',
    group: 'look',
    elsewhere: ['cat', 'dump', 'get'],
    load: async () => (await import('./object')).object,
  },
  values: {
    summary: 'values of branches, entry by entry, or their digests',
    group: 'read',
    elsewhere: ['head', 'rows', 'rootdump'],
    load: async () => (await import('./values')).values,
  },
  draw: {
    summary:
      'histograms and profiles of branches and expressions with cuts, as TTree::Draw; stored histograms',
    group: 'read',
    elsewhere: ['plot', 'histogram', 'rootdraw', 'rootprint'],
    load: async () => (await import('./draw')).draw,
  },
  hist: {
    summary: 'another name of draw',
    group: 'read',
    same: 'draw',
    load: async () => (await import('./draw')).hist,
  },
  scan: {
    summary: 'a table of expressions, entry by entry, as TTree::Scan',
    group: 'read',
    elsewhere: ['select', 'query'],
    load: async () => (await import('./scan')).scan,
  },
  ...Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, ofVerb(verb)])),
  ...Object.assign({}, ...parts.map((part) => part.commands)),
  cache: {
    summary: 'what is kept on this machine of files read from URLs: list, clear, keep a whole file, limit',
    group: 'tools',
    load: async () => (await import('./cache')).cache,
  },
  completion: {
    summary: 'completions of commands and options for bash, zsh and fish',
    group: 'tools',
    load: async () => (await import('../completion')).completionOf(commands),
  },
};

/** All commands, in the order of the help. */
export const commands: CommandTable = Object.fromEntries(
  Object.entries(listed).map(([name, one]) => [name, inForms(name, one)]),
);

/** Returns the command that has a name elsewhere; undefined if no program calls one so. */
export const commandElsewhere = (name: string): string | undefined =>
  Object.keys(commands).find((own) => commands[own]?.elsewhere?.includes(name));

/** All commands, for tests of their common behaviour. */
export const commandNames: readonly string[] = Object.keys(commands);
