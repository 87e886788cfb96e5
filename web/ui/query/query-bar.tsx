import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { KeyInfo, TreeInfo } from '../../file/api';
import type { Query, ViewerStore } from '../viewer-state';
import { CostLine } from './cost-line';
import { isMistake, Mistake } from './mistake';
import { QueryField } from './query-field';

interface QueryBarProps {
  store: ViewerStore;
  tree: TreeInfo;
  keyInfo: KeyInfo;
  /** What stands in it where nothing was drawn yet. */
  first?: string;
}

/** TTree::Draw as a line: what to draw, what to select, what it will read. */
export function QueryBar({ store, tree, keyInfo, first }: QueryBarProps): JSX.Element {
  const drawn = store.query.value;
  const asked: Query =
    first !== undefined || drawn === null ? { expr: first ?? '', cut: '', profile: false } : drawn;
  const draft = useSignal<Query>(asked);
  /** Place in the history; -1 is what is being written. */
  const place = useSignal(-1);
  const active = useSignal(first === undefined);
  const exprField = useRef<HTMLInputElement>(null);
  const cutField = useRef<HTMLInputElement>(null);
  const { expr, cut, profile } = draft.value;
  useEffect(() => {
    if (first === undefined && drawn !== null) draft.value = drawn;
  }, [first, drawn]);

  const set = (change: Partial<Query>) => {
    draft.value = { ...draft.peek(), ...change };
    place.value = -1;
  };
  const run = (query: Query) => {
    draft.value = query;
    if (query.expr.trim() === '') exprField.current?.focus();
    else store.runQuery(query);
  };
  const recall = (step: 1 | -1) => {
    const list = store.history.list.peek();
    const next = place.peek() + step;
    const query = list[next];
    if (query === undefined) return;
    place.value = next;
    draft.value = query;
  };
  const content = store.content.value;
  const mistake =
    first === undefined && drawn !== null && content.kind === 'failed' && isMistake(content.error)
      ? content.error
      : undefined;
  const wrong = mistake?.where?.expression;
  const open = store.file.value;
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
          onCorrect={(query) => {
            run(query);
            exprField.current?.focus();
          }}
        />
      )}
      {active.value && (
        <div class="query-below">
          <label class="check">
            <input
              type="checkbox"
              checked={profile}
              onChange={(event) => set({ profile: event.currentTarget.checked })}
            />
            Profile: mean of y
          </label>
          {open !== null && mistake === undefined && (
            <CostLine store={store} open={open} tree={tree} keyInfo={keyInfo} expr={expr} cut={cut} />
          )}
        </div>
      )}
    </form>
  );
}
