import { useState } from 'preact/hooks';
import { CopyButton } from '../../../ui/widgets/copy-button';

/** A program for a tool, or the reason why there is none. */
export interface ShownProgram {
  id: string;
  tool: string;
  text?: string | undefined;
  why?: string | undefined;
}

/** Programs of several tools, one of which is shown and can be copied. */
export function ProgramTabs({ all }: { all: readonly ShownProgram[] }): JSX.Element | null {
  const [id, setId] = useState(all[0]?.id);
  const shown = all.find((one) => one.id === id) ?? all[0];
  if (shown === undefined) return null;
  const { tool, text, why } = shown;
  return (
    <div class="snippets">
      <div class="controls">
        <div class="tabs" role="tablist" aria-label="Tool">
          {all.map((one) => (
            <button
              type="button"
              role="tab"
              key={one.id}
              aria-selected={one === shown}
              onClick={() => setId(one.id)}
            >
              {one.tool}
            </button>
          ))}
        </div>
        {text !== undefined && <CopyButton class="push" label="Copy" text={() => text} />}
      </div>
      {text === undefined ? (
        <p class="hint">
          There is no program for {tool}. {why}
        </p>
      ) : (
        /* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */
        <section aria-label={`Program for ${tool}`} tabIndex={0}>
          <pre>{text}</pre>
        </section>
      )}
    </div>
  );
}
