import { batch } from '@preact/signals';
import { itemOf, type Marked } from '../../../ui/contents/marked';
import { ROW_TYPE } from '../../../ui/contents/rows';
import type { Places } from '../../../ui/part';
import { keyNode, type NodeId } from '../../../ui/state/contents-model';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { formatBoardParams } from './board-params';

/** Maximum number of plots that a board is made of. */
const MOST = 24;

const paramsOf = (plots: readonly string[]): string =>
  formatBoardParams({ plots: plots.slice(0, MOST), weight: '', chips: [], follows: false, fits: {} });

/** Returns the branches of marked rows, if all are of one tree. */
function branchesOf(items: readonly Marked[]): string[] | undefined {
  const [first] = items;
  const own = items.flatMap(({ branch, keyIndex }) =>
    branch && keyIndex === first?.keyIndex ? [branch.path] : [],
  );
  return own.length > 0 && own.length === items.length ? own : undefined;
}

/** A button that makes a board of the marked branches. */
export function BoardOfMarked({ store, items }: Places['marked']): JSX.Element {
  const plots = branchesOf(items);
  const [first] = items;
  const show = () =>
    // One step of the browser's history.
    batch(() => {
      if (!first || !plots) return;
      store.selection.select(keyNode(first.keyIndex));
      store.selection.setView('board', paramsOf(plots));
    });
  return (
    <button type="button" disabled={!plots} title="Branches of one tree, linked by brushes" onClick={show}>
      Board
    </button>
  );
}

/** A button that makes a board of the plots of a wall. */
export function BoardOfWall({ store, plots }: Places['wall']): JSX.Element {
  return (
    <button
      type="button"
      disabled={plots.length === 0}
      title={`The first ${MOST} of these plots, linked by brushes`}
      onClick={() => store.selection.setView('board', paramsOf(plots))}
    >
      Board
    </button>
  );
}

/** Returns the branch of a row of the contents that is dropped; undefined for other things, and for branches of other trees. */
export function droppedBranch(store: ViewerStore, event: DragEvent, keyIndex: number): string | undefined {
  const item = itemOf(store, (event.dataTransfer?.getData(ROW_TYPE) ?? '') as NodeId);
  return item?.branch && item.keyIndex === keyIndex ? item.branch.path : undefined;
}

/** Whether a row of the contents is dragged. */
export const isRow = (event: DragEvent): boolean => event.dataTransfer?.types.includes(ROW_TYPE) === true;
