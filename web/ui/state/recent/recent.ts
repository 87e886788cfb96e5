import { type ReadonlySignal, signal } from '@preact/signals';
import { isRemote } from '../../../io/schemes';
import type { RecentFiles } from './recent-files';

const ITEM = 'xylem.recent';
const MAX_ADDRESSES = 8;

/** Opened addresses, the last one first. Stored by the browser when it allows storage. */
export interface Recent {
  readonly urls: ReadonlySignal<readonly string[]>;
  /** Adds an address. Addresses with a signature or a token are not stored. */
  add(url: string): void;
  forget(url: string): void;
  clear(): void;
  /** The same for files of the user's machine, which are read when this is first called. */
  files(): Promise<RecentFiles>;
}

/** Whether an address may be stored. A signed address gives access to a file. */
function mayBeKept(url: string): boolean {
  try {
    const { search, hash, username } = new URL(url);
    return isRemote(url) && search === '' && hash === '' && username === '';
  } catch {
    return false;
  }
}

export function createRecent(storage: Storage | undefined): Recent {
  const urls = signal<readonly string[]>(load(storage));
  let files: Promise<RecentFiles> | undefined;
  const set = (next: readonly string[]) => {
    urls.value = next;
    try {
      storage?.setItem(ITEM, JSON.stringify(next));
    } catch {
      // The storage is full or refused: the list is lost with the page.
    }
  };
  return {
    urls,
    add(url) {
      if (mayBeKept(url)) set([url, ...urls.peek().filter((one) => one !== url)].slice(0, MAX_ADDRESSES));
    },
    forget: (url) => set(urls.peek().filter((one) => one !== url)),
    clear: () => set([]),
    files() {
      files ??= import('./recent-files').then(({ createRecentFiles }) => createRecentFiles());
      return files;
    },
  };
}

function load(storage: Storage | undefined): string[] {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(ITEM) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept
      .filter((url): url is string => typeof url === 'string' && mayBeKept(url))
      .slice(0, MAX_ADDRESSES);
  } catch {
    return [];
  }
}
