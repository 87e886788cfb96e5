import type { KeyedCommand } from '../../plot/command';
import type { PageState } from '../state/address/url-state';
import { changeWidth } from '../state/contents-state';
import type { ViewerStore } from '../state/viewer-state';

export interface CommandViewer {
  store: ViewerStore;
  theme: 'light' | 'dark';
  /** Whether the viewer is the whole page. */
  isApp: boolean;
  addressOf: ((state: PageState) => string) | undefined;
  find(selector: string): HTMLElement | null | undefined;
  show(dialog: 'palette' | 'help'): void;
}

export const findCommand = {
  id: 'find',
  label: 'Find a branch, an object, a view or an action',
  kind: 'Do',
  keys: ['Control+k'],
  run: ({ show }: CommandViewer) => show('palette'),
} as const satisfies KeyedCommand<CommandViewer>;

export const widthCommand = {
  id: 'contents.width',
  label: 'Narrow the contents, fold them away, or show them again',
  kind: 'Do',
  words: 'sidebar pane hide wide',
  keys: ['<'],
  when: ({ store }: CommandViewer) => store.session.file.value !== null,
  run: ({ store }: CommandViewer) => changeWidth(store.contents),
} as const satisfies KeyedCommand<CommandViewer>;

/** The commands with keys that work in the whole viewer. The others are in all-commands.ts. */
export const viewerCommands: readonly KeyedCommand<CommandViewer>[] = [
  findCommand,
  {
    id: 'filter',
    label: 'Filter the contents',
    kind: 'Do',
    words: 'search',
    keys: ['/'],
    when: ({ store }) => store.session.file.value !== null,
    run: ({ find }) => find('.filter input')?.focus(),
  },
  widthCommand,
  {
    id: 'cancel',
    label: 'Cancel what is being read',
    kind: 'Do',
    words: 'stop abort',
    keys: ['Escape'],
    when: ({ store }) => store.activities.reading.value.length > 0,
    run: ({ store }) => store.activities.cancel(),
  },
  {
    id: 'help',
    label: 'Keyboard, pointer and words',
    kind: 'Do',
    words: 'help shortcuts glossary',
    keys: ['?'],
    run: ({ show }) => show('help'),
  },
];
