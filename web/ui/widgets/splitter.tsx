import type { Signal } from '@preact/signals';

/** Limits of the left pane's share of the width, in percent. */
const MIN_SHARE = 20;
const MAX_SHARE = 70;

/** The line between the panes: drag it, or move it with the arrow keys. `share` is in percent. */
export function Splitter({ share }: { share: Signal<number> }): JSX.Element {
  const set = (value: number) => {
    share.value = Math.min(MAX_SHARE, Math.max(MIN_SHARE, value));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved is a focusable separator (APG window splitter)
    <div
      class="splitter"
      role="separator"
      aria-label="Width of the contents"
      aria-orientation="vertical"
      aria-valuemin={MIN_SHARE}
      aria-valuemax={MAX_SHARE}
      aria-valuenow={Math.round(share.value)}
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const line = event.currentTarget;
        const panes = line.closest('.panes')?.getBoundingClientRect();
        if (panes === undefined || !line.hasPointerCapture(event.pointerId)) return;
        set((100 * (event.clientX - panes.left)) / panes.width);
      }}
      onDblClick={() => set(40)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') set(share.value - 2);
        else if (event.key === 'ArrowRight') set(share.value + 2);
        else return;
        event.preventDefault();
      }}
    />
  );
}
