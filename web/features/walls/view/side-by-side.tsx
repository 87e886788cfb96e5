import { batch } from '@preact/signals';
import type { Marked } from '../../../ui/contents/marked';
import type { Places } from '../../../ui/part';
import { FILE_NODE, keyNode, type NodeId } from '../../../ui/state/contents-model';
import { keyPath, type ViewerStore } from '../../../ui/state/viewer-state';
import { formatWallParams, parseWallParams } from './wall-params';

/** Shows a wall of the branches of one tree, or of stored objects; undefined for other rows. */
export function besideWay(store: ViewerStore, items: readonly Marked[]): (() => void) | undefined {
  const [first] = items;
  if (first === undefined || items.length < 2) return undefined;
  // One step of the browser's history.
  const show = (node: NodeId, words: string) => () =>
    batch(() => {
      store.selection.select(node);
      store.selection.setView('wall', formatWallParams({ ...parseWallParams(''), items: words }));
    });
  const branches = items.flatMap(({ branch, keyIndex }) =>
    branch && keyIndex === first.keyIndex ? [branch.path] : [],
  );
  if (branches.length === items.length) return show(keyNode(first.keyIndex), branches.join(' '));
  if (items.some(({ branch }) => branch)) return undefined;
  const { keyTree } = store.session.file.peek() ?? {};
  return show(FILE_NODE, items.map(({ key, keyIndex }) => keyPath(key, keyTree, keyIndex)).join('\n'));
}

/** A button that shows the marked plots on a wall. */
export function SideBySide({ store, items }: Places['marked']): JSX.Element {
  const beside = besideWay(store, items);
  return (
    <button type="button" disabled={!beside} title="Branches of one tree, or stored objects" onClick={beside}>
      Side by side
    </button>
  );
}
