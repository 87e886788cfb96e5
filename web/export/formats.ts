import type { ExportFormat } from '../api/export';
import type { FormOfNulls } from './expressions';

/** A format; the usual ending of its files is its name. */
interface Format {
  /** Name in menus. Formats without one are written by commands and programs only. */
  label?: string;
  /** Text, which a terminal can show. */
  isText?: boolean;
  /** Form of the values that a friend lacks; "none" also for formats that begin with the number of rows. Default: "own". */
  nulls?: FormOfNulls;
  /** Text of the help of commands. A format without one is told with the format above it. */
  help?: string;
}

/** Each format that a selection can be written in: its usual ending without a dot, its media type, and its title. */
export const EXPORT_FORMATS: Readonly<Record<ExportFormat, Record<'ending' | 'type' | 'title', string>>> = {
  csv: { ending: 'csv', type: 'text/csv', title: 'CSV' },
  tsv: { ending: 'tsv', type: 'text/tab-separated-values', title: 'TSV' },
  jsonl: { ending: 'jsonl', type: 'application/jsonl', title: 'JSON Lines' },
  arrow: { ending: 'arrow', type: 'application/vnd.apache.arrow.file', title: 'Arrow IPC file' },
  arrows: { ending: 'arrows', type: 'application/vnd.apache.arrow.stream', title: 'Arrow IPC stream' },
  parquet: { ending: 'parquet', type: 'application/vnd.apache.parquet', title: 'Parquet' },
  npy: { ending: 'npy', type: 'application/octet-stream', title: 'NPY' },
  npz: { ending: 'npz', type: 'application/zip', title: 'NPZ' },
};

const TEXT = { isText: true, nulls: 'not-of-texts' } as const;

export const FORMATS = {
  csv: {
    ...TEXT,
    label: 'CSV',
    help: `one line for each entry; lists and objects are cells of JSON. Texts are written as they are:
a spreadsheet may take those that begin with =, +, - or @ for formulas`,
  },
  tsv: { ...TEXT, label: 'TSV' },
  jsonl: {
    isText: true,
    label: 'JSON Lines',
    help: 'JSON Lines: an object for each entry, as "xylem values --json" writes values',
  },
  arrow: {
    label: 'Arrow',
    help: 'Arrow IPC file (Feather version 2); arrows is the stream format',
  },
  arrows: {},
  parquet: {
    label: 'Parquet',
    help: 'Parquet, with lists and structures; compressed with zstd, or as --compression says',
  },
  npy: {
    nulls: 'none',
    help: "numpy's array; of several branches an array of records. No lists of varying length",
  },
  npz: {
    nulls: 'none',
    label: 'NPZ',
    help: `one array for each branch; of lists NAME_offsets and NAME_content. Slashes in names become dots,
a name that occurs again is numbered (NAME_2)`,
  },
} as const satisfies Record<ExportFormat, Format>;

const formats = Object.entries<Format>(FORMATS) as [ExportFormat, Format][];

/** Returns the formats that menus offer. */
export function offeredFormats(): { name: ExportFormat; label: string }[] {
  return formats.flatMap(([name, { label }]) => (label === undefined ? [] : { name, label }));
}

/** Whether a text names a format. */
export function isExportFormat(text: string): text is ExportFormat {
  return Object.hasOwn(FORMATS, text);
}

/** ROOT files, with a TTree or with an RNTuple. The module that writes ROOT files makes them. */
export const ROOT_FORMATS = { root: 'ROOT', rntuple: 'ROOT, as RNTuple' } as const;
export type RootFormat = keyof typeof ROOT_FORMATS;

/** Whether a text names a form of ROOT files. */
export function isRootFormat(text: string): text is RootFormat {
  return Object.hasOwn(ROOT_FORMATS, text);
}

/** Returns what is known of a format. */
export function formatNamed(name: ExportFormat): Format {
  return FORMATS[name];
}

/** The formats in the help of commands: their names, and the text, which begins at the column `indent`. */
export function formatsHelp(indent: number): string {
  const after = `\n${' '.repeat(indent)}`;
  return formats
    .flatMap(([first, { help }], i) => {
      if (help === undefined) return [];
      const next = formats[i + 1];
      const names = next && next[1].help === undefined ? `${first}, ${next[0]}` : first;
      return `  ${names.padEnd(indent - 2)}${help.replaceAll('\n', after)}`;
    })
    .join('\n');
}
