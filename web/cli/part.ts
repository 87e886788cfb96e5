import type { ListedVerb } from '../verbs/verb';
import type { Command } from './command';
import type { OtherForm } from './commands/verb-command';

/** A command in a list: its summary, and how its code is loaded when it is called. */
export interface ListedCommand {
  summary: string;
  load: () => Promise<Command>;
}

/** A feature's entry for the command line and to assistants. */
export interface CliPart {
  verbs?: Readonly<Record<string, ListedVerb>>;
  commands?: Readonly<Record<string, ListedCommand>>;
  /** Other forms of the commands of verbs, by their names. */
  forms?: Readonly<Record<string, () => Promise<OtherForm>>>;
}
