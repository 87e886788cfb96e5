import { overBudget } from '../../../base/data-errors';
import { argumentError } from '../../../base/errors';
import { formatBytes } from '../../../base/format';
import { protocolOf } from '../../../io/schemes';
import type { DocumentFrom } from '../../../ui/part';
import { parsePageState, readableUrl } from '../../../ui/state/address/url-state';
import { fetchText } from '../../../ui/state/fetch-text';
import type { RecentFile, RecentFiles } from '../../../ui/state/recent/recent-files';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { servedFiles } from '../../serve/view/served-files';
import {
  isSameFile,
  MAX_SESSION,
  MAX_UNASKED,
  type NamedFile,
  opensOf,
  parseSession,
  type Session,
  type SessionFile,
} from '../work/session';
import { unpackText } from '../work/session-link';
import { absolute, describe, partsOf, sourceOf } from './session-files';
import {
  type KeptView,
  type Missing,
  type SessionState,
  sessionState,
  type Told,
  takeViews,
} from './session-state';

const KIND = { what: 'session', most: MAX_SESSION, fix: 'Choose a session that xylem saved.' };

/** Opens a session: a dropped or chosen file, an address, or the text of a link. Throws what `parseSession` throws. */
export async function openSession(store: ViewerStore, from: DocumentFrom, base: string): Promise<void> {
  const { text, at } = await textOf(from, base);
  const session = parseSession(text);
  const files = session.files.map((file) => absolute(file, at));
  const { title } = session;
  const opens = opensOf({ files });
  const open = async () => {
    await showSession(store, { ...session, files }, base);
    tell(store, { title, files: opens.files, views: session.views.length });
  };
  if (opens.files > MAX_UNASKED) sessionState(store).asked.value = { title, ...opens, open };
  else await open();
}

/** Says what was opened: in the dialogue, if there is nothing else to see, or in a notice. */
function tell(store: ViewerStore, told: Told): void {
  const state = sessionState(store);
  const named = told.title === '' ? 'The session' : `The session "${told.title}"`;
  if (told.files > 0) state.told.value = told;
  else state.said.value = [...state.said.peek(), `${named} opens no file.`];
}

/** Returns the text of a session, and the address to which its relative ones are relative. */
async function textOf(from: DocumentFrom, base: string): Promise<{ text: string; at: string }> {
  if (from.kind === 'text') return { text: await unpackText(from.text), at: base };
  if (from.kind === 'file') {
    if (from.file.size > MAX_SESSION)
      throw overBudget(`${from.file.name} is larger than ${formatBytes(MAX_SESSION)}.`, KIND.fix);
    return { text: await from.file.text(), at: base };
  }
  const url = readableUrl(from.url, base);
  if (protocolOf(url) !== 'http')
    throw argumentError(
      'Sessions are read by http(s) only.',
      'Copy the session to this machine, and drop it here.',
    );
  return { text: await fetchText(url, KIND), at: url };
}

/** Opens the files of a session beside those that are open, and shows the one that was shown. */
async function showSession(store: ViewerStore, session: Session, base: string): Promise<void> {
  const state = sessionState(store);
  const finder = await createFinder(store, base);
  const opened = session.files.map((file, i) => ({ file, i })).filter(({ file }) => file.open !== false);
  const waiting: Missing[] = [];
  let first: { id: number; state: string } | undefined;
  for (const { file: given, i } of opened) {
    const { state: text = '', open: _, ...file } = given;
    const isShown = i === session.shown;
    const found = await finder.find(file);
    const id = openOne(store, state, file, { state: text, found });
    if (id === undefined) waiting.push({ id: state.nextId(), file, state: text, isShown, found });
    else if (isShown || first === undefined) first = { id, state: text };
  }
  takeViews(state, session);
  if (session.contents !== undefined) store.contents.width.value = session.contents;
  if (first !== undefined) store.files.show(first.id, parsePageState(first.state));
  wait(store, state, [...state.missing.peek(), ...waiting]);
  // Something has to be done, or there is nothing to see but the list of views.
  if (waiting.length > 0 || opened.length === 0) state.isOpen.value = true;
}

interface Opening {
  state: string;
  found: Missing['found'];
}

/** Adds a file to the open ones, if all of its parts are there. Returns the id of its tab. */
function openOne(
  store: ViewerStore,
  state: SessionState,
  file: SessionFile,
  { state: text, found }: Opening,
): number | undefined {
  const source = sourceOf(file, found);
  if (source === undefined) return undefined;
  const { file: named = {} } = describe(source, undefined);
  const same = store.files.list
    .peek()
    .find((tab) => isSameFile(describe(tab.source, tab.open?.info).file ?? {}, named));
  const id = same?.id ?? store.files.later(source, parsePageState(text));
  if (same === undefined) state.expected.set(id, file);
  return id;
}

