import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { KeyInfo, TreeInfo } from '../../api/api';
import { isMistake, type Query, type ViewerStore } from '../state/viewer-state';
import { QueryField } from '../widgets/query-field';
import { Check } from '../widgets/segmented-control';
import { slot } from '../widgets/slot';
import { Mistake } from './mistake';

/** Parts of features below the bar while it is edited. */
const BelowBar = slot('query');

interface QueryBarProps {
  store: ViewerStore;
  tree: TreeInfo;
  keyInfo: KeyInfo;
  /** Path of the shown branch. It is drawn in its own panel, also with a cut. */
  branch?: string;
}

/** TTree::Draw as a line: expression, cut, and the cost of reading. */
export function QueryBar({ store, tree, keyInfo, branch }: QueryBarProps): JSX.Element {
  const branchCut = store.selection.branchCut.value;
  const query = store.selection.query.value;
  const drawn = useMemo(
    () => (branch === undefined ? query : { expr: branch, cut: branchCut, profile: false }),
    [branch, branchCut, query],
  );
  const asked: Query = drawn ?? { expr: '', cut: '', profile: false };
  const draft = useSignal<Query>(asked);
  /** Position in the history; -1 for the text that is being written. */
  const place = useSignal(-1);
  const active = useSignal(branch === undefined || branchCut !== '');
  const exprField = useRef<HTMLInputElement>(null);
  const cutField = useRef<HTMLInputElement>(null);
  const { expr, cut, profile } = draft.value;
  useEffect(() => {
    if (drawn !== null) draft.value = drawn;
  }, [drawn]);

  const set = (change: Partial<Query>) => {
    draft.value = { ...draft.peek(), ...change };
    place.value = -1;
  };
  const run = (query: Query) => {
    draft.value = query;
    if (query.expr.trim() === '') exprField.current?.focus();
    else if (query.expr.trim() === branch && !query.profile) store.selection.cutBranch(query.cut);
    else store.selection.drawQuery(query);
  };
  const recall = (step: 1 | -1) => {
    const list = store.history.list.peek();
    const next = place.peek() + step;
    const query = list[next];
    if (query === undefined) return;
    place.value = next;
    draft.value = query;
  };
  const content = store.selection.content.value;
  const kept = content.kind === 'draw' || content.kind === 'query' ? content.mistake : undefined;
  const failed = content.kind === 'failed' && isMistake(content.error) ? content.error : kept;
  const mistake = drawn === null ? undefined : failed;
  const wrong = mistake?.where?.expression;
  const open = store.session.file.value;
  return (
    <form
      class="query-bar"
      aria-label={`Draw of ${tree.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        run(draft.peek());
      }}
      onFocusIn={() => {
        active.value = true;
      }}
    >
      <div class="query-line">
        <QueryField
          id="query-expr"
          label="Draw"
          placeholder="x, y:x, or sqrt(x)>>h(100,0,10)"
          tree={tree}
          value={expr}
          invalid={wrong !== undefined && wrong === expr}
          input={exprField}
          onValue={(value) => set({ expr: value })}
          onHistory={recall}
        />
        <QueryField
          id="query-cut"
          label="Where"
          placeholder="everything"
          tree={tree}
          value={cut}
          invalid={wrong !== undefined && wrong !== expr && wrong === cut}
          input={cutField}
          onValue={(value) => set({ cut: value })}
          onHistory={recall}
        />
        <button type="submit" class="primary">
          Draw
        </button>
      </div>
      {mistake !== undefined && drawn !== null && (
        <Mistake
          error={mistake}
          query={drawn}
          hasPlot={kept !== undefined}
          onCorrect={(query) => {
            run(query);
            exprField.current?.focus();
          }}
        />
      )}
      {active.value && (
        <div class="query-below">
          <Check label="Profile: mean of y" on={profile} onChange={(on) => set({ profile: on })} />
          {open !== null && mistake === undefined && (
            <BelowBar {...{ store, open, tree, keyInfo, expr, cut }} />
          )}
        </div>
      )}
    </form>
  );
}
