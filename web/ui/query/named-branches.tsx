import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { BranchInfo, TreeInfo } from '../../api/api';
import { readableLatex } from '../../plot/drawing/latex';

/** Branches that are described below a plot, at most. */
const MOST = 8;

interface NamedBranchesProps {
  tree: TreeInfo;
  expr: string;
  cut: string;
}

/** The documentation of the branches that a drawing names; nothing if they have none. */
export function NamedBranches({ tree, expr, cut }: NamedBranchesProps): JSX.Element | null {
  const found = useSignal<readonly BranchInfo[]>([]);
  useEffect(() => {
    let isNow = true;
    // The language is not part of the first script of the page. Without it, nothing is described.
    import('../../query/compile/branches-of-query').then(
      ({ branchesOfQuery }) => {
        if (isNow) found.value = documented(() => branchesOfQuery(tree, expr, cut));
      },
      () => undefined,
    );
    return () => {
      isNow = false;
    };
  }, [tree, expr, cut]);
  const shown = found.value.slice(0, MOST);
  if (shown.length === 0) return null;
  return (
    <dl class="named-branches" aria-label="What the branches hold">
      {shown.map(({ index, name, documentation = '' }) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{readableLatex(documentation)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A text that cannot be parsed names no branches; the query bar shows its error. */
function documented(named: () => readonly BranchInfo[]): readonly BranchInfo[] {
  try {
    return named().filter(({ documentation }) => documentation !== undefined);
  } catch {
    return [];
  }
}
