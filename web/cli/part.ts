import type { PlainObject } from '../api/api';
import type { PerfReport, Reading } from '../api/reading';
import type { Drawing } from '../plot/drawing/drawing';
import type { FunctionSamples } from '../plot/stored/functions';
import type { Report } from '../report/report';
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

/** A file or folder in a folder of a server. */
export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder';
  /** In bytes; undefined if the server does not tell. */
  size: number | undefined;
  /** Time of the last change, in seconds since 1970. */
  modified: number | undefined;
}

/** Calls of features that commands make: see callOf. */
export interface CliCalls {
  /** Returns the readings in a trace of any known form, whose bytes these are. Throws ARGUMENT. */
  readTrace(name: string, bytes: Uint8Array): Reading[];
  /** Lists a folder of a root:// server. `none`: the user did not name the host, so it gets no token. */
  listFolder(url: string, options?: { token?: 'none' }): Promise<FolderEntry[]>;
  /** Draws a canvas or a part of one, and names what the picture lacks. */
  canvasPicture(object: PlainObject, samples: FunctionSamples): { drawing: Drawing; missing: string[] };
  /** Draws a reading as SVG. */
  readingSvg(report: PerfReport): string;
  readingReport(reports: readonly PerfReport[]): Report;
}

/** A feature's entry for the command line and to assistants. */
export interface CliPart {
  /** Forms in which kinds of partial results are shown, by the commands that write them. */
  partials?: Readonly<Record<string, () => Promise<PartialForm>>>;
  verbs?: Readonly<Record<string, ListedVerb>>;
  commands?: Readonly<Record<string, ListedCommand>>;
  calls?: { readonly [Name in keyof CliCalls]?: () => Promise<CliCalls[Name]> };
  /** Other forms of commands, by their names. */
  forms?: Readonly<Record<string, () => Promise<OtherForm>>>;
}
