import { useState } from 'preact/hooks';
import type { Places } from '../../../ui/part';
import { CopyButton } from '../../../ui/widgets/copy-button';
import { type Snippet, snippets, type Use } from '../work/snippets';

/** Code that makes the same histogram in other tools, to copy. */
export function UseThis(props: Places['histogram']): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <details class="bins" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Use this in uproot, RDataFrame, …</summary>
      {open && <Snippets all={snippets(useOf(props))} />}
    </details>
  );
}

/**
 * Returns the drawing that fills this histogram. A local file is named as if it were in the folder of the program.
 */
function useOf({ store, histogram, tree, ...drawn }: Places['histogram']): Use {
  const { expr, cut, branch, profile } = drawn;
  const source = store.session.file.value?.source;
  return {
    address: source?.kind === 'url' ? source.url : (store.session.file.value?.info.name ?? ''),
    tree: tree?.path ?? '',
    kind: tree?.kind ?? 'TTree',
    ...{ branch, expr, cut, profile },
    axes: histogram.axes.map(({ bins, low, high }) => ({ bins, low, high })),
  };
}

function Snippets({ all }: { all: Snippet[] }): JSX.Element | null {
  const [tool, setTool] = useState(all[0]?.tool);
  const shown = all.find((one) => one.tool === tool) ?? all[0];
  if (shown === undefined) return null;
  return (
    <div class="snippets">
      <div class="controls">
        <div class="tabs" role="tablist" aria-label="Tool">
          {all.map((one) => (
            <button
              type="button"
              role="tab"
              key={one.tool}
              aria-selected={one === shown}
              onClick={() => setTool(one.tool)}
            >
              {one.tool}
            </button>
          ))}
        </div>
        <CopyButton class="push" label="Copy" text={() => shown.text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section aria-label={`Program for ${shown.tool}`} tabIndex={0}>
        <pre>{shown.text}</pre>
      </section>
    </div>
  );
}
