const FORMATS = {
  csv: { ending: 'csv', type: 'text/csv', title: 'CSV' },
  tsv: { ending: 'tsv', type: 'text/tab-separated-values', title: 'TSV' },
  jsonl: { ending: 'jsonl', type: 'application/jsonl', title: 'JSON Lines' },
  arrow: { ending: 'arrow', type: 'application/vnd.apache.arrow.file', title: 'Arrow IPC file' },
  arrows: { ending: 'arrows', type: 'application/vnd.apache.arrow.stream', title: 'Arrow IPC stream' },
  parquet: { ending: 'parquet', type: 'application/vnd.apache.parquet', title: 'Parquet' },
  npy: { ending: 'npy', type: 'application/octet-stream', title: 'NPY' },
  npz: { ending: 'npz', type: 'application/zip', title: 'NPZ' },
} as const;

export type ExportFormat = keyof typeof FORMATS;

/** Each format that a selection can be written in: its usual ending without a dot, its media type, and its title. */
export const EXPORT_FORMATS: Readonly<Record<ExportFormat, Record<'ending' | 'type' | 'title', string>>> =
  FORMATS;

/** Whether a text names a format. */
export function isExportFormat(text: string): text is ExportFormat {
  return Object.hasOwn(EXPORT_FORMATS, text);
}
