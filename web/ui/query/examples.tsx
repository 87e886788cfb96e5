import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TreeInfo } from '../../api/api';
import type { Example } from '../../query/examples';
import type { ViewerStore } from '../state/viewer-state';

/** Drawings of this tree to begin with, as buttons. */
export function Examples({ store, tree }: { store: ViewerStore; tree: TreeInfo }): JSX.Element | null {
  const found = useSignal<readonly Example[]>([]);
  useEffect(() => {
    let isNow = true;
    // Without the language there are no examples, and an expression can still be written.
    import('../../query/examples').then(
      ({ examplesOf }) => {
        if (isNow) found.value = examplesOf(tree);
      },
      () => undefined,
    );
    return () => {
      isNow = false;
    };
  }, [tree]);
  if (found.value.length === 0) return null;
  return (
    <section class="examples" aria-label="Examples">
      <h3>Examples of this tree</h3>
      {found.value.map(({ expr, cut, about }) => (
        <p key={expr + cut}>
          <button
            type="button"
            class="example"
            onClick={() => store.selection.drawQuery({ expr, cut, profile: false })}
          >
            <code>{expr}</code>
            {cut !== '' && (
              <>
                {' '}
                where <code>{cut}</code>
              </>
            )}
          </button>
          <span class="hint">{about}</span>
        </p>
      ))}
    </section>
  );
}
