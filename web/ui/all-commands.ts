import { batch } from '@preact/signals';
import * as features from '../features/page';
import { isTree } from '../model/keys';
import { plotKeys } from '../plot/chart/plot-keys';
import type { Command, KeyedCommand } from '../plot/command';
import { lookSwitches } from '../plot/look/controls';
import type { AnyPlot } from '../plot/model';
import { contentsCommands } from './commands/contents-commands';
import { gridCommands } from './commands/grid-commands';
import { type CommandViewer, findCommand, viewerCommands } from './commands/viewer-commands';
import type { PagePart } from './part';
import { branchNode, keyNode } from './state/contents-model';
import { tabName } from './state/open-files';
import type { Selection, ViewerStore } from './state/viewer-state';
import { pageViews } from './view-list';
import { viewsAt } from './view-tabs';

type Action = Command<CommandViewer>;

/** Returns all commands of a viewer now: views, then actions, then the items of the file, in its order. */
export function commandsOf(viewer: CommandViewer): Action[] {
  const actions = [...viewCommands, ...plotCommands, ...viewerCommands, ...pageCommands];
  // The command that opens the list is not in the list.
  const here = actions.filter((command) => command !== findCommand && command.when?.(viewer) !== false);
  return [...here, ...fileCommands(viewer.store), ...itemCommands(viewer.store)];
}

/** The commands with keys in a place that listens. */
type PlaceKeys = readonly [place: string, commands: readonly KeyedCommand<never>[]];

/** The commands with keys of the page itself, which the help lists. */
export const keyedCommands: readonly PlaceKeys[] = [
  ['Everywhere', viewerCommands],
  ['In the contents', contentsCommands],
  ['In the table', gridCommands],
  ['In a plot', plotKeys],
];

/** Returns the commands with keys of features. */
export function keysOfFeatures(): Promise<PlaceKeys[]> {
  const listed = Object.values<PagePart>(features).flatMap(({ keys }) => Object.entries(keys ?? {}));
  return Promise.all(listed.map(async ([place, load]) => [place, await load()] as const));
}

/** Returns the tree or file whose views are offered; for a branch its tree. Returns null if no view is useful. */
function viewed({ store }: CommandViewer): Selection | null {
  const chosen = store.selection.chosen.value;
  return chosen?.kind === 'key' && !isTree(chosen.key) ? null : chosen;
}

const isBranch = (viewer: CommandViewer): boolean => viewed(viewer)?.kind === 'branch';

/** Returns the views of the chosen item; for a branch also the views of its tree. */
const viewCommands: readonly Action[] = [
  ...(['plot', 'entries'] as const).map(
    (view): Action => ({
      id: `view.${view}`,
      label: view === 'plot' ? 'Plot' : 'Entries',
      kind: 'View',
      goes: true,
      when: isBranch,
      run: ({ store }) => store.selection.setBranchView(view),
    }),
  ),
  ...pageViews.map(
    (view): Action => ({
      ...{ id: `view.${view.id}`, label: view.label, words: view.words, kind: 'View', goes: true },
      when: (viewer) => {
        const chosen = viewed(viewer);
        if (chosen === null) return false;
        return viewsAt([view], chosen.kind === 'file' ? 'file' : 'tree', viewer.store).length > 0;
      },
      run: ({ store }) => {
        const chosen = store.selection.chosen.value;
        // Both changes make one step of the browser's history.
        batch(() => {
          if (chosen?.kind === 'branch') store.selection.select(keyNode(chosen.keyIndex));
          store.selection.setView(view.id);
        });
      },
    }),
  ),
];

const shown = ({ store }: CommandViewer): AnyPlot | undefined => store.plot.shown.value?.model;
/** Commands that switch how the plot looks. */
const lookCommands = lookSwitches.map(([name, one]): Action => {
  const isOn = ({ store }: CommandViewer) => one.isOn(store.plot.look.value[name]);
  return {
    ...{ id: `plot.${one.id}`, kind: 'Plot', words: one.words },
    label: (viewer) => {
      const plot = shown(viewer);
      return plot === undefined ? '' : one.command(!isOn(viewer), plot);
    },
    when: (viewer) => {
      const plot = shown(viewer);
      return plot !== undefined && one.has(plot);
    },
    run: (viewer) => {
      const { look } = viewer.store.plot;
      look.value = { ...look.peek(), [name]: one.turned(look.peek()[name], !isOn(viewer)) };
    },
  };
});

