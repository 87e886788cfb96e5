import type { CallOptions, EntrySelection, FileInfo, KeyInfo, PlainObject, TreeInfo } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import type { Reading } from '../api/reading';
import type { Sample } from '../api/selector';
import type { HealOptions, PlanOptions, WritePlan } from '../api/write';
import type { Params, ValuesOf } from '../base/shape';
import type { AskedUse, UseOfFile } from '../reads/use';
import type { Report } from '../report/report';
import type { EachFile } from './each';

/** A file that a request names. */
export interface VerbFile {
  readonly reader: EngineApi;
  readonly info: FileInfo;
  /** Absolute path or address, by which a trace may name the file. */
  readonly path: string;
  keys(): Promise<KeyInfo[]>;
  tree(path: string): Promise<{ readonly info: TreeInfo }>;
  object(path: string): Promise<PlainObject>;
  /** The tree that the file was named with (file.root?#tree). */
  readonly ownTree?: string | undefined;
  /** Several files, of which the trees are one; their stored objects are not. */
  readonly isChain: boolean;
  /** Says what healing the file would write. A face that writes no files has no such call. */
  planHeal?(options?: HealOptions & PlanOptions): Promise<WritePlan>;
}

/** A file that is not open yet. */
export interface NamedFile {
  readonly name: string;
  /** Opens the file, and closes it in every case. */
  open<T>(use: (file: VerbFile) => Promise<T>): Promise<T>;
  /** Counts the file as one that could not be read, though nothing was thrown. A face without a list of these has no such call. */
  failed?(): void;
}

/** A file, or a range of the entries of a tree in it. */
export interface PartialInput {
  /** Absolute path, or address without secret parts. */
  file: string;
  tree: string;
  /** The requested entries; all if missing. */
  entries?: [from: number, to: number] | undefined;
}

/** Facts that identify the content of a file. A missing one is not compared. */
export type Identity = Partial<Pick<FileInfo, 'size' | 'uuid' | 'validator'>>;

/** A file that is compared with others, or of which others are parts. It is not open yet. */
export interface VerbInput extends PartialInput {
  /** The file as a command line names it. */
  readonly name: string;
  /** The sample that it belongs to, where samples were named, and whether it must not be cut. */
  readonly sample?: Sample | undefined;
  readonly whole?: boolean | undefined;
  /** Opens the file without telling what that finds, and closes it in every case. */
  open<T>(use: (file: VerbFile) => Promise<T>): Promise<T>;
  /** Returns facts by which a later change is noticed. */
  identity(): Promise<Identity>;
  /** Returns the size of a local file in bytes, without opening it; undefined for other inputs, and where there is no file. */
  localSize(): Promise<number | undefined>;
}

/** The content of a file of text. */
export interface NamedText {
  readonly text: string;
  /** The file as it is stored, for forms that are not only text. */
  readonly bytes: Uint8Array;
  /** Returns the path or address that a name in this text means: a relative one is relative to the folder of the file. */
  beside(name: string): string;
}

/** A text in a file, from which a later run of a verb goes on. */
export interface KeptText {
  /** The text that an earlier run wrote. */
  readonly before: string | undefined;
  /** Is aborted when the user ends the program, so that what was found can be kept. */
  readonly signal: AbortSignal;
  /** Takes the text as it is now. It is written now and then, and at the end. */
  save(text: () => string): Promise<void>;
}

/** Parameters that choose entries. */
export interface AskedEntries {
  entries?: string | readonly string[] | undefined;
  /** Path of a text file. */
  entryList?: string | undefined;
  sample?: string | undefined;
  seed?: number | undefined;
}

