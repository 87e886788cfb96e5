import { useSignal } from '@preact/signals';
import type { CallOptions, FileId, KeyInfo, TreeInfo } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import type { ExportFormat } from '../../api/export';
import { formatBytes, formatCount } from '../../base/format';
import {
  EXPORT_FORMATS,
  isRootFormat,
  offeredFormats,
  ROOT_FORMATS,
  type RootFormat,
} from '../../export/formats';
import { SaveFile } from '../../features/writer/view/save-file';
import { cyclePath } from '../../model/keys';
import { canPickFile, gatherTarget, pickedTarget, type SaveTarget } from '../save/save-blob';
import type { ViewerStore } from '../state/viewer-state';
import { lazy } from '../widgets/lazy';

/** A ROOT file: a copy of the stored baskets, or an RNTuple with the values. */
const SaveTree = lazy(async () => (await import('../../features/writer/view/save-tree')).SaveTree);

/** Larger results are written to a file directly, if the browser can do that. */
const MAX_IN_MEMORY = 64e6;
/**
 * Uncompressed bytes that are written at once, so that the page responds in between. Parquet is encoded by workers.
 */
const CHUNK_BYTES = 2 * 1024 * 1024;

const rootFormats = Object.entries(ROOT_FORMATS).map(([name, label]) => ({ name, label }));

interface ExportMenuProps {
  store: ViewerStore;
  keyInfo: KeyInfo;
  tree: TreeInfo;
  /** Indices of the branches to write, with all entries. */
  branches: readonly number[];
  /** Instead of branches: expressions, for the entries that pass the cut. */
  query?: { columns: string; cut: string } | undefined;
}

/** Writes branches, or expressions of them, to a file of another format, or branches to a ROOT file. */
export function ExportMenu(props: ExportMenuProps): JSX.Element {
  const { store, keyInfo, tree, branches, query } = props;
  const format = useSignal<ExportFormat | RootFormat>('csv');
  const open = store.session.file.value;
  // Several files are merged, not copied.
  const copied = open?.info.files === undefined ? open : null;
  const bytes = bytesOf(props);
  return (
    <details class="chooser export">
      <summary>Export</summary>
      <div class="chooser-list">
        {!isRootFormat(format.value) && (
          <p class="hint">
            {query === undefined
              ? `${formatCount(branches.length)} ${branches.length === 1 ? 'branch' : 'branches'} of ${formatCount(tree.entries)} entries, ${formatBytes(bytes)} uncompressed`
              : `${query.columns}${query.cut ? ` {${query.cut}}` : ''}, a column for each expression`}
          </p>
        )}
        <label class="number-field">
          <span>Format</span>
          <select
            value={format.value}
            onChange={(event) => {
              format.value = event.currentTarget.value as ExportFormat | RootFormat;
            }}
          >
            {[...offeredFormats(), ...(store.writer && copied ? rootFormats : [])].map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {!isRootFormat(format.value) ? (
          <WriteTable {...props} format={format.value} />
        ) : (
          store.writer !== undefined &&
          copied !== null && (
            <SaveTree
              key={query?.cut}
              {...{ store, keyInfo, tree, branches, query }}
              writer={store.writer}
              open={copied}
              to={format.value === 'rntuple' ? 'rntuple' : undefined}
            />
          )
        )}
      </div>
    </details>
  );
}

/** Uncompressed bytes that are written. */
function bytesOf({ tree, branches, query }: ExportMenuProps): number {
  if (query !== undefined) return tree.totalBytes;
  return branches.reduce((sum, index) => sum + (tree.branches[index]?.totalBytes ?? 0), 0);
}

function WriteTable(props: ExportMenuProps & { format: ExportFormat }): JSX.Element {
  const { store, keyInfo, tree, branches, query, format } = props;
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
        const { exportTree } = await import('../../features/exports/work/export-tree');
        const bytes = await writeAll(exportTree(api, file, request, options), target);
        return { bytes, text: query?.cut ? '' : `${formatCount(tree.entries)} entries`, notes: [] };
      },
      abandon: async () => (await opening).abort(),
    };
  };
  return (
    <SaveFile
      {...{ store, name, begin }}
      place={`export ${cyclePath(keyInfo)} ${format}`}
      label="Write file"
      disabled={branches.length === 0 && query === undefined}
    />
  );
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