function saveAs(form: 'SVG' | 'PNG'): Action {
  return {
    id: `plot.save-${form.toLowerCase()}`,
    label: `Save the plot as ${form}`,
    kind: 'Plot',
    words: 'picture download export',
    when: (viewer) => shown(viewer) !== undefined,
    run: ({ store }) => void savePlot(store, form),
  };
}

const plotCommands: readonly Action[] = [
  ...lookCommands,
  {
    id: 'plot.full-range',
    label: 'Full range',
    kind: 'Plot',
    words: 'zoom out unzoom',
    when: (viewer) => {
      const { range, yRange } = viewer.store.plot.settings.value;
      return shown(viewer) !== undefined && (range !== undefined || yRange !== undefined);
    },
    run: ({ store }) => store.selection.setSettings({ range: undefined, yRange: undefined }),
  },
  saveAs('SVG'),
  saveAs('PNG'),
  ...Object.values<PagePart>(features).flatMap(({ commands }) => commands ?? []),
];

const isPage = ({ isApp }: CommandViewer): boolean => isApp;
const isOpen = ({ store }: CommandViewer): boolean => store.session.file.value !== null;

/** Commands of the page around a file. */
const pageCommands: readonly Action[] = [
  {
    id: 'page.paste',
    label: 'Paste an address',
    kind: 'Do',
    words: 'url open',
    when: isPage,
    run: ({ find }) => find('.url-form input')?.focus(),
  },
  {
    id: 'page.open',
    label: 'Open a file of this machine',
    kind: 'Do',
    words: 'disk upload',
    when: isPage,
    run: ({ find }) => find('.top-bar .open-file')?.click(),
  },
  {
    id: 'page.home',
    label: 'Back to the start',
    kind: 'Do',
    words: 'home sample',
    when: isPage,
    run: ({ store }) => store.files.home(),
  },
  {
    id: 'page.close',
    label: 'Close the file',
    kind: 'Do',
    when: (viewer) => isPage(viewer) && isOpen(viewer),
    run: ({ store }) => store.files.closeShown(),
  },
  {
    id: 'page.copy-link',
    label: 'Copy link',
    kind: 'Do',
    words: 'share address',
    when: ({ addressOf }) => addressOf !== undefined,
    run: ({ addressOf, store }) => {
      const link = addressOf?.(store.navigation.pageState.peek());
      if (link !== undefined) void navigator.clipboard?.writeText(link).catch(() => undefined);
    },
  },
  {
    id: 'page.colours',
    label: ({ theme }) => (theme === 'dark' ? 'Light colours' : 'Dark colours'),
    kind: 'Do',
    words: 'theme',
    run: ({ store, theme }) => {
      store.theme.value = theme === 'dark' ? 'light' : 'dark';
    },
  },
];

async function savePlot(store: ViewerStore, form: 'SVG' | 'PNG'): Promise<void> {
  const [{ viewerSvg }, { savePng, saveText }] = await Promise.all([
    import('./embed/viewer-svg'),
    import('./save/save-blob'),
  ]);
  const svg = viewerSvg(store);
  if (form === 'PNG') await savePng('plot.png', svg);
  else saveText('plot.svg', svg, 'image/svg+xml');
}

/** Returns commands that show the other open files. */
function fileCommands({ files }: ViewerStore): Action[] {
  return files.list.value
    .filter(({ id }) => id !== files.current.value)
    .map((tab) => ({
      ...{ id: `file.${tab.id}`, kind: 'File', label: tabName(tab), goes: true },
      run: () => files.show(tab.id),
    }));
}

/** Returns commands that show the items of the file, in its order. */
function itemCommands(store: ViewerStore): Action[] {
  const open = store.session.file.value;
  if (open === null) return [];
  const item = (id: string, kind: string, label: string, title?: string): Action => ({
    ...{ id, kind, label, title, goes: true, isPath: true },
    run: () => store.selection.select(id),
  });
  return open.keyTree.keys.flatMap((key, i): Action[] => {
    if (open.keyTree.superseded[i]) return [];
    const state = store.contents.trees.value.get(i);
    const own = item(keyNode(i), key.className, key.path, key.title);
    if (state?.state !== 'ready') return [own];
    return [
      own,
      ...state.tree.branches.map(({ typeName, path, index, documentation }) =>
        item(branchNode(i, index), typeName, path, documentation),
      ),
    ];
  });
}