/** Calls that a face lends a verb while it runs. */
export interface VerbCall extends CallOptions {
  /** Opens the file that a path, an address or a list names, and closes it in every case. */
  withFile<T>(name: string, use: (file: VerbFile) => Promise<T>): Promise<T>;
  /** Shows what is done now, until the next step or the end of the run. */
  step(label: string): void;
  /**
   * Returns each of the files that a path, an address, a list or a pattern names. `silent`: the verb itself tells what
   * opening them finds, for example that a file was not closed.
   */
  files(name: string, silent?: boolean): Promise<readonly NamedFile[]>;
  /**
   * Returns each of the files that such a name is of, with their addresses. Each may name its tree and a range of its
   * entries (file.root?#tree[0:1000]); `tree` is that of the others. `samples` is a file that lists samples, of which each
   * input then has one: without a name, their files are the inputs.
   */
  inputs(name: string | undefined, tree: string, samples?: string): Promise<readonly VerbInput[]>;
  /**
   * Writes lists of inputs into a folder, task-0001.txt and so on, and returns their paths. The folder is made if it is not
   * there.
   */
  saveLists(
    folder: string,
    lists: readonly (readonly Pick<VerbInput, 'file' | 'tree' | 'entries'>[])[],
  ): Promise<string[]>;
  /**
   * Copies a selector with all that it imports and reads into a folder. `words` are its path and its options, as a shell reads
   * them, and `inputs` those that it runs over. Returns the words with the path of the copy.
   */
  saveSelector(words: string, folder: string, inputs: readonly Pick<VerbInput, 'sample'>[]): Promise<string>;
  /** Reads a file of text, for example a model. */
  text(path: string): Promise<NamedText>;
  /**
   * Returns the readings of a trace in any known form; undefined for what is opened as a ROOT file. `isForeign`: the name
   * may come from somebody else, so that only regular files are read: a pipe to which nobody writes never ends.
   */
  trace(path: string, isForeign?: boolean): Promise<readonly Reading[] | undefined>;
  /** Calls `use` with a text that an earlier run kept in the file `path`, and keeps what `use` saves. */
  keepText<T>(path: string, use: (kept: KeptText) => Promise<T>): Promise<T>;
  /**
   * Returns a text that a command kept in the user's folder of caches, by its name; undefined if there is none. A face
   * without such a folder has no such call.
   */
  keptOfUser?(name: string): Promise<string | undefined>;
  /** CPU time of this program, in ms. A face that does not know it has no such call. */
  cpuMs?(): number;
  /**
   * Returns how many bytes of a local file are in the system's page cache; undefined if nothing on this machine tells. A
   * face that cannot know it has no such call.
   */
  pageCacheBytes?(path: string): Promise<number | undefined>;
  /** Returns the error for parameters that do not fit to what is in the files. */
  misused(why: string): Error;
  /** Returns the use of files that parameters name: it may be in a trace, or in the module of a selector. */
  useOf(asked: AskedUse): Promise<UseOfFile>;
  /** Returns the entries that parameters choose; undefined for all. A list of entries may be in a file. */
  entriesOf(asked: AskedEntries, treeEntries: number): Promise<EntrySelection | undefined>;
  /** Tells the user something besides the result. */
  note(text: string): void;
}

/** How assistants see a verb: a tool of `xylem mcp`, with the verb's parameters. */
export interface ToolOf<P> {
  /** Default: the name of the verb. */
  name?: string;
  title: string;
  description: string;
  /** Other names of parameters, by the names that the verb has. */
  names?: { readonly [Name in keyof P & string]?: string };
  /** Parameters of the verb that the tool does not have. */
  without?: readonly (keyof P & string)[];
  /** Whether it answers with the report as text. Default: with the JSON of the result. */
  text?: boolean;
  /** Bytes and requests that the call reads besides metadata, known before it reads. */
  cost?(params: P, call: VerbCall): Promise<{ bytes: number; requests: number; what: string }>;
}

