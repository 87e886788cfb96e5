import type {
  ArraysRequest,
  ArraysResult,
  CallOptions,
  DrawRequest,
  DrawResult,
  FileId,
  ReaderApi,
  ScanRequest,
  Table,
} from '../api/api';

/** Calls of a reader under the names that they had in version 0.1. */
export interface OldReaderNames {
  /** @deprecated Since 0.2: call `arrays`. */
  read(file: FileId, request: ArraysRequest, options?: CallOptions): Promise<ArraysResult[]>;
  /** @deprecated Since 0.2: call `draw`. */
  query(file: FileId, request: DrawRequest, options?: CallOptions): Promise<DrawResult>;
  /** @deprecated Since 0.2: call `scan`. */
  table(file: FileId, request: ScanRequest, options?: CallOptions): Promise<Table>;
}

/** Adds the old names to a reader. */
export function withOldNames<Reader extends ReaderApi>(reader: Reader): Reader & OldReaderNames {
  return {
    ...reader,
    read: (...args) => {
      tellNewName('read', 'arrays');
      return reader.arrays(...args);
    },
    query: (...args) => {
      tellNewName('query', 'draw');
      return reader.draw(...args);
    },
    table: (...args) => {
      tellNewName('table', 'scan');
      return reader.scan(...args);
    },
  };
}

const told = new Set<string>();

/** Writes the new name of a call to the console, once for each old name. */
export function tellNewName(before: string, now: string): void {
  if (told.has(before)) return;
  told.add(before);
  // biome-ignore lint/suspicious/noConsole: this message is for the programmer who still uses the old name.
  console.warn(`xylem: "${before}" is now called "${now}". The old name will be removed in version 0.3.`);
}
