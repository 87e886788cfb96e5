import type { FormOfNulls } from './expressions';

interface Format {
  /** Usual ending of file names, without a dot. */
  ending: string;
  /** Media type. */
  type: string;
  title: string;
  /** Name in menus. Formats without one are written by commands and programs only. */
  label?: string;
  /** Text, which a terminal can show. */
  isText?: true;
  /** Form of the values that a friend lacks. Default: "own". */
  nulls?: FormOfNulls;
  /** The number of rows has to be known before the first one is written. */
  countRows?: true;
  /** Text of the help of commands. A format without one is told with the format above it. */
  help?: string;
}

const FORMATS = {
  csv: {
    ending: 'csv',
    type: 'text/csv',
    title: 'CSV',
    label: 'CSV',
    isText: true,
    nulls: 'not-of-texts',
    help: `one line for each entry; lists and objects are cells of JSON. Texts are written as they are:
a spreadsheet may take those that begin with =, +, - or @ for formulas`,
  },
  tsv: {
    ending: 'tsv',
    type: 'text/tab-separated-values',
    title: 'TSV',
    label: 'TSV',
    isText: true,
    nulls: 'not-of-texts',
  },
  jsonl: {
    ending: 'jsonl',
    type: 'application/jsonl',
    title: 'JSON Lines',
    label: 'JSON Lines',
    isText: true,
    help: 'JSON Lines: an object for each entry, as "xylem values --json" writes values',
  },
  arrow: {
    ending: 'arrow',
    type: 'application/vnd.apache.arrow.file',
    title: 'Arrow IPC file',
    label: 'Arrow',
    help: 'Arrow IPC file (Feather version 2); arrows is the stream format',
  },
  arrows: { ending: 'arrows', type: 'application/vnd.apache.arrow.stream', title: 'Arrow IPC stream' },
  parquet: {
    ending: 'parquet',
    type: 'application/vnd.apache.parquet',
    title: 'Parquet',
    label: 'Parquet',
    help: 'Parquet, with lists and structures; compressed with zstd, or as --compression says',
  },
  npy: {
    ending: 'npy',
    type: 'application/octet-stream',
    title: 'NPY',
    nulls: 'none',
    countRows: true,
    help: "numpy's array; of several branches an array of records. No lists of varying length",
  },
  npz: {
    ending: 'npz',
    type: 'application/zip',
    title: 'NPZ',
    label: 'NPZ',
    nulls: 'none',
    countRows: true,
    help: `one array for each branch; of lists NAME_offsets and NAME_content. Slashes in names become dots,
a name that occurs again is numbered (NAME_2)`,
  },
} as const satisfies Record<string, Format>;

export type ExportFormat = keyof typeof FORMATS;

const formats = Object.entries<Format>(FORMATS) as [ExportFormat, Format][];

/** Each format that a selection can be written in: its usual ending without a dot, its media type, and its title. */
export const EXPORT_FORMATS = Object.fromEntries(
  formats.map(([name, { ending, type, title }]) => [name, { ending, type, title }]),
) as Readonly<Record<ExportFormat, Record<'ending' | 'type' | 'title', string>>>;

/** The formats that menus offer. */
export const OFFERED = formats.flatMap(([name, { label }]) => (label === undefined ? [] : { name, label }));

/** Whether a text names a format. */
export function isExportFormat(text: string): text is ExportFormat {
  return Object.hasOwn(FORMATS, text);
}

/** Returns all that is known of a format. */
export function formatNamed(name: ExportFormat): Format {
  return FORMATS[name];
}

/** ROOT files, with a TTree or with an RNTuple. The module that writes ROOT files makes them. */
export const ROOT_FORMATS = { root: 'ROOT', rntuple: 'ROOT, as RNTuple' } as const;
export type RootFormat = keyof typeof ROOT_FORMATS;

/** Whether a text names a form of ROOT files. */
export function isRootFormat(text: string): text is RootFormat {
  return Object.hasOwn(ROOT_FORMATS, text);
}

/** The formats in the help of commands: their names and the text, whose lines are indented by `indent`. */
export function formatsHelp(indent: number): string {
  const rows: { names: string; help: string }[] = [];
  for (const [name, { help }] of formats) {
    const last = rows.at(-1);
    if (help === undefined && last) last.names += `, ${name}`;
    else rows.push({ names: name, help: help ?? '' });
  }
  return rows
    .map(
      ({ names, help }) => `  ${names.padEnd(indent - 2)}${help.replaceAll('\n', `\n${' '.repeat(indent)}`)}`,
    )
    .join('\n');
}
