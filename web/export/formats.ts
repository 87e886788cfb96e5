import type { ExportFormat } from '../api/export';
import type { FormOfNulls } from './expressions';

/** A format. Its name is also the usual file extension. */
interface Format {
  /** Name in menus. Formats without a name are only available to commands and programs. */
  label?: string;
  /** Whether it is text that a terminal can show. */
  isText?: boolean;
  /** See FormOfNulls. "none" also for formats that begin with the number of rows. Default: "own". */
  nulls?: FormOfNulls;
  /** Help text of commands. A format without one shares the text of the format above it. */
  help?: string;
}

/** Formats for a selection: file extension without a dot, media type, and title. */
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

/** Returns the formats for menus. */
export function offeredFormats(): { name: ExportFormat; label: string }[] {
  return formats.flatMap(([name, { label }]) => (label === undefined ? [] : { name, label }));
}

/** Whether a text names a format. */
export function isExportFormat(text: string): text is ExportFormat {
  return Object.hasOwn(FORMATS, text);
}

/** ROOT files with a TTree or an RNTuple, written by the module that writes ROOT files. */
export const ROOT_FORMATS = { root: 'ROOT', rntuple: 'ROOT, as RNTuple' } as const;
export type RootFormat = keyof typeof ROOT_FORMATS;

/** Whether a text is the name of a ROOT format. */
export function isRootFormat(text: string): text is RootFormat {
  return Object.hasOwn(ROOT_FORMATS, text);
}

/** Returns the properties of a format. */
export function formatNamed(name: ExportFormat): Format {
  return FORMATS[name];
}

/** Returns the help text for the formats: their names, and their texts indented to the column `indent`. */
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
