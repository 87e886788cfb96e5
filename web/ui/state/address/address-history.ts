import { effect } from '@preact/signals';
import { toXylemError } from '../../../base/errors';
import { storedAddress } from '../../../io/signatures';
import type { ViewerStore } from '../viewer-state';
import { addressOf, askedState, linkOf } from './page-url';
import { type PageState, readableUrl } from './url-state';

/** Identifies an entry of the browser's history. The address is not enough, because local files have none. */
interface Entry {
  /** Number of the visit that created it. */
  visit: number;
  /** Number of the shown state. */
  place: number;
}

/**
 * The state shown at an entry of the history. It stays in memory, because its addresses may be signed, and browsers
 * write their history to disk.
 */
interface Place {
  file: number;
  shown: PageState;
}

/**
 * Keeps the page's address up to date. Navigating (to another file, tree, branch, object, view or query) adds an
 * entry to the browser's history; refining replaces it. Back and forward restore the state of their entry and add
 * none; open files stay open. `arrive` opens what only features know in an address; undefined if there is nothing such.
 * Returns a function that stops this.
 */
export function keepAddress(store: ViewerStore, arrive?: () => Promise<boolean> | undefined): () => void {
  const visit = Math.random();
  const places: (Place | undefined)[] = [];
  let place: string | undefined;
  let arriving = true;
  let replaying = false;

  const stop = effect(() => {
    const state = store.navigation.pageState.value;
    const file = store.files.current.value;
    const shown = store.navigation.shownState.value;
    const under = store.session.arriving.value;
    // An address that cannot be opened stays without its secrets, so that the user can correct it.
    if (store.session.openError.value !== null && state.url === undefined) return hideSecrets();
    const { tree, item, draw, cut, opt, view } = shown;
    const next = JSON.stringify([file, state.url, tree, item, draw, cut, opt, view]);
    // After a link was followed, the same state may get another address.
    const settles = arriving && !under;
    const moved = place !== undefined && next !== place && !settles && !replaying;
    place = next;
    arriving = under;
    const at = moved ? places.length : (numberOf(history.state, visit) ?? places.length);
    places[at] = file === null ? undefined : { file, shown };
    const entry: Entry = { visit, place: at };
    if (moved) history.pushState(entry, '', addressOf(state));
    else history.replaceState(entry, '', addressOf(state));
  });

  const onPop = (event: PopStateEvent): void => {
    const other = arrive?.();
    if (other === undefined) follow(event);
    else void other.then((isOpened) => isOpened || follow(event));
  };
  const follow = (event: PopStateEvent): void => {
    replaying = true;
    const at = numberOf(event.state, visit);
    const known = at === undefined ? undefined : places[at];
    const listed = store.files.list.peek().some(({ id }) => id === known?.file);
    if (known !== undefined && listed) store.files.show(known.file, known.shown);
    else followAddress(store);
    replaying = false;
  };
  window.addEventListener('popstate', onPop);
  return () => {
    stop();
    window.removeEventListener('popstate', onPop);
  };
}

/** Removes passwords and signatures from the page's address. */
function hideSecrets(): void {
  const asked = askedState(location);
  const address = addressOf(asked);
  if (address !== linkOf(asked)) history.replaceState(history.state, '', address);
}

/** Shows the state in the page's address. If it names the open file, that is used. */
function followAddress(store: ViewerStore): void {
  const asked = askedState(location);
  if (asked.url === undefined) {
    store.files.home();
    return;
  }
  try {
    const url = readableUrl(asked.url, document.baseURI);
    const same = store.files.list
      .peek()
      .find(({ source }) => source.kind === 'url' && storedAddress(source.url) === storedAddress(url));
    if (same === undefined) store.files.beside({ kind: 'url', url }, asked);
    else store.files.show(same.id, asked);
  } catch (thrown) {
    store.files.fail(toXylemError(thrown).toRecord());
  }
}

/**
 * Returns the number of the state of an entry of this visit; undefined for entries of other visits, which may be any
 * value.
 */
function numberOf(kept: unknown, visit: number): number | undefined {
  const entry = kept as Entry | null;
  return entry?.visit === visit ? entry.place : undefined;
}
