import { useSignal } from '@preact/signals';
import type { TreeInfo } from '../../api/api';
import { formatCount } from '../../base/format';
import { readable } from './table-state';

const LISTED = 200;

interface ColumnChooserProps {
  tree: TreeInfo;
  chosen: number[];
  onChange(columns: number[]): void;
}

/** Chooses the columns among the branches. Present columns come first, then branches that match the typed text. */
export function ColumnChooser({ tree, chosen, onChange }: ColumnChooserProps): JSX.Element {
  const filter = useSignal('');
  const wanted = filter.value.toLowerCase();
  const others = readable(tree).filter(
    (index) => !chosen.includes(index) && tree.branches[index]?.path.toLowerCase().includes(wanted),
  );
  const option = (index: number, on: boolean) => {
    const branch = tree.branches[index];
    return (
      branch !== undefined && (
        <label class="check" key={index}>
          <input
            type="checkbox"
            checked={on}
            onChange={() => onChange(on ? chosen.filter((one) => one !== index) : [...chosen, index])}
          />
          <span class="label">{branch.path}</span>
          <code>{branch.typeName}</code>
        </label>
      )
    );
  };
  return (
    <details class="chooser">
      <summary>
        {chosen.length} of {formatCount(readable(tree).length)} columns
      </summary>
      <div class="chooser-list">
        <input
          type="search"
          placeholder="Find a branch"
          aria-label="Find a branch"
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
        {chosen.map((index) => option(index, true))}
        <hr />
        {others.slice(0, LISTED).map((index) => option(index, false))}
        {others.length > LISTED && (
          <p class="hint">{formatCount(others.length - LISTED)} more: type to find them.</p>
        )}
      </div>
    </details>
  );
}
