import type { Histogram } from '../api/api';

/** Writes histograms in a format. Each function throws UNSUPPORTED for bins that the format cannot represent. */
export interface BinWriter {
  one(histogram: Histogram): string;
  /** Writes several histograms with different names. CSV contains their titles instead. */
  all(histograms: readonly Histogram[]): string;
}

/** A format in which the bins of histograms are saved. */
interface BinFormat {
  /** Name in menus. */
  label: string;
  /** Usual file extension, without a dot. */
  ending: string;
  /** Media type. */
  type: string;
  /** Help text of the command-line option, which has the name of the format. */
  about: string;
}

interface BinText extends BinFormat {
  /** Loads the writer. */
  load(): Promise<BinWriter>;
}

const JSON_FILE = { ending: 'json', type: 'application/json' } as const;

/** The text formats by name. */
export const BIN_TEXTS = {
  csv: {
    ...{ label: 'CSV', ending: 'csv', type: 'text/csv' },
    about:
      'write the bins to the file OUT: edges, content, error; of a profile edges, mean, error, sums; of a graph or an efficiency the points: x, y, and the lengths of their errors (left, right, down, up)',
    load: async () => {
      const { binsCsv, binsCsvOfAll } = await import('./to-csv');
      return { one: binsCsv, all: binsCsvOfAll };
    },
  },
  uhi: {
    ...{ label: 'UHI', ...JSON_FILE },
    about: "as UHI's JSON, which hist and boost-histogram read",
    load: async () => {
      const { uhiJson, uhiJsonOfAll } = await import('./to-uhi');
      return { one: uhiJson, all: uhiJsonOfAll };
    },
  },
  'root-json': {
    ...{ label: "ROOT's JSON", ...JSON_FILE },
    about: "as ROOT's TBufferJSON, which ROOT and JSROOT read",
    load: async () => {
      const { rootJson, rootJsonOfAll } = await import('./to-root');
      return { one: rootJson, all: rootJsonOfAll };
    },
  },
} as const satisfies Record<string, BinText>;

export type BinTextName = keyof typeof BIN_TEXTS;
export const binTextNames = Object.keys(BIN_TEXTS) as BinTextName[];

/** A ROOT file with histograms. It is written by the module that writes ROOT files. */
export const BIN_FILE = {
  ...{ label: 'ROOT', ending: 'root', type: 'application/octet-stream' },
  about: 'write a ROOT file with the histogram as TH1D, TH2D, TH3D, TProfile or TProfile2D',
} as const satisfies BinFormat;

export function binText(name: BinTextName): BinText {
  return BIN_TEXTS[name];
}
