import type { BranchInfo } from '../../api/api';
import { formatBytes, formatCount } from '../../base/format';
import { isTree } from '../../model/keys';
import { readableLatex } from '../../plot/drawing/latex';
import type { NodeId } from '../state/contents-model';
import { Icon } from '../widgets/icons';
import { MarkedText, NameText } from '../widgets/name-text';
import { keyIcon } from './key-icon';
import { type ContentRow, isShowable, ROW_TYPE } from './rows';

interface RowProps {
  row: ContentRow;
  /** Words of the filter, which are marked. */
  words: readonly string[];
  /** The title, if the row matches only because of it. */
  foundIn: string | undefined;
  top: number;
  selected: boolean;
  active: boolean;
  onChoose(id: NodeId): void;
  onMark(id: NodeId): void;
  onToggle(): void;
}

/** One row of the contents. */
export function Row({
  row,
  words,
  foundIn,
  top,
  selected,
  active,
  onChoose,
  onMark,
  onToggle,
}: RowProps): JSX.Element {
  const classes = `row${selected ? ' selected' : ''}${active ? ' active' : ''}`;
  const indent = { '--depth': row.depth - 1, transform: `translateY(${top}px)` };
  if (row.kind === 'note') {
    return (
      <div
        class={`${classes} note${row.failed ? ' failed' : ''}`}
        style={indent}
        role="treeitem"
        aria-level={row.depth}
        tabIndex={-1}
        id={`row-${row.id}`}
      >
        <span class="row-name">
          <span class="twist" />
          <span class="label">{row.text}</span>
        </span>
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keyboard for all its rows
    <div
      class={`${classes}${row.kind === 'key' && row.superseded ? ' old' : ''}`}
      style={indent}
      id={`row-${row.id}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth}
      aria-setsize={row.setSize}
      aria-posinset={row.posInSet}
      aria-selected={selected}
      aria-expanded={row.expandable ? row.expanded : undefined}
      onClick={(event) => (event.ctrlKey || event.metaKey ? onMark(row.id) : onChoose(row.id))}
      onDblClick={isShowable(row) ? onToggle : undefined}
      draggable={isShowable(row)}
      onDragStart={(event) => event.dataTransfer?.setData(ROW_TYPE, row.id)}
    >
      <span class="row-name">
        <Twist row={row} onToggle={onToggle} />
        <RowName row={row} words={words} />
      </span>
      {foundIn === undefined ? (
        <RowColumns row={row} />
      ) : (
        <span class="col-title" title={foundIn}>
          <MarkedText text={readableLatex(foundIn)} words={words} />
        </span>
      )}
    </div>
  );
}

function Twist({ row, onToggle }: { row: ContentRow; onToggle(): void }): JSX.Element {
  if (!row.expandable) return <span class="twist" />;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: arrow keys do this on the row
    // biome-ignore lint/a11y/noStaticElementInteractions: the row itself is what assistive tools see
    <span
      class={`twist${row.expanded ? ' open' : ''}`}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
      onDblClick={(event) => event.stopPropagation()}
    >
      <Icon name="chevron" />
    </span>
  );
}

function RowName({ row, words }: Pick<RowProps, 'row' | 'words'>): JSX.Element | null {
  if (row.kind === 'key') return <KeyName row={row} words={words} />;
  if (row.kind === 'branch') return <BranchName row={row} words={words} />;
  if (row.kind === 'note') return null;
  return (
    <>
      <Icon name={row.kind === 'group' ? 'group' : 'object'} />
      <span class="label">
        {row.kind === 'group'
          ? row.name
          : `${formatCount(row.count)} older ${row.count === 1 ? 'cycle' : 'cycles'}`}
      </span>
    </>
  );
}

function RowColumns({ row }: { row: ContentRow }): JSX.Element | null {
  if (row.kind === 'key') return <KeyColumns row={row} />;
  if (row.kind === 'branch') return <BranchColumns row={row} />;
  if (row.kind !== 'group') return null;
  return (
    <>
      <span class="col-type">{formatCount(row.branches)} branches</span>
      <span class="col-entries">{formatCount(row.entries)}</span>
      <span class="col-size">{formatBytes(row.storedBytes)}</span>
    </>
  );
}

function KeyName({
  row,
  words,
}: {
  row: ContentRow & { kind: 'key' };
  words: readonly string[];
}): JSX.Element {
  return (
    <>
      <Icon name={keyIcon(row.key)} />
      <NameText name={row.key.name} words={words} title={row.key.title || row.key.name} />
      {(row.superseded || row.key.cycle > 1) && <span class="cycle">;{row.key.cycle}</span>}
    </>
  );
}

function BranchName({
  row,
  words,
}: {
  row: ContentRow & { kind: 'branch' };
  words: readonly string[];
}): JSX.Element {
  const { branch } = row;
  return (
    <>
      <Icon name={branch.kind === 'object' ? 'object' : branch.kind} />
      <NameText name={branch.name} shared={row.shared} words={words} title={titleOf(branch)} />
    </>
  );
}

/** Returns the full name, because it may be cut in the row, and the documentation. */
const titleOf = ({ name, documentation }: BranchInfo): string =>
  documentation === undefined ? name : `${name}\n${readableLatex(documentation)}`;

function KeyColumns({ row }: { row: ContentRow & { kind: 'key' } }): JSX.Element {
  return (
    <>
      <span class="col-type" title={row.key.className}>
        {row.key.className}
      </span>
      <span class="col-entries">{row.tree !== undefined && formatCount(row.tree.entries)}</span>
      <span class="col-size">{keySize(row)}</span>
    </>
  );
}

/** The size in a tree's key is that of its record, so the tree's size is shown as soon as it is known. */
function keySize(row: ContentRow & { kind: 'key' }): string {
  if (row.key.kind === 'directory') return '';
  if (isTree(row.key)) return row.tree === undefined ? '' : formatBytes(row.tree.storedBytes);
  return formatBytes(row.key.storedBytes);
}

function BranchColumns({ row }: { row: ContentRow & { kind: 'branch' } }): JSX.Element {
  const { branch } = row;
  return (
    <>
      <span class="col-type" title={branch.typeName}>
        {branch.typeName.replaceAll('std::', '')}
      </span>
      <span class="col-entries">{formatCount(branch.entries)}</span>
      <span class="col-size">{branch.storedBytes > 0 ? formatBytes(branch.storedBytes) : ''}</span>
    </>
  );
}
