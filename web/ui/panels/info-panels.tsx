import { useMemo } from 'preact/hooks';
import type { BranchInfo, BranchKind, KeyInfo } from '../../api/api';
import { formatBytes, formatCount } from '../../base/format';
import { largestOf } from '../../base/sort';
import { isTree } from '../../model/keys';
import { Partial } from '../plot/results';
import { isDamaged, type OpenFile, sourceName, type ViewerStore } from '../state/viewer-state';
import type { ViewProps } from '../view-tabs';
import { Cancelled } from '../widgets/cancelled';
import { type Fact, Facts, Head, Notes } from '../widgets/definition-list';
import { shortPath } from '../widgets/name-text';
import { Placeholder } from '../widgets/progress';
import { slot } from '../widgets/slot';
import { useTyped } from '../widgets/use-typed';
import { ClassList } from './class-list';
import { keepOffline } from './keep-offline';

/** The classes that the file describes, after they have been read. */
export function FileClasses({ store }: ViewProps): JSX.Element | null {
  const content = store.selection.content.value;
  if (content.kind === 'classes') return <ClassList classes={content.classes} />;
  if (content.kind === 'cancelled') return <Cancelled onAgain={() => store.session.reload()} />;
  return content.kind === 'reading' ? <Placeholder store={store} /> : null;
}

/** Parts of features above the facts of a file, and below the facts of a file or directory. */
const AboveFacts = slot('overview');
const BelowFacts = slot('folder');

/** Facts about the file: writer, date, size, contents. */
export function FileOverview({ store, open, theme }: ViewProps): JSX.Element {
  const { info, keyTree } = open;
  return (
    <>
      <Notes notes={info.notes} />
      <AboveFacts {...{ store, open }} isDamaged={isDamaged(info)} />
      <Facts
        class="wide file"
        facts={[
          ['Size', `${formatBytes(info.size)} (${formatCount(info.size)} bytes)`],
          ['Written by', `ROOT ${info.rootVersion}`],
          ['Compression', info.compression],
          ['Created', readableDate(info.created)],
          ['Modified', readableDate(info.modified)],
          ['UUID', info.uuid],
          ...(info.name === sourceName(open.source) ? [] : [['Read from', info.name] as Fact]),
        ]}
      />
      <h3>What is in it</h3>
      <Facts class="wide" facts={classFacts(keyTree.keys)} />
      {open.source.kind === 'url' && <Kept store={store} open={open} />}
      {!keyTree.keys.some(isTree) && <BelowFacts {...{ store, open, theme }} directory={-1} />}
    </>
  );
}

/** Files from the network that are cached on this machine, with buttons to remove them. */
function Kept({ store, open }: { store: ViewerStore; open: OpenFile }): JSX.Element | null {
  const cache = store.traffic.cache.info.value;
  if (cache === null) return null;
  const trace = store.traffic.trace.value;
  const own = cache.files.filter(({ name }) => name === open.info.name);
  const ownBytes = own.reduce((sum, file) => sum + file.bytes, 0);
  const here = trace === null ? 0 : trace.storedBytes + trace.cachedBytes;
  const share = trace === null || here + trace.bytes === 0 ? 0 : here / (here + trace.bytes);
  return (
    <details class="bins kept">
      <summary>Kept on this machine: {formatBytes(ownBytes)} of this file</summary>
      {cache.notice !== undefined && <p class="hint">{cache.notice}</p>}
      <p class="hint">
        {formatBytes(cache.bytes)} of at most{' '}
        <KeptLimit maxBytes={cache.maxBytes} onLimit={(bytes) => void store.traffic.cache.limit(bytes)} />, so
        that what was read need not be fetched again.{' '}
        <button
          type="button"
          // Clearing also recreates a store that cannot be used.
          disabled={cache.bytes === 0 && cache.notice === undefined}
          onClick={() => void store.traffic.cache.clear()}
        >
          Clear
        </button>
      </p>
      <p class="hint">
        {Math.round(100 * share)} % of what was read of this file came from this machine.{' '}
        {open.info.offline !== true && (
          <button type="button" onClick={() => void keepOffline(store)}>
            Keep this file offline
          </button>
        )}{' '}
        <button
          type="button"
          disabled={own.length === 0}
          onClick={() => void store.traffic.cache.clear(own.map(({ key }) => key))}
        >
          Clear this file
        </button>
      </p>
      {store.traffic.cache.keeping.value !== null && (
        <p class="hint" role="status">
          {store.traffic.cache.keeping.value}
        </p>
      )}
    </details>
  );
}

