// biome-ignore-all lint/a11y/noRedundantRoles: an input is a combobox by itself only where it has a datalist
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { branchNode, keyNode } from './state/contents-model';
import type { ViewerStore } from './state/viewer-state';
import { pageViews } from './view-list';

/** An action, found by its words. */
export interface Command {
  label: string;
  /** Kind of the target: "Branch", "View", "Do". */
  kind: string;
  run(): void;
}

const listed = 50;

export interface PaletteProps {
  store: ViewerStore;
  /** Further actions of the page around the viewer. */
  more: Command[];
  onClose(): void;
}

/** Finds branches, objects, views and actions by name. A combobox over a list. */
export function Palette({ store, more, onClose }: PaletteProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const at = useSignal(0);
  useEffect(() => dialog.current?.showModal(), []);
  const found = matching([...commandsOf(store), ...more], text.value);
  const index = Math.min(at.value, found.length - 1);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') run(found[index]);
    else if (event.key === 'ArrowDown') at.value = Math.min(index + 1, found.length - 1);
    else if (event.key === 'ArrowUp') at.value = Math.max(index - 1, 0);
    else return;
    event.preventDefault();
  };
  return (
    <dialog class="palette" ref={dialog} aria-label="Commands" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        list={undefined}
        aria-label="Find a branch, an object or an action"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={index < 0 ? undefined : `palette-${index}`}
        placeholder="Find a branch, an object or an action"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="What was found">
        {found.map((command, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field choose
          <div
            role="option"
            tabIndex={-1}
            id={`palette-${i}`}
            key={`${command.kind} ${command.label} ${i}`}
            aria-selected={i === index}
            onClick={() => run(command)}
          >
            <span class="label">{command.label}</span>
            <small>{command.kind}</small>
          </div>
        ))}
        {found.length === 0 && <p class="hint">Nothing has that name.</p>}
      </div>
    </dialog>
  );
}

/** The commands whose label has all the words; labels that begin with the text come first. */
export function matching(commands: Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const start = text.trim().toLowerCase();
  const hits = commands.filter(({ label }) => {
    const low = label.toLowerCase();
    return words.every((word) => low.includes(word));
  });
  const rank = ({ label }: Command) => (label.toLowerCase().startsWith(start) ? 0 : 1);
  return hits.sort((a, b) => rank(a) - rank(b) || a.label.length - b.label.length).slice(0, listed);
}

function commandsOf(store: ViewerStore): Command[] {
  const open = store.file.value;
  if (open === null) return [];
  const commands: Command[] = [];
  const chosen = store.selection.value;
  const place = chosen?.kind === 'file' ? 'file' : 'tree';
  for (const view of pageViews) {
    if (view.on.includes(place) && chosen?.kind !== 'branch') {
      commands.push({ kind: 'View', label: view.label, run: () => store.setView(view.id) });
    }
  }
  open.keyTree.keys.forEach((key, i) => {
    if (open.keyTree.superseded[i]) return;
    commands.push({ kind: key.className, label: key.path, run: () => store.select(keyNode(i)) });
    const state = store.trees.value.get(i);
    if (state?.state !== 'ready') return;
    for (const branch of state.tree.branches) {
      commands.push({
        kind: branch.typeName,
        label: branch.path,
        run: () => store.select(branchNode(i, branch.index)),
      });
    }
  });
  return commands;
}
