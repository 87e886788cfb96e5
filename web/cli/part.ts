import type { Histogram, PlainObject, TreeInfo } from '../api/api';
import type { PerfReport, Reading } from '../api/reading';
import type { Sample } from '../api/selector';
import type { XrootdAddress } from '../io/schemes';
import type { ServedFile } from '../io/source';
import type { Drawing } from '../plot/drawing/drawing';
import type { FunctionSamples } from '../plot/stored/functions';
import type { Report } from '../report/report';
import type { CommandGroup, ListedVerb } from '../verbs/verb';
import type { Command, OtherForm } from './command';
import type { Context } from './context';
import type { Options } from './options';
import type { OwnFiles } from './own-files';

/** A command in a list: its summary, and how its code is loaded when it is called. */
export interface ListedCommand {
  summary: string;
  group: CommandGroup;
  /** Names that the same has in other programs: whoever types one is told the name of the command. */
  elsewhere?: readonly string[];
  /** The command of which it is another name, with the same forms. */
  same?: string;
  load: () => Promise<Command>;
}

/** How a kind of partial results is shown, besides as text and by --json. */
export interface PartialForm {
  /** Options of "combine" for results of this kind. */
  options: Options;
  /** Shows a result. Returns the exit status if it is not 0. */
  // biome-ignore lint/suspicious/noExplicitAny: the sums and the options of the kind
  show(all: any, given: any, context: Context): Promise<number | undefined>;
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

/** The abilities of an XRootD server for reading a file. */
export interface XrootdFacts {
  url: string;
  /** The server that the file is read from, if it is not the one in the address. */
  redirectedTo: string | undefined;
  version: string | undefined;
  /** Version of the protocol, such as "5.1.1". */
  protocol: string;
  /** Whether the first server is a redirector. */
  redirects: boolean;
  encrypted: boolean;
  /** Logins that the server offers; empty if it requires none. */
  logins: string[];
  size: number;
  /** Maximum number of ranges in a vector read, and bytes of each; 0 if the server does not tell. */
  vectorParts: number;
  vectorBytes: number;
  checkedReads: boolean;
  /** In ms. */
  roundTrip: number;
  /** In bytes per second: of one connection, and of four together. */
  throughput: number;
  throughputOfFour: number;
  /** Kind and value, such as "adler32 0f1e2d3c". */
  checksum: string | undefined;
}

/** Calls of features that commands make: see callOf. */
export interface CliCalls {
  /** Returns the readings in a trace of any known form, whose bytes these are. Throws ARGUMENT. */
  readTrace(name: string, bytes: Uint8Array): Reading[];
  /** Lists a folder of a root:// server. `none`: the user did not name the host, so it gets no token. */
  listFolder(url: string, options?: { token?: 'none' }): Promise<FolderEntry[]>;
  /** Opens a file of an XRootD server. */
  openServed(url: string): ServedFile;
  /** Names the files that a session has and that may lie beside it. Throws ARGUMENT, BUDGET or UNSUPPORTED if it is none. */
  filesOfSession(text: string): readonly string[];
  /** Measures how a file can be read from an XRootD server. Reads at most 16 MB. Throws the errors of opening the file. */
  probeXrootd(url: string, onStep: (label: string) => void): Promise<XrootdFacts>;
  /** Returns the https address of a file of an XRootD server; undefined if it has none that can be read. */
  httpsDoor(address: XrootdAddress): Promise<string | undefined>;
  /** Draws a canvas or a part of one, and names what the picture lacks. */
  canvasPicture(object: PlainObject, samples: FunctionSamples): { drawing: Drawing; missing: string[] };
  /** Writes a drawing as a PDF of one page, and counts the characters that its fonts lack. */
  drawingPdf(drawing: Drawing, title: string): Promise<{ file: Uint8Array; missing: number }>;
  /** Returns a program of another tool that fills the same bins. Throws ARGUMENT and UNSUPPORTED. */
  codeOf(
    tool: string,
    drawn: {
      address: string;
      tree: TreeInfo;
      expr: string;
      cut: string;
      histogram: Pick<Histogram, 'axes' | 'profile'>;
    },
  ): string;
  /**
   * Copies a selector with all that it imports and reads into a folder beside the lists of a plan. Returns the words with the path
   * of the copy.
   */
  packSelector(words: string, folder: string, samples: readonly Sample[]): Promise<string>;
  /** Returns the histogram of partial results of "draw" in a file, added up. Throws ARGUMENT for others. */
  histogramOfPartials(path: string, files: OwnFiles): Promise<Histogram>;
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
