import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { KeyInfo, TreeInfo } from '../../api/api';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import { formatBytes, formatCount } from '../../base/format';
import { cyclePath } from '../../model/find-key';
import type { ViewerStore } from '../state/viewer-state';
import { lazy } from '../widgets/lazy';
import { canPickFile, gatherTarget, pickedTarget, type SaveTarget } from '../widgets/save';

/** The formats that a page offers. Their code is loaded when one is written. */
const formats = {
  csv: ['CSV', 'text/csv'],
  jsonl: ['JSON Lines', 'application/jsonl'],
  arrow: ['Arrow', 'application/vnd.apache.arrow.file'],
  parquet: ['Parquet', 'application/vnd.apache.parquet'],
  npz: ['NPZ', 'application/zip'],
} as const;
type Format = keyof typeof formats;
/** ROOT files, with the trees as they are, or as RNTuples. */
type RootFormat = 'root' | 'rntuple';

const isRoot = (format: Format | RootFormat): format is RootFormat =>
  format === 'root' || format === 'rntuple';

/** A ROOT file: a copy of the stored baskets, or an RNTuple with the values. */
const SaveTree = lazy(async () => (await import('../save/save-tree')).SaveTree);

/** More than this is written to a file directly, when the browser can do that. */
const MAX_IN_MEMORY = 64e6;
/** Uncompressed bytes that are written at once: the page responds in between. Parquet is encoded by workers. */
const CHUNK_BYTES = 2 * 1024 * 1024;

interface ExportMenuProps {
  store: ViewerStore;
  keyInfo: KeyInfo;
  tree: TreeInfo;
  /** Indices of the branches that are written, with all entries. */
  branches: readonly number[];
  /** In place of branches: expressions, for the entries that pass the cut. */
  query?: { columns: string; cut: string } | undefined;
}

/** Writes branches, or expressions of them, to a file of another format, or branches to a ROOT file. */
export function ExportMenu(props: ExportMenuProps): JSX.Element {
  const { store, keyInfo, tree, branches, query } = props;
  const format = useSignal<Format | RootFormat>('csv');
  const open = store.session.file.value;
  // Several files are merged, not copied.
  const copied = open?.info.files === undefined ? open : null;
  const bytes = bytesOf(props);
  return (
    <details class="chooser export">
      <summary>Export</summary>
      <div class="chooser-list">
        {!isRoot(format.value) && (
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
              format.value = event.currentTarget.value as Format | RootFormat;
            }}
          >
            {Object.entries(formats).map(([name, [title]]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
            {store.writer !== undefined && copied !== null && (
              <>
                <option value="root">ROOT</option>
                <option value="rntuple">ROOT, as RNTuple</option>
              </>
            )}
          </select>
        </label>
        {!isRoot(format.value) ? (
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

/** Writes values in a format. */
function WriteTable(props: ExportMenuProps & { format: Format }): JSX.Element {
  const { store, keyInfo, tree, branches, query, format } = props;
  const done = useSignal('');
  const failed = useSignal<ErrorRecord | null>(null);
  const activity = store.activities.list.value.find(({ slot }) => slot === 'export');

  const write = async () => {
    const [title, type] = formats[format];
    const name = `${tree.name}.${format}`;
    const request = {
      tree: cyclePath(keyInfo),
      ...(query ?? { branches: [...branches] }),
      format,
      chunkBytes: format === 'parquet' ? undefined : CHUNK_BYTES,
      fileName: store.session.file.peek()?.info.name,
    };
    done.value = '';
    failed.value = null;
    try {
      const large = bytesOf(props) > MAX_IN_MEMORY && canPickFile();
      const target = large ? await pickedTarget(name) : gatherTarget(name, type);
      const written = await store.session.call('export', `Writing ${title}`, async (api, file, options) => {
        const { exportTree } = await import('../../export/export-tree');
        return writeAll(exportTree(api, file, request, options), target);
      });
      const entries = query?.cut ? '' : `${formatCount(tree.entries)} entries, `;
      done.value = `${name}: ${entries}${formatBytes(written)}`;
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code === 'ABORTED') done.value = 'Cancelled: nothing was written.';
      else failed.value = error.toRecord();
    }
  };
  return (
    <>
      {activity === undefined ? (
        <button
          type="button"
          class="primary"
          disabled={branches.length === 0 && query === undefined}
          onClick={() => void write()}
        >
          Write file
        </button>
      ) : (
        <>
          <button type="button" onClick={() => store.activities.cancel('export')}>
            Cancel
          </button>
          <progress
            aria-label={activity.label}
            max={Math.max(1, tree.entries)}
            value={activity.progress?.entriesDone ?? 0}
          />
        </>
      )}
      <p class="hint" role="status">
        {done.value}
      </p>
      {failed.value !== null && (
        <p class="hint bad" role="alert">
          {failed.value.message} {failed.value.fix}
        </p>
      )}
    </>
  );
}

async function writeAll(pieces: AsyncIterable<Uint8Array>, target: SaveTarget): Promise<number> {
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      await target.write(piece);
    }
    await target.close();
    return bytes;
  } catch (thrown) {
    await target.abort().catch(() => undefined);
    throw thrown;
  }
}
