import type { CallOptions, FileId } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import type { ExportFormat } from '../../../api/export';
import { formatBytes, formatCount } from '../../../base/format';
import { EXPORT_FORMATS } from '../../../export/formats';
import { cyclePath } from '../../../model/keys';
import type { ExportChoice, Places } from '../../../ui/part';
import { canPickFile, gatherTarget, pickedTarget, type SaveTarget } from '../../../ui/save/save-blob';
import { SaveFile } from '../../../ui/save/save-file';

/** Larger results are written to a file directly, if the browser can do that. */
const MAX_IN_MEMORY = 64e6;
/**
 * Uncompressed bytes that are written at once, so that the page responds in between. Parquet is encoded by workers.
 */
const CHUNK_BYTES = 2 * 1024 * 1024;

/** Writes branches, or expressions of them, as a table of the format, and shows how much that is. */
export function WriteTable(props: Places['export']): JSX.Element {
  const { store, keyInfo, tree, branches, query } = props;
  const format = props.format as ExportFormat;
  const name = `${tree.name}.${format}`;
  const begin = () => {
    const request = {
      tree: cyclePath(keyInfo),
      ...(query ?? { branches: [...branches] }),
      format,
      chunkBytes: format === 'parquet' ? undefined : CHUNK_BYTES,
      fileName: store.session.file.peek()?.info.name,
    };
    const large = bytesOf(props) > MAX_IN_MEMORY && canPickFile();
    const opening = large
      ? pickedTarget(name)
      : Promise.resolve(gatherTarget(name, EXPORT_FORMATS[format].type));
    return {
      async write(api: EngineApi, file: FileId, options: CallOptions) {
        const target = await opening;
        const { exportTree } = await import('../work/export-tree');
        const bytes = await writeAll(exportTree(api, file, request, options), target);
        return { bytes, text: query?.cut ? '' : `${formatCount(tree.entries)} entries`, notes: [] };
      },
      abandon: async () => (await opening).abort(),
    };
  };
  return (
    <>
      <p class="hint">
        {query === undefined
          ? `${formatCount(branches.length)} ${branches.length === 1 ? 'branch' : 'branches'} of ${formatCount(tree.entries)} entries, ${formatBytes(bytesOf(props))} uncompressed`
          : `${query.columns}${query.cut ? ` {${query.cut}}` : ''}, a column for each expression`}
      </p>
      <SaveFile
        {...{ store, name, begin }}
        place={`export ${cyclePath(keyInfo)} ${format}`}
        label="Write file"
        disabled={branches.length === 0 && query === undefined}
      />
    </>
  );
}

/** Uncompressed bytes that are written. */
function bytesOf({ tree, branches, query }: ExportChoice): number {
  if (query !== undefined) return tree.totalBytes;
  return branches.reduce((sum, index) => sum + (tree.branches[index]?.totalBytes ?? 0), 0);
}

async function writeAll(pieces: AsyncIterable<Uint8Array>, target: SaveTarget): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    await target.write(piece);
  }
  await target.close();
  return bytes;
}
