import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { printable } from '../../../base/text';
import { runKey } from '../../../plot/command';
import { largeCommands } from './wall-commands';
import { SmallPlot } from './wall-grid';
import type { WallLoader } from './wall-loader';

interface LargePlotProps {
  loader: WallLoader;
  order: readonly number[];
  log: boolean;
  theme: 'light' | 'dark';
  /** The plot; undefined when it is closed. */
  large: Signal<number | undefined>;
}

/** One plot of a wall over all others. Arrow keys show the next one. */
export function LargePlot({ loader, order, log, theme, large }: LargePlotProps): JSX.Element | null {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const index = large.value ?? -1;
  const [item, tile] = [loader.items[index], loader.tile(index)];
  const at = order.indexOf(index);
  const step = (by: number) => {
    const next = order[at + by];
    if (next === undefined) return;
    loader.want([...order.slice(Math.max(0, at + by - 20), at + by + 20)], false);
    large.value = next;
  };
  void loader.version.value;
  if (item === undefined) return null;
  const notes = tile && 'notes' in tile ? tile.notes : [];
  return (
    <dialog
      class="wall-large"
      ref={dialog}
      aria-label={printable(item.name)}
      onClose={() => {
        large.value = undefined;
      }}
      onKeyDown={(event) => runKey(largeCommands, { step }, event)}
    >
      <p class="wall-name">{printable(item.name)}</p>
      {notes.map((note) => (
        <p class="hint" key={note}>
          {note}
        </p>
      ))}
      {tile?.model || tile?.picture ? (
        <SmallPlot tile={tile} log={log} axes={undefined} theme={theme} key={index} />
      ) : (
        <span class="wall-plot">{tile?.why ?? 'It is being read.'}</span>
      )}
      <form method="dialog" class="controls">
        <button type="button" disabled={at <= 0} onClick={() => step(-1)}>
          Previous
        </button>
        <button type="submit">Close</button>
        <button type="button" disabled={at + 1 >= order.length} onClick={() => step(1)}>
          Next
        </button>
      </form>
    </dialog>
  );
}
