import { effect } from '@preact/signals';
import { toXylemError } from '../base/errors';
import { formatPageState, type PageState, parsePageState, readableUrl } from './page-state';
import type { ViewerStore } from './viewer-state';

/** What an entry of the browser's history keeps beside its address: files of the disk have none. */
interface Entry {
  /** The visit that made it; ids of files mean nothing in another. */
  visit: number;
  file: number;
  shown: PageState;
}

/** The page's address when it shows this. */
export function addressOf(state: PageState): string {
  return location.origin + location.pathname + formatPageState(state) + location.hash;
}

/**
 * Keeps the page's address up to date. Going somewhere (another file, tree, branch, object, view or query)
 * makes an entry of the browser's history; what refines that replaces it. Back and forward show what their
 * entry holds and make none; files that are open stay so. Gives what ends it.
 */
export function keepAddress(store: ViewerStore): () => void {
  const visit = Math.random();
  let place: string | undefined;
  let arriving = true;
  let replaying = false;

  const stop = effect(() => {
    const state = store.pageState.value;
    const file = store.files.current.value;
    const shown = store.shownState.value;
    const under = store.arriving.value;
    // What cannot be opened stays in the address, so that it can be mended there.
    if (store.openError.value !== null && state.url === undefined) return;
    const { tree, item, draw, cut, opt, view } = shown;
    const next = JSON.stringify([file, state.url, tree, item, draw, cut, opt, view]);
    // Once a link has been followed, the same place may be called otherwise.
    const settles = arriving && !under;
    const moved = place !== undefined && next !== place && !settles && !replaying;
    place = next;
    arriving = under;
    const entry: Entry | null = file === null ? null : { visit, file, shown };
    if (moved) history.pushState(entry, '', addressOf(state));
    else history.replaceState(entry, '', addressOf(state));
  });

  const onPop = (event: PopStateEvent): void => {
    replaying = true;
    const entry = entryOf(event.state, visit);
    const listed = store.files.list.peek().some(({ id }) => id === entry?.file);
    if (entry !== undefined && listed) store.files.show(entry.file, entry.shown);
    else followAddress(store);
    replaying = false;
  };
  window.addEventListener('popstate', onPop);
  return () => {
    stop();
    window.removeEventListener('popstate', onPop);
  };
}

/** Shows what the page's address asks for, with the file that is open where it is the same. */
function followAddress(store: ViewerStore): void {
  const asked = parsePageState(location.search);
  if (asked.url === undefined) {
    store.files.home();
    return;
  }
  try {
    const url = readableUrl(asked.url, document.baseURI);
    const same = store.files.list.peek().find(({ source }) => source.kind === 'url' && source.url === url);
    if (same === undefined) store.files.beside({ kind: 'url', url }, asked);
    else store.files.show(same.id, asked);
  } catch (thrown) {
    store.fail(toXylemError(thrown).toRecord());
  }
}

/** What was kept with an entry of this visit; nothing of others', which may be anything. */
function entryOf(kept: unknown, visit: number): Entry | undefined {
  return (kept as Entry | null)?.visit === visit ? (kept as Entry) : undefined;
}