function KeptLimit({ maxBytes, onLimit }: { maxBytes: number; onLimit(bytes: number): void }): JSX.Element {
  const most = useTyped(String(Number((maxBytes / 1e6).toPrecision(4))), (text) => {
    const bytes = Math.round(Number(text) * 1e6);
    if (text !== '' && Number.isSafeInteger(bytes) && bytes >= 0) onLimit(bytes);
  });
  return (
    <label class="number-field wide">
      <input type="number" min="0" step="any" aria-label="Most that is kept, in MB" {...most} />
      MB
    </label>
  );
}

/** The panel of a directory: the number of its keys of each class, and their plots. */
export function DirectoryPanel({
  store,
  open,
  keyIndex,
  theme,
}: {
  store: ViewerStore;
  open: OpenFile;
  keyIndex: number;
  theme: 'light' | 'dark';
}): JSX.Element | null {
  const { keys, children } = open.keyTree;
  const key = keys[keyIndex];
  if (key === undefined) return null;
  const held = (children.get(keyIndex) ?? []).flatMap((index) => keys[index] ?? []);
  return (
    <div class="panel">
      <Head path={key.path.split('/')} title={key.title} badge={key.className} />
      {held.length === 0 ? (
        <p class="hint">This directory is empty.</p>
      ) : (
        <>
          <Facts class="wide" facts={classFacts(held)} />
          <BelowFacts {...{ store, open, theme }} directory={keyIndex} />
        </>
      )}
    </div>
  );
}

const kindNames: Record<BranchKind, string> = {
  number: 'of numbers',
  string: 'of strings',
  object: 'of objects',
  group: 'that only hold others',
};

/** Describes numbers of branches: "15 branches of numbers, 1 of strings, 8 that only hold others". */
function kindsText(kinds: ReadonlyMap<BranchKind, number>): string {
  return [...kinds]
    .map(([kind, count], i) => {
      const unit = i > 0 ? '' : count === 1 ? 'branch ' : 'branches ';
      return `${formatCount(count)} ${unit}${kindNames[kind]}`;
    })
    .join(', ');
}

/** Number of branches that are listed as the largest. */
const LISTED = 12;

/** Returns the number of branches of each kind, and the largest branches with values. */
function branchCounts(branches: BranchInfo[]): { kinds: Map<BranchKind, number>; largest: BranchInfo[] } {
  const kinds = new Map<BranchKind, number>();
  for (const { kind } of branches) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const largest = largestOf(branches, LISTED, ({ kind, storedBytes }) =>
    kind === 'group' ? 0 : storedBytes,
  );
  return { kinds, largest };
}

/** A tree: entries, sizes, compression, and its largest branches. */
export function TreeOverview({ store, tree: shown }: ViewProps): JSX.Element | null {
  const branches = shown?.info.branches;
  const { kinds, largest } = useMemo(() => branchCounts(branches ?? []), [branches]);
  if (shown === undefined) return null;
  const { info: tree, keyIndex } = shown;
  const ratio = tree.totalBytes / tree.storedBytes;
  const most = largest[0]?.storedBytes ?? 1;
  return (
    <>
      <Partial note={tree.lost} parts="branches" onAgain={() => store.session.reload()} />
      <Facts
        class="big"
        facts={[
          ['Entries', formatCount(tree.entries)],
          ['Branches', formatCount(tree.branches.length)],
          ['Compressed', formatBytes(tree.storedBytes)],
          ['Uncompressed', formatBytes(tree.totalBytes)],
          ['Compression factor', Number.isFinite(ratio) ? ratio.toFixed(2) : undefined],
          ['Attribute sets, not read', tree.attributeSets?.join(', ')],
        ]}
      />
      <p class="summary">{kindsText(kinds)}</p>
      {largest.length > 0 && (
        <>
          <h3>Largest branches</h3>
          <div class="table-box">
            <table class="frequencies">
              <tbody>
                {largest.map((branch) => (
                  <tr key={branch.index}>
                    <td class="value">
                      <span class="bar" style={{ width: `${(100 * branch.storedBytes) / most}%` }} />
                      <button
                        type="button"
                        class="bar-text link"
                        title={branch.path}
                        onClick={() => store.selection.select(`k${keyIndex}b${branch.index}`)}
                      >
                        {shortPath(branch.path)}
                      </button>
                    </td>
                    <td class="number">{formatBytes(branch.storedBytes)}</td>
                    <td class="number">
                      {((100 * branch.storedBytes) / Math.max(1, tree.storedBytes)).toFixed(1)} %
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </>
  );
}

/** Returns the number of keys of each class, most frequent first. */
function classFacts(keys: KeyInfo[]): Fact[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key.className, (counts.get(key.className) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => [name, formatCount(count)]);
}

/**
 * Formats "2024-05-01T12:30:00" as "2024-05-01 12:30:00". It is the writer's local time, so no time zone is given.
 */
function readableDate(iso: string): string {
  return iso.replace('T', ' ');
}