/** A picture or another form of a result, which a face writes to a file. */
export interface Output<P, R> {
  about: string;
  /** JSON, in which control characters are escaped otherwise than in a text. */
  form?: 'json';
  /** `call` is that of the run. */
  make(result: R, params: P, call: Pick<VerbCall, 'note'>): Promise<string | Uint8Array>;
  /** Whether it stands for the whole result: a command line takes one such output, and prints no text beside it. */
  whole?: boolean;
  /** Whether it is a picture as SVG, which a face may also write as PNG. */
  isPicture?: boolean;
  /** The parameter without which the output is not there. */
  needs?: keyof P & string;
  /** A flag among the parameters that the output switches on, because it shows what is only found then. */
  sets?: keyof P & string;
}

/**
 * A question to files, and its answer. It is written once for all faces: the command line, assistants, editors and the
 * page. It uses neither argv, nor the DOM, nor Node.
 */
export interface Verb<M extends Params = Params, R = unknown> {
  name: string;
  /**
   * Parameters that a command line names by their place: "FILE [TREE]". The word in small letters is the name of the
   * parameter. A command line may have other forms, each with options that tell it from the first:
   * "TRACE… --file FILE [--tree TREE]".
   */
  words: string | readonly string[];
  /** Begins the help. */
  about: string;
  /** Command lines without "xylem" and the name, and what each does. The help and docs/examples.md show them. */
  examples?: readonly (readonly [words: string, about: string])[];
  params: M;
  /** Describes the JSON of a result, in the help and in docs/json.md. */
  json: string;
  /** Further paragraphs of the help. */
  notes?: string;
  exit?: string;
  /** Returns a sentence about parameters that contradict each other; undefined if none do. */
  wrong?(params: ValuesOf<M>): string | undefined;
  /** Returns plain data, which cross threads and are what --json prints. Throws XylemError. */
  run(params: ValuesOf<M>, call: VerbCall): Promise<R>;
  /** Runs beside the face. */
  report(result: R, params: ValuesOf<M>): Report;
  /** Lines that a shell runs: a command line prints nothing else then, and the title of the report beside its output. */
  script?(result: R, params: ValuesOf<M>): readonly string[] | undefined;
  /** The exit status: 1 if a script must not go on. Default: 0. */
  status?(result: R, params: ValuesOf<M>): 0 | 1;
  /** The JSON of the result, if it has values that JSON.stringify would change; in pieces if it may be long. */
  toJson?(result: R, params: ValuesOf<M>): string | Iterable<string>;
  /** Outputs by the name of their option: --svg OUT. */
  outputs?: Readonly<Record<string, Output<ValuesOf<M>, R>>>;
  tool?: ToolOf<ValuesOf<M>>;
  /** A result for each file, of a verb that has one: see verbOfFiles. */
  // biome-ignore lint/suspicious/noExplicitAny: the results of all files are R
  each?: EachFile<ValuesOf<M>, any, any>;
}

/** The JSON of a result in pieces. */
export const jsonPieces = (
  { toJson }: AnyVerb,
  result: unknown,
  params: Readonly<Record<string, unknown>>,
): Iterable<string> => {
  const json: string | Iterable<string> = toJson?.(result, params) ?? JSON.stringify(result);
  return typeof json === 'string' ? [json] : json;
};

/** Keeps the types of a verb's parameters and result. */
export const verb = <const M extends Params, R>(of: Verb<M, R>): Verb<M, R> => of;

// biome-ignore lint/suspicious/noExplicitAny: lists hold verbs of all types
export type AnyVerb = Verb<any, any>;

/** The groups of commands in the help, and their titles, in its order. */
export const COMMAND_GROUPS = {
  look: 'Look into a file',
  read: 'Read and draw',
  write: 'Write files',
  check: 'Check and compare',
  cost: 'See how reading goes, and what it costs',
  many: 'Many files',
  tools: 'Other programs and this one',
} as const;

export type CommandGroup = keyof typeof COMMAND_GROUPS;

/** A verb in a list: what it answers, and how its code is loaded. */
export interface ListedVerb {
  summary: string;
  group: CommandGroup;
  /** Names that the same has in other programs: whoever types one is told the name of the command. */
  elsewhere?: readonly string[];
  load(): Promise<AnyVerb>;
}