/** Finds files of the user's machine that can be opened without asking. */
async function createFinder(store: ViewerStore, base: string) {
  const recent = await store.offers?.recent.files();
  await recent?.ready;
  const served = store.offers?.base === undefined ? [] : await servedFiles(base);
  const findPart = async (part: NamedFile): Promise<File | string | undefined> => {
    if (part.url !== undefined) return undefined;
    const here = served.find(
      ({ name, bytes }) => name.split('/').pop() === part.name && (part.size ?? bytes) === bytes,
    );
    if (here !== undefined) return here.url;
    const kept = recentOf(recent, part);
    if (recent === undefined || kept === undefined || !(await recent.isAllowed(kept))) return undefined;
    // It may have been moved; then the user is asked for it.
    return await recent.open(kept).catch(() => undefined);
  };
  return { find: (file: SessionFile) => Promise.all(partsOf(file).map(findPart)) };
}

/** Returns the file of the recent ones that is this one, as far as names and sizes tell. */
export function recentOf(recent: RecentFiles | undefined, part: NamedFile): RecentFile | undefined {
  return recent?.list.value.find((one) => isSameFile({ ...part, url: undefined }, one));
}

/** Waits for files that the user drops. */
function wait(store: ViewerStore, state: SessionState, missing: readonly Missing[]): void {
  state.missing.value = missing;
  store.awaited.value = missing.length === 0 ? undefined : (file) => takeFile(store, state, file);
}

/** Takes a dropped file if a session waits for one of its name, first of all for one of its size. Returns whether it does. */
function takeFile(store: ViewerStore, state: SessionState, file: File): boolean {
  const wanted = state.missing
    .peek()
    .flatMap((missing) =>
      partsOf(missing.file).flatMap((part, i) =>
        part.name === file.name && missing.found[i] === undefined ? [{ missing, i, part }] : [],
      ),
    );
  const [taken] = [...wanted.filter(({ part }) => part.size === file.size), ...wanted];
  if (taken === undefined) return false;
  giveFile(store, taken.missing, taken.i, file);
  return true;
}

/** Gives a part of a file that is waited for. The file is opened when all of its parts are there. */
export function giveFile(store: ViewerStore, missing: Missing, part: number, file: File): void {
  const state = sessionState(store);
  const found = missing.found.with(part, file);
  const { file: named, state: text, isShown } = missing;
  const id = openOne(store, state, named, { state: text, found });
  const others = state.missing.peek();
  if (id === undefined) {
    wait(
      store,
      state,
      others.map((one) => (one.id === missing.id ? { ...one, found } : one)),
    );
    return;
  }
  const left = others.filter((one) => one.id !== missing.id);
  wait(store, state, left);
  if (isShown || store.files.current.peek() === null) store.files.show(id, parsePageState(text));
  if (left.length === 0 && state.said.peek().length === 0) state.isOpen.value = false;
}

/** Waits no longer for a file. */
export function leaveOut(store: ViewerStore, missing: Missing): void {
  const state = sessionState(store);
  wait(
    store,
    state,
    state.missing.peek().filter((one) => one.id !== missing.id),
  );
}

/** Shows a view that is kept. Opens its file if it is not open. Returns whether it could be shown. */
export async function showView(store: ViewerStore, { file, state: text }: KeptView): Promise<boolean> {
  const state = sessionState(store);
  const same = store.files.list.peek().find((tab) => {
    const open = tab.id === store.files.current.peek() ? store.session.file.peek() : tab.open;
    return isSameFile(describe(tab.source, open?.info).file ?? {}, file);
  });
  if (same !== undefined) {
    store.files.show(same.id, parsePageState(text));
    return true;
  }
  const finder = await createFinder(store, document.baseURI);
  const found = await finder.find(file);
  const id = openOne(store, state, file, { state: text, found });
  if (id !== undefined) {
    store.files.show(id, parsePageState(text));
    return true;
  }
  const waiting = state.missing.peek().some((one) => isSameFile(one.file, file));
  const missing: Missing = { id: state.nextId(), file, state: text, isShown: true, found };
  if (!waiting) wait(store, state, [...state.missing.peek(), missing]);
  return false;
}

/** Returns the names of the parts that are missing of a file. */
export const missingParts = ({ file, found }: Missing): { part: NamedFile; i: number }[] =>
  partsOf(file).flatMap((part, i) => (part.url === undefined && found[i] === undefined ? [{ part, i }] : []));
