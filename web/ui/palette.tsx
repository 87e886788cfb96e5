// biome-ignore-all lint/a11y/noRedundantRoles: an input is a combobox by itself only where it has a datalist
import { batch, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isTree } from '../model/key-kind';
import { branchNode, keyNode } from './state/contents-model';
import { tabName } from './state/open-files';
import type { PageState } from './state/url-state';
import type { ViewerStore } from './state/viewer-state';
import { pageViews } from './view-list';
import { viewsAt } from './view-tabs';
import { WantedFocus } from './widgets/focus';

/** An action, found by its words. */
export interface Command {
  label: string;
  /** Kind of the target: "Branch", "View", "Do". */
  kind: string;
  /** Other words by which it is found. */
  words?: string | undefined;
  /** The keys that do the same. */
  keys?: string | undefined;
  /** It leads elsewhere: the keyboard goes on there. */
  goes?: boolean | undefined;
  run(): void;
}

const listed = 50;

export interface PaletteProps {
  store: ViewerStore;
  theme: 'light' | 'dark';
  /** The viewer has a page of its own. */
  isApp: boolean;
  addressOf: ((state: PageState) => string) | undefined;
  /** Finds an element of the viewer. */
  find(selector: string): HTMLElement | null | undefined;
  onHelp(): void;
  onClose(): void;
}

/** Finds branches, objects, views and actions by name. A combobox over a list. */
export function Palette(props: PaletteProps): JSX.Element {
  const { store, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const at = useSignal(0);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const wanted = useContext(WantedFocus);
  const found = matching(
    [...viewCommands(store), ...plotCommands(store), ...pageCommands(props), ...itemCommands(store)],
    text.value,
  );
  const index = Math.min(at.value, found.length - 1);
  const unread = unreadTrees(store);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    // Gives the keyboard back to where it was, before the command sends it elsewhere.
    dialog.current?.close();
    command.run();
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
        aria-label="Find a branch, an object, a view or an action"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={index < 0 ? undefined : `palette-${index}`}
        placeholder="Find a branch, an object, a view or an action"
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
            <small>{command.keys === undefined ? command.kind : <kbd>{command.keys}</kbd>}</small>
          </div>
        ))}
        {found.length === 0 && <p class="hint">Nothing has that name.</p>}
      </div>
      {unread > 0 && text.value !== '' && (
        <p class="hint">
          <button type="button" class="link" onClick={() => store.readAllTrees()}>
            Also search the branches of {unread === 1 ? '1 tree' : `${unread} trees`} not read yet
          </button>
        </p>
      )}
    </dialog>
  );
}

/**
 * The commands that have all the words in their label, or in their other words, the best first: the label itself, labels
 * that begin with the text, a word of them that does, others. What is equally good stays in its order.
 */
