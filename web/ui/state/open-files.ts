import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { SourceSpec } from '../../api/api';
import { longestField, type PageState, readableUrl } from './address/url-state';
import { type OpenFile, sourceName } from './viewer-state';

/** A file of the list: shown now, open in the background, or only named by a link and not read yet. */
export interface FileTab {
  id: number;
  source: SourceSpec;
  /** Its state when it was left. */
  state: PageState;
  /** Open in the background; null for the shown file, and for one that is not read yet. */
  open: OpenFile | null;
}

/** The files of a viewer in the order in which they were opened; at most one is shown. */
export interface OpenFiles {
  readonly list: ReadonlySignal<readonly FileTab[]>;
  readonly current: ReadonlySignal<number | null>;
  /** Opens a file; the shown one goes to the background. One that is in the list already is shown. */
  beside(source: SourceSpec, asked?: PageState): void;
  /** Adds a file that is opened when it is first shown. */
  later(source: SourceSpec): void;
  /** Shows a file as it was left, or as `state` says. */
  show(id: number, state?: PageState): void;
  /** Closes a file; the neighbour of the shown file takes its place. */
  close(id: number): void;
  /** Shows the start page; all files go to the background. */
  home(): void;
}

/** The functions of the viewer that the list calls. */
interface Shown {
  /** The state of the current file. */
  state(): PageState;
  file(): OpenFile | null;
  open(source: SourceSpec, asked: PageState): Promise<void>;
  /** Shows this state of the current file. */
  restore(asked: PageState): Promise<void>;
  /** Shows a file that is open already. */
  adopt(file: OpenFile, asked: PageState): Promise<void>;
  /** Empties the viewer; the file is closed unless it is kept. */
  clear(keep: boolean): void;
  release(file: OpenFile): void;
}

/** The functions that the viewer calls, in addition to those of the list. */
export interface OpenFilesControl extends OpenFiles {
  /** This source is shown from now on, in place of the one before. */
  replaced(source: SourceSpec): void;
  /** The shown file was closed. */
  gone(): void;
  dispose(): void;
}

export function createOpenFiles(shown: Shown): OpenFilesControl {
  const list = signal<readonly FileTab[]>([]);
  const current = signal<number | null>(null);
  let nextId = 1;

  const find = (id: number | null) => list.peek().find((tab) => tab.id === id);
  const change = (id: number | null, part: Partial<FileTab>) => {
    list.value = list.peek().map((tab) => (tab.id === id ? { ...tab, ...part } : tab));
  };
  const add = (source: SourceSpec) => {
    const tab = { id: nextId++, source, state: {}, open: null };
    list.value = [...list.peek(), tab];
    return tab.id;
  };
  const remove = (id: number) => {
    list.value = list.peek().filter((tab) => tab.id !== id);
  };
  const leave = () => {
    change(current.peek(), { state: shown.state(), open: shown.file() });
    shown.clear(true);
    current.value = null;
  };

  const files: OpenFilesControl = {
    list,
    current,
    beside(source, asked = {}) {
      const same = list.peek().find((tab) => addressOf(tab.source) === addressOf(source));
      if (addressOf(source) !== undefined && same !== undefined && same.id !== current.peek()) {
        files.show(same.id);
        return;
      }
      // Requested again: it is read again.
      batch(() => {
        if (same === undefined || addressOf(source) === undefined) leave();
        void shown.open(source, asked);
      });
    },
    later(source) {
      add(source);
    },
    show(id, state) {
      const tab = find(id);
      if (tab === undefined) return;
      if (id === current.peek()) {
        if (state === undefined) return;
        if (shown.file() === null) void shown.open(tab.source, state);
        else void shown.restore(state);
        return;
      }
      batch(() => {
        leave();
        current.value = id;
        change(id, { open: null });
        if (tab.open === null) void shown.open(tab.source, state ?? tab.state);
        else void shown.adopt(tab.open, state ?? tab.state);
      });
    },
    close(id) {
      const at = list.peek().findIndex((tab) => tab.id === id);
      const tab = list.peek()[at];
      if (tab === undefined) return;
      if (id !== current.peek()) {
        if (tab.open !== null) shown.release(tab.open);
        remove(id);
        return;
      }
      batch(() => {
        shown.clear(false);
        files.gone();
        const neighbour = list.peek()[at] ?? list.peek()[at - 1];
        if (neighbour !== undefined) files.show(neighbour.id);
      });
    },
    home: () => batch(leave),
    replaced(source) {
      if (current.peek() === null) current.value = add(source);
      else change(current.peek(), { source });
    },
    gone() {
      const id = current.peek();
      current.value = null;
      if (id !== null) remove(id);
    },
    dispose() {
      for (const { open } of list.peek()) if (open !== null) shown.release(open);
      list.value = [];
    },
  };
  return files;
}

function addressOf(source: SourceSpec): string | undefined {
  return source.kind === 'url' ? source.url : undefined;
}

/**
 * The addresses of the background files, as a link names them: separated by spaces, as many as a field of a link may
 * hold. `left` is the number of those that do not fit.
 */
export function waitingAddresses({ list, current }: OpenFiles): { also: string; left: number } {
  const addresses = list.value
    .filter((tab) => tab.id !== current.value)
    .flatMap(({ source }) => addressOf(source)?.replace(/\s/g, '%20') ?? []);
  let length = 0;
  let fitting = 0;
  for (; fitting < addresses.length; fitting++) {
    length += (addresses[fitting]?.length ?? 0) + 1;
    if (length > longestField) break;
  }
  return { also: addresses.slice(0, fitting).join(' '), left: addresses.length - fitting };
}

/** The background files that a link names; text that is not an address of a file is left out. */
export function namedAddresses(also: string, base: string): string[] {
  return also.split(/\s+/).flatMap((address) => {
    try {
      return address === '' ? [] : [readableUrl(address, base)];
    } catch {
      // Ignored, as every field of a link that is not valid.
      return [];
    }
  });
}

export function tabName(tab: FileTab): string {
  return sourceName(tab.source);
}
