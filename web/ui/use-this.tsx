import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Snippet, snippets, type Use } from '../export/snippets';

/** The same histogram in the words of other tools, to copy. */
export function UseThis({ use }: { use: Use }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <details class="bins" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Use this in uproot, RDataFrame, …</summary>
      {open && <Snippets all={snippets(use)} />}
    </details>
  );
}

function Snippets({ all }: { all: Snippet[] }): JSX.Element | null {
  const [tool, setTool] = useState(all[0]?.tool);
  const [copied, setCopied] = useState(false);
  const shown = all.find((one) => one.tool === tool) ?? all[0];
  if (shown === undefined) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(shown.text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
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
        <button type="button" class="quiet push" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section aria-label={`Program for ${shown.tool}`} tabIndex={0}>
        <pre>{shown.text}</pre>
      </section>
    </div>
  );
}
