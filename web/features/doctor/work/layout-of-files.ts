import type { FileInfo, TreeLayout } from '../../../api/api';
import { toXylemError } from '../../../base/errors';
import { column, type Report } from '../../../report/report';
import { treePaths } from '../../../verbs/trees';
import type { NamedFile, VerbCall } from '../../../verbs/verb';
import { layoutFacts } from './layout-facts';

/** A tree of one of several files, in the table of all. */
export interface FileLayout {
  file: string;
  tree: string;
  kind: 'TTree' | 'RNTuple';
  /** Bytes of the file, and the version of ROOT that wrote it. */
  fileBytes: number;
  rootVersion: string;
  branches: number;
  entries: number;
  storedBytes: number;
  totalBytes: number;
  factor: number;
  bytesPerEntry: number;
  totalPerEntry: number;
  compression: string;
  /** Sum of fBasketSize of a TTree; missing for an RNTuple, which has no such buffers. */
  bufferBytes?: number | undefined;
  baskets: number;
  clusters: number;
  /** Stored bytes of the largest cluster: what a reader holds that reads cluster by cluster. */
  clusterBytes: number;
}

/** A file that could not be read. */
export interface FailedFile {
  file: string;
  message: string;
}

export interface FilesLayout {
  files: FileLayout[];
  failed: FailedFile[];
}

const COLUMNS = [
  column<FileLayout>('file', 'File', 'text', ({ file }) => file),
  column<FileLayout>('tree', 'Tree', 'text', ({ tree }) => tree),
  column<FileLayout>('kind', 'Format', 'text', ({ kind }) => kind),
  column<FileLayout>('branches', 'Branches', 'count', ({ branches }) => branches),
  column<FileLayout>('entries', 'Entries', 'count', ({ entries }) => entries),
  column<FileLayout>('stored', 'Stored', 'bytes', ({ storedBytes }) => storedBytes),
  column<FileLayout>('perentry', 'Bytes an entry', 'number', ({ bytesPerEntry }) => bytesPerEntry, {
    text: ({ bytesPerEntry }) => String(Number(bytesPerEntry.toPrecision(4))),
  }),
  column<FileLayout>('factor', 'Factor', 'ratio', ({ factor }) => factor),
  column<FileLayout>('codec', 'Codec', 'text', ({ compression }) => compression),
  column<FileLayout>('buffer', 'Buffers', 'bytes', ({ bufferBytes }) => bufferBytes),
  column<FileLayout>('cluster', 'Largest cluster', 'bytes', ({ clusterBytes }) => clusterBytes || undefined),
];

/** Returns a table with a row for each tree. */
export const filesReport = ({ files }: FilesLayout, limit?: number): Report => ({
  title: `Trees of ${new Set(files.map(({ file }) => file)).size} files`,
  tables: [{ id: 'files', columns: COLUMNS, rows: files, limit, rest: '--top 0 shows all' }],
});

/** Reads the layouts of the trees of files, or of the named tree of each. A file that fails is told and left out. */
export async function layoutOfFiles(
  files: readonly NamedFile[],
  tree: string | undefined,
  call: Pick<VerbCall, 'note' | 'signal'>,
): Promise<FilesLayout> {
  const found: FilesLayout = { files: [], failed: [] };
  for (const { name, open } of files) {
    try {
      const rows = await open(async (file) => {
        const { reader, info, ownTree } = file;
        const paths = tree ?? ownTree;
        const layouts: FileLayout[] = [];
        for (const path of paths === undefined ? await treePaths(file) : [paths])
          layouts.push(fileLayout(name, info, await reader.layout(info.id, path, { signal: call.signal })));
        return layouts;
      });
      found.files.push(...rows);
      if (rows.length === 0) found.failed.push({ file: name, message: 'There is no tree in the file.' });
    } catch (thrown) {
      const { code, message } = toXylemError(thrown);
      if (code === 'ABORTED') throw thrown;
      found.failed.push({ file: name, message });
    }
  }
  for (const { file, message } of found.failed) call.note(`${file} is left out: ${message}`);
  return found;
}

function fileLayout(file: string, { size, rootVersion }: FileInfo, layout: TreeLayout): FileLayout {
  const facts = layoutFacts(layout);
  const { path: tree, kind, entries, storedBytes, totalBytes, factor, baskets, bufferBytes } = facts;
  const names = facts.compressions.map(({ name }) => name);
  return {
    ...{ file, tree, kind, fileBytes: size, rootVersion },
    branches: facts.branches.length,
    ...{ entries, storedBytes, totalBytes, factor },
    bytesPerEntry: entries > 0 ? storedBytes / entries : 0,
    totalPerEntry: entries > 0 ? totalBytes / entries : 0,
    compression: names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(', '),
    ...(bufferBytes !== undefined && { bufferBytes }),
    ...{ baskets, clusters: facts.clusters, clusterBytes: facts.clusterBytes.max },
  };
}
