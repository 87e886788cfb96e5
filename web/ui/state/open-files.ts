import { batch, type Signal, signal } from '@preact/signals';
import type { SourceSpec } from '../../api/api';
import type { ErrorRecord } from '../../base/errors';
import { MAX_FIELD, type PageState, readableUrl } from './address/url-state';
import type { FileSession } from './file-session';
import type { Navigation } from './navigation';
import { type OpenFile, sourceName, type Watched } from './viewer-state';

/** A file in the list: shown, open in the background, or named by a link and not read yet. */
export interface FileTab {
  id: number;
  source: SourceSpec;
  /** Its state when another file was shown. */
  state: PageState;
  /** The open file in the background; null for the shown file, and for one that was not read yet. */
  open: OpenFile | null;
}

/** The list of the files of a viewer, in the order in which they were opened; at most one is shown. */
export interface Tabs {
  readonly list: Signal<readonly FileTab[]>;
  readonly current: Signal<number | null>;
  /** Adds a file at the end; returns its id. */
  add(source: SourceSpec): number;
  change(id: number | null, part: Partial<FileTab>): void;
  remove(id: number): void;
  /** Replaces the source of the shown file. */
  replaced(source: SourceSpec): void;
}

export function createTabs(): Tabs {
  const list = signal<readonly FileTab[]>([]);
  const current = signal<number | null>(null);
  let nextId = 1;
  const tabs: Tabs = {
    ...{ list, current },
    add(source) {
      const tab = { id: nextId++, source, state: {}, open: null };
      list.value = [...list.peek(), tab];
      return tab.id;
    },
    change(id, part) {
      list.value = list.peek().map((tab) => (tab.id === id ? { ...tab, ...part } : tab));
    },
    remove(id) {
      list.value = list.peek().filter((tab) => tab.id !== id);
    },
    replaced(source) {
      if (current.peek() === null) current.value = tabs.add(source);
      else tabs.change(current.peek(), { source });
    },
  };
  return tabs;
}

/** The open files of a viewer, and which of them is shown. */
export interface OpenFiles extends Watched<Pick<Tabs, 'list' | 'current'>> {
  /**
   * Opens a file and shows it. The previous one stays open in the background. A file that is already in the list is
   * shown.
   */
  beside(source: SourceSpec, asked?: PageState): void;
  /** Adds a file that is opened when it is first shown, in this state. Returns its id. */
  later(source: SourceSpec, state?: PageState): number;
  /** Shows a file in its last state, or in `state`. */
  show(id: number, state?: PageState): void;
  /** Closes a file. If it was shown, its neighbour is shown. */
  close(id: number): void;
  /** Closes the shown file, or stops opening one. */
  closeShown(): void;
  /** Shows the start page. All files stay open in the background. */
  home(): void;
  /** Shows why a file cannot be opened. All files stay open in the background. */
  fail(error: ErrorRecord): void;
  dispose(): void;
}

export function createOpenFiles(tabs: Tabs, session: FileSession, navigation: Navigation): OpenFiles {
  const { list, current } = tabs;
  const find = (id: number | null) => list.peek().find((tab) => tab.id === id);
  const leave = () => {
    tabs.change(current.peek(), { state: navigation.shownState.peek(), open: session.file.peek() });
    session.reset(true);
    current.value = null;
  };

  const files: OpenFiles = {
    ...{ list, current },
    beside(source, asked = {}) {
      const same = list.peek().find((tab) => addressOf(tab.source) === addressOf(source));
      if (addressOf(source) !== undefined && same !== undefined && same.id !== current.peek()) {
        files.show(same.id);
        return;
      }
      // Requested again: it is read again.
      batch(() => {
        if (same === undefined || addressOf(source) === undefined) leave();
        void session.open(source, asked);
      });
    },
    later(source, state = {}) {
      const id = tabs.add(source);
      tabs.change(id, { state });
      return id;
    },
    show(id, state) {
      const tab = find(id);
      if (tab === undefined) return;
      if (id === current.peek()) {
        if (state === undefined) return;
        if (session.file.peek() === null) void session.open(tab.source, state);
        else void navigation.restore(state);
        return;
      }
      batch(() => {
        leave();
        current.value = id;
        tabs.change(id, { open: null });
        if (tab.open === null) void session.open(tab.source, state ?? tab.state);
        else void session.adopt(tab.open, state ?? tab.state);
      });
    },
    close(id) {
      const at = list.peek().findIndex((tab) => tab.id === id);
      const tab = list.peek()[at];
      if (tab === undefined) return;
      if (id !== current.peek()) {
        if (tab.open !== null) session.release(tab.open);
        tabs.remove(id);
        return;
      }
      batch(() => {
        session.reset();
        current.value = null;
        tabs.remove(id);
        const neighbour = list.peek()[at] ?? list.peek()[at - 1];
        if (neighbour !== undefined) files.show(neighbour.id);
      });
    },
    closeShown() {
      const id = current.peek();
      if (id === null) session.reset();
      else files.close(id);
    },
    home: () => batch(leave),
    fail(error) {
      batch(() => {
        if (session.file.peek() !== null) leave();
        session.fail(error);
      });
    },
    dispose() {
      for (const { open } of list.peek()) if (open !== null) session.release(open);
      list.value = [];
    },
  };
  return files;
}

function addressOf(source: SourceSpec): string | undefined {
  return source.kind === 'url' ? source.url : undefined;
}

/**
 * Returns the addresses of the background files for a link, separated by spaces, as many as fit into a field. `left`
 * is the number of the others.
 */
export function waitingAddresses({ list, current }: Pick<OpenFiles, 'list' | 'current'>): {
  also: string;
  left: number;
} {
  const addresses = list.value
    .filter((tab) => tab.id !== current.value)
    .flatMap(({ source }) => addressOf(source)?.replace(/\s/g, '%20') ?? []);
  let length = 0;
  let fitting = 0;
  for (; fitting < addresses.length; fitting++) {
    length += (addresses[fitting]?.length ?? 0) + 1;
    if (length > MAX_FIELD) break;
  }
  return { also: addresses.slice(0, fitting).join(' '), left: addresses.length - fitting };
}

/** Returns the background files that a link names. Invalid addresses are left out. */
export function namedAddresses(also: string, base: string): string[] {
  return also.split(/\s+/).flatMap((address) => {
    try {
      return address === '' ? [] : [readableUrl(address, base)];
    } catch {
      // Ignored, like every invalid field of a link.
      return [];
    }
  });
}

export function tabName(tab: FileTab): string {
  return sourceName(tab.source);
}
