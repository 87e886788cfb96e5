import { useSignal } from '@preact/signals';
import { useId, useMemo, useRef } from 'preact/hooks';
import { formatBytes, formatCount } from '../../../base/format';
import { largestOf } from '../../../base/sort';
import { Icon } from '../../../ui/widgets/icons';
import { chosenColour } from '../work/file-map-colours';
import type { FileMap } from '../work/map';
import type { ChosenBranches } from '../work/map-branches';

interface MapBranchesProps {
  map: FileMap;
  /** Index of the layout whose branches are offered; undefined for all trees. */
  tree: number | undefined;
  chosen: ChosenBranches;
  theme: 'light' | 'dark';
  onChange(patterns: string[]): void;
}

/** Maximum number of names offered while typing. More would slow down the page. */
const MAX_OFFERED = 1000;

/** The choice of branches whose baskets are coloured: a field with suggestions, and the chosen branches. */
export function MapBranches({ map, tree, chosen, theme, onChange }: MapBranchesProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const list = useId();
  const layouts = tree === undefined ? map.layouts : map.layouts.slice(tree, tree + 1);
  const asked = useSignal(false);
  const offered = useMemo(() => (asked.value ? offeredNames(layouts) : []), [map, tree, asked.value]);
  const largest = useMemo(() => largestBranches(layouts), [map, tree]);
  const { patterns, sums } = chosen;
  const add = (event: Event) => {
    event.preventDefault();
    const typed = (field.current?.value ?? '').split(',').map((name) => name.trim());
    const fresh = typed.filter((name) => name !== '' && !patterns.includes(name));
    if (field.current !== null) field.current.value = '';
    if (fresh.length > 0) onChange([...patterns, ...fresh]);
  };
  return (
    <div class="map-branches">
      <form class="branch-form" onSubmit={add}>
        <label class="field">
          <span class="hidden">Branches to colour</span>
          <input
            ref={field}
            type="text"
            list={list}
            placeholder="Colour a branch: name, or a pattern like Muon_*"
            autocomplete="off"
            spellcheck={false}
            onFocus={() => {
              asked.value = true;
            }}
          />
        </label>
        <datalist id={list}>
          {offered.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <button type="submit">Colour</button>
      </form>
      {patterns.length === 0
        ? largest.length > 0 && (
            <button type="button" class="link" onClick={() => onChange(largest)}>
              Colour the {largest.length === 1 ? 'largest branch' : `${largest.length} largest`}
            </button>
          )
        : null}
      <ul class="chips" aria-label="Coloured branches">
        {patterns.map((pattern, i) => (
          <li key={pattern} class={sums[i]?.branches === 0 ? 'chip missing' : 'chip'}>
            <span class="swatch" style={{ background: chosenColour(i, theme === 'dark') }} />
            <span class="chip-name">{pattern}</span>
            <span class="chip-facts">{factsOf(sums[i])}</span>
            <button
              type="button"
              class="quiet"
              aria-label={`No colour for ${pattern}`}
              onClick={() => onChange(patterns.filter((other) => other !== pattern))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function factsOf(sum: ChosenBranches['sums'][number] | undefined): string {
  if (sum === undefined || sum.branches === 0) return 'no branch of this name';
  const baskets = `${formatCount(sum.baskets)} ${sum.baskets === 1 ? 'basket' : 'baskets'}`;
  const branches = sum.branches === 1 ? '' : `${formatCount(sum.branches)} branches, `;
  return `${branches}${baskets}, ${formatBytes(sum.storedBytes)}`;
}

function offeredNames(layouts: FileMap['layouts']): string[] {
  const several = layouts.length > 1;
  const names = new Set<string>();
  for (const { tree } of layouts) {
    for (const { path } of tree.branches) {
      if (names.size >= MAX_OFFERED) return [...names];
      names.add(several ? `${tree.path}:${path}` : path);
    }
  }
  return [...names];
}

/** Returns the three branches with the most bytes. */
function largestBranches(layouts: FileMap['layouts']): string[] {
  const several = layouts.length > 1;
  const all = layouts.flatMap((layout) => layout.tree.branches.map((branch) => ({ layout, branch })));
  return largestOf(all, 3, ({ layout: { basketStart, storedBytes }, branch: { index } }) => {
    let bytes = 0;
    for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++)
      bytes += storedBytes[i] ?? 0;
    return bytes;
  }).map(({ layout, branch }) => (several ? `${layout.tree.path}:${branch.path}` : branch.path));
}
