import { formatCount } from '../../../base/format';
import type { Places } from '../../../ui/part';
import { keyNode } from '../../../ui/state/contents-model';
import { ALL_FILES_VIEW, COMPARE_FILES_VIEW, formatAsked } from './asked';

/** Says that only one file of a list is shown, and where to find all of them. */
export function ChainNote({ store, open }: Places['list']): JSX.Element | null {
  const { chain } = open;
  const selection = store.selection.chosen.value;
  const onTree =
    selection?.kind === 'key' && (selection.key.kind === 'tree' || selection.key.kind === 'ntuple');
  const ofAll =
    store.selection.view.value === ALL_FILES_VIEW || store.selection.view.value === COMPARE_FILES_VIEW;
  if (chain === undefined || (onTree && ofAll)) return null;
  const expr = selection?.kind === 'branch' ? selection.branch.path : '';
  const show = (keyIndex: number) => {
    store.selection.select(keyNode(keyIndex));
    store.selection.setView(ALL_FILES_VIEW, formatAsked({ expr, cut: store.selection.branchCut.peek() }));
  };
  return (
    <p class="chain-note">
      <span>
        {formatCount(chain.length)} files; this is <b>{open.info.name.split('/').pop()}</b> alone.
      </span>
      {(onTree || selection?.kind === 'branch') && (
        <button type="button" onClick={() => show(selection.keyIndex)}>
          {selection.kind === 'branch' ? `Draw ${selection.branch.name} of all files` : 'All files'}
        </button>
      )}
    </p>
  );
}
