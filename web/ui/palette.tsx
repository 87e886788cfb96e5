// biome-ignore-all lint/a11y/noRedundantRoles: an input is a combobox by itself only where it has a datalist
import { useSignal } from '@preact/signals';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isTree } from '../model/keys';
import { type Command, keysText, labelOf } from '../plot/command';
import { readableLatex } from '../plot/drawing/latex';
import { commandsOf } from './all-commands';
import { type CommandViewer, findCommand } from './commands/viewer-commands';
import type { ViewerStore } from './state/viewer-state';
import { WantedFocus } from './widgets/focus';
import { MarkedText, memberOf, NameText, shortPath } from './widgets/name-text';

const LISTED = 50;

export interface PaletteProps {
  viewer: CommandViewer;
  onClose(): void;
}

/** Finds branches, objects, views and actions by name, branches and objects also by title. A combobox over a list. */
export function Palette({ viewer, onClose }: PaletteProps): JSX.Element {
  const { store } = viewer;
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const at = useSignal(0);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const wanted = useContext(WantedFocus);
  const found = matching(commandsOf(viewer), viewer, text.value);
  const index = Math.min(at.value, found.length - 1);
  const unread = unreadTrees(store);
  const run = (command: Command<CommandViewer> | undefined) => {
    if (command === undefined) return;
    // Restores the keyboard focus before the command may move it elsewhere.
    dialog.current?.close();
    command.run(viewer);
    if (command.goes) wanted.value = 'detail';
  };
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [index]);
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
        aria-label={findCommand.label}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={index < 0 ? undefined : `palette-${index}`}
        placeholder={findCommand.label}
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
            key={command.id}
            aria-selected={i === index}
            aria-label={command.isPath === true ? labelOf(command, viewer) : undefined}
            aria-description={titleFound(command, labelOf(command, viewer), wordsOf(text.value))}
            title={command.isPath === true ? hoverText(command, labelOf(command, viewer)) : undefined}
            onClick={() => run(command)}
          >
            <FoundName command={command} label={labelOf(command, viewer)} words={wordsOf(text.value)} />
            <small>{command.keys === undefined ? command.kind : <kbd>{keysText(command.keys)}</kbd>}</small>
          </div>
        ))}
        {found.length === 0 && <p class="hint">Nothing has that name or title.</p>}
      </div>
      {unread > 0 && text.value !== '' && (
        <p class="hint">
          <button type="button" class="link" onClick={() => store.contents.readAllTrees()}>
            Also search the branches of {unread === 1 ? '1 tree' : `${unread} trees`} not read yet
          </button>
        </p>
      )}
    </dialog>
  );
}

/** Returns the path of an item, and its title if it has one. */
const hoverText = ({ title = '' }: Command<CommandViewer>, path: string): string =>
  title === '' ? path : `${path}\n${readableLatex(title)}`;

/** Returns the title by which an item was found; undefined if its path has all the words. */
function titleFound(
  { title = '' }: Command<CommandViewer>,
  label: string,
  words: readonly string[],
): string | undefined {
  const isByPath = words.every((word) => label.toLowerCase().includes(word));
  return title === '' || isByPath ? undefined : readableLatex(title);
}

interface FoundNameProps {
  command: Command<CommandViewer>;
  label: string;
  words: readonly string[];
}

/** A hit in the list. For an item of the file, first its own name, then the path of its parent. */
function FoundName({ command, label, words }: FoundNameProps): JSX.Element {
  if (command.isPath !== true) return <span class="label">{label}</span>;
  const { member, holder } = memberOf(label);
  const title = titleFound(command, label, words);
  return (
    <span class="found">
      <NameText name={member} words={words} />
      {title !== undefined && (
        <span class="found-title">
          <MarkedText text={title} words={words} />
        </span>
      )}
      {holder !== '' && (
        <span class="found-in">
          <NameText name={shortPath(holder, Number.POSITIVE_INFINITY)} words={words} />
        </span>
      )}
    </span>
  );
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Returns the commands whose label or other words contain all the words, the best first: an equal label, labels that
 * begin with the text, labels with a word that begins with it, others. Equally good ones keep their order.
 */
export function matching<On>(commands: readonly Command<On>[], on: On, text: string): Command<On>[] {
  const start = text.trim().toLowerCase();
  const words = wordsOf(text);
  const ranked = commands.flatMap((command, place) => {
    const label = labelOf(command, on).toLowerCase();
    const all = `${label} ${(command.words ?? '').toLowerCase()} ${(command.title ?? '').toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return [];
    const isOther = !words.every((word) => label.includes(word));
    const parts = label.split(/[^a-z0-9]+/);
    const begins = parts.some((part) => part.startsWith(words[0] ?? ''));
    const rank = label === start ? 0 : isOther ? 4 : label.startsWith(start) ? 1 : begins ? 2 : 3;
    return [{ command, rank, place }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.place - b.place);
  return ranked.slice(0, LISTED).map(({ command }) => command);
}

/** Returns the number of trees whose branches are not known yet. */
function unreadTrees(store: ViewerStore): number {
  const open = store.session.file.value;
  if (open === null) return 0;
  const { keys, superseded } = open.keyTree;
  return keys.filter((key, i) => isTree(key) && !superseded[i] && !store.contents.trees.value.has(i)).length;
}