export function matching(commands: readonly Command[], text: string): Command[] {
  const start = text.trim().toLowerCase();
  const words = start.split(/\s+/).filter(Boolean);
  const ranked = commands.flatMap((command, place) => {
    const label = command.label.toLowerCase();
    const all = `${label} ${(command.words ?? '').toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return [];
    const isOther = !words.every((word) => label.includes(word));
    const parts = label.split(/[^a-z0-9]+/);
    const begins = parts.some((part) => part.startsWith(words[0] ?? ''));
    const rank = label === start ? 0 : isOther ? 4 : label.startsWith(start) ? 1 : begins ? 2 : 3;
    return [{ command, rank, place }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.place - b.place);
  return ranked.slice(0, listed).map(({ command }) => command);
}

/** The views of what is chosen; of a branch its own, and those of its tree. */
function viewCommands(store: ViewerStore): Command[] {
  const open = store.file.value;
  const chosen = store.selection.value;
  if (open === null || chosen === null) return [];
  const isBranch = chosen.kind === 'branch';
  if (chosen.kind === 'key' && !isTree(chosen.key)) return [];
  const own = (['plot', 'entries'] as const).map((view): Command => {
    const label = view === 'plot' ? 'Plot' : 'Entries';
    return { kind: 'View', label, goes: true, run: () => store.setBranchView(view) };
  });
  const views = viewsAt(pageViews, chosen.kind === 'file' ? 'file' : 'tree', open).map((view): Command => {
    const { id, label, words } = view;
    // One step of the browser's history.
    const run = () =>
      batch(() => {
        if (isBranch) store.select(keyNode(chosen.keyIndex));
        store.setView(id);
      });
    return { kind: isBranch ? `View of ${chosen.key.name}` : 'View', label, words, goes: true, run };
  });
  return isBranch ? [...own, ...views] : views;
}

/** Actions on the plot that is shown. */
function plotCommands(store: ViewerStore): Command[] {
  const model = store.shownPlot.value?.model;
  if (model === undefined) return [];
  const look = store.look.value;
  const { range, yRange } = store.settings.value;
  const isMap = model.kind === 'map';
  const log = (axis: 'x' | 'y', name: string): Command => ({
    kind: 'Plot',
    label: `${look.log[axis] ? 'Linear' : 'Logarithmic'} ${name}`,
    words: 'log scale',
    run: () => {
      store.look.value = { ...look, log: { ...look.log, [axis]: !look.log[axis] } };
    },
  });
  const save = (form: 'SVG' | 'PNG'): Command => ({
    kind: 'Plot',
    label: `Save the plot as ${form}`,
    words: 'picture download export',
    run: () => void savePlot(store, form),
  });
  return [
    ...(isMap ? [] : [log('x', 'x axis')]),
    log('y', isMap ? 'colours' : 'y axis'),
    ...(model.kind === 'bins' && model.mark === 'steps'
      ? [
          {
            kind: 'Plot',
            label: look.errors ? 'No error bars' : 'Error bars',
            run: () => {
              store.look.value = { ...look, errors: !look.errors };
            },
          },
        ]
      : []),
    ...(range === undefined && yRange === undefined
      ? []
      : [
          {
            kind: 'Plot',
            label: 'Full range',
            words: 'zoom out unzoom',
            run: () => store.setSettings({ range: undefined, yRange: undefined }),
          },
        ]),
    ...(store.reference.file.value === null
      ? []
      : [{ kind: 'Plot', label: 'Stop comparing', run: () => store.reference.close() }]),
    save('SVG'),
    save('PNG'),
  ];
}

/** Actions of the viewer and the page around it, and the other open files. */
function pageCommands({ store, theme, isApp, addressOf, find, onHelp }: PaletteProps): Command[] {
  const action = (label: string, words: string, run: () => void, keys?: string): Command => ({
    ...{ kind: 'Do', label, words, run, keys },
  });
  const copy = (link: string) => void navigator.clipboard?.writeText(link).catch(() => undefined);
  const others = store.files.list.value.filter((tab) => tab.id !== store.files.current.value);
  return [
    action('Filter the contents', 'search', () => find('.filter input')?.focus(), '/'),
    ...(isApp
      ? [
          action('Paste an address', 'url open', () => find('.url-form input')?.focus()),
          action('Open a file of this machine', 'disk upload', () =>
            find('.top-bar input[type=file]')?.click(),
          ),
          action('Back to the start', 'home sample', () => store.files.home()),
          action('Close the file', '', () => store.closeFile()),
        ]
      : []),
    ...(addressOf === undefined
      ? []
      : [action('Copy link', 'share address', () => copy(addressOf(store.pageState.peek())))]),
    action(theme === 'dark' ? 'Light colours' : 'Dark colours', 'theme', () => {
      store.theme.value = theme === 'dark' ? 'light' : 'dark';
    }),
    action('Keyboard, pointer and words', 'help shortcuts glossary', onHelp, '?'),
    ...others.map((tab) => ({
      ...{ kind: 'File', label: tabName(tab), goes: true },
      run: () => store.files.show(tab.id),
    })),
  ];
}

async function savePlot(store: ViewerStore, form: 'SVG' | 'PNG'): Promise<void> {
  const [{ viewerSvg }, { savePng, saveText }] = await Promise.all([
    import('./embed/viewer-svg'),
    import('./plot/save'),
  ]);
  const svg = viewerSvg(store);
  if (form === 'PNG') await savePng('plot.png', svg);
  else saveText('plot.svg', svg, 'image/svg+xml');
}

/** Everything in the file, in its order. */
function itemCommands(store: ViewerStore): Command[] {
  const open = store.file.value;
  if (open === null) return [];
  return open.keyTree.keys.flatMap((key, i): Command[] => {
    if (open.keyTree.superseded[i]) return [];
    const state = store.trees.value.get(i);
    const own = { kind: key.className, label: key.path, goes: true, run: () => store.select(keyNode(i)) };
    if (state?.state !== 'ready') return [own];
    const branches = state.tree.branches.map(({ typeName, path, index }) => ({
      kind: typeName,
      label: path,
      goes: true,
      run: () => store.select(branchNode(i, index)),
    }));
    return [own, ...branches];
  });
}

/** Number of trees whose branches are not known yet. */
function unreadTrees(store: ViewerStore): number {
  const open = store.file.value;
  if (open === null) return 0;
  const { keys, superseded } = open.keyTree;
  return keys.filter((key, i) => isTree(key) && !superseded[i] && !store.trees.value.has(i)).length;
}
