import type { ListedVerb } from '../verbs/verb';
import type { Command, OtherForm } from './command';
import type { Context } from './context';
import type { Options } from './options';

/** A command in a list: its summary, and how its code is loaded when it is called. */
export interface ListedCommand {
  summary: string;
  /** The command of which it is another name, with the same forms. */
  same?: string;
  load: () => Promise<Command>;
}

/** How a kind of partial results is shown, besides as text and by --json. */
export interface PartialForm {
  /** Options of "combine" for results of this kind. */
  options: Options;
  // biome-ignore lint/suspicious/noExplicitAny: the sums and the options of the kind
  show(all: any, given: any, context: Context): Promise<void>;
}

/** A feature's entry for the command line and to assistants. */
export interface CliPart {
  /** Forms in which kinds of partial results are shown, by the commands that write them. */
  partials?: Readonly<Record<string, () => Promise<PartialForm>>>;
  verbs?: Readonly<Record<string, ListedVerb>>;
  commands?: Readonly<Record<string, ListedCommand>>;
  /** Other forms of commands, by their names. */
  forms?: Readonly<Record<string, () => Promise<OtherForm>>>;
}
