import { effect, type Signal, signal } from '@preact/signals';
import { storedQuery } from '../../../ui/state/address/page-url';
import { type PageState, parsePageState } from '../../../ui/state/address/url-state';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import {
  differenceOf,
  formatSession,
  isSameFile,
  MAX_TITLE,
  MAX_VIEWS,
  parseSession,
  type ServerFiles,
  type Session,
  type SessionFile,
} from '../work/session';
import { describe, nameOf } from './session-files';

/** A view that is kept, with a title and a note. */
export interface KeptView {
  id: number;
  file: SessionFile;
  /** The query of a link, without the file. */
  state: string;
  title: string;
  note: string;
}

/** A file that waits until the user gives its parts, which are on the user's machine. */
export interface Missing {
  id: number;
  file: SessionFile;
  state: string;
  /** Whether it is shown as soon as it is there. */
  isShown: boolean;
  /** Its parts that are there, in their order: files, or addresses that this page's server has for them. */
  found: readonly (File | string | undefined)[];
}

/** A session of many files, which are opened only if the user says so. */
export interface Asked {
  title: string;
  /** Number of files, and the servers that they lie on, each with its number of files. */
  files: number;
  servers: readonly ServerFiles[];
  open(): Promise<void>;
}

/** Facts about a session that was opened, to be told. */
export interface Told {
  title: string;
  files: number;
  views: number;
}

/** The session of a page: what is kept besides its open files. */
export interface SessionState {
  readonly title: Signal<string>;
  readonly views: Signal<readonly KeptView[]>;
  readonly missing: Signal<readonly Missing[]>;
  /** Sentences that the user has to know about the session that was opened. */
  readonly said: Signal<readonly string[]>;
  /** A session that waits for the answer whether it is opened. */
  readonly asked: Signal<Asked | undefined>;
  /** The session that was opened last, until its notice is closed. */
  readonly told: Signal<Told | undefined>;
  /** Whether the dialogue is open. */
  readonly isOpen: Signal<boolean>;
  /** Opened files of a session by their tabs, until they have been compared with what the session says of them. */
  readonly expected: Map<number, SessionFile>;
  nextId(): number;
}

/** Keeps the views over a reload of the tab. */
const ITEM = 'xylem.session';

const states = new WeakMap<ViewerStore, SessionState>();

export function sessionState(store: ViewerStore): SessionState {
  const known = states.get(store);
  if (known !== undefined) return known;
  let id = 0;
  const state: SessionState = {
    title: signal(''),
    views: signal([]),
    missing: signal([]),
    said: signal([]),
    asked: signal(undefined),
    told: signal(undefined),
    isOpen: signal(false),
    expected: new Map(),
    nextId: () => ++id,
  };
  states.set(store, state);
  restore(state);
  store.onDispose(
    effect(() => {
      const { title, views } = state;
      keep({ title: title.value, ...filesOf(views.value, []), shown: undefined });
    }),
  );
  store.onDispose(effect(() => compare(store, state)));
  return state;
}

/** Says if a file that was opened is not the one that the session was saved with. */
function compare(store: ViewerStore, { expected, said, isOpen }: SessionState): void {
  const open = store.session.file.value;
  const tab = store.files.current.peek();
  const kept = tab === null ? undefined : expected.get(tab);
  if (open === null || tab === null || kept === undefined) return;
  expected.delete(tab);
  const { source, info } = open;
  if (info.files !== undefined) return;
  // If the server of the page has a file of this machine, only its UUID is compared.
  const size = source.kind === 'blob' ? source.blob.size : kept.url === undefined ? undefined : info.size;
  const difference = differenceOf(kept, { uuid: info.uuid, size });
  if (difference === undefined) return;
  const sentence = `${nameOf(kept)} is not the file that the session was saved with: ${difference}.`;
  said.value = [...said.peek(), sentence];
  isOpen.value = true;
}

function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

function keep(session: Session): void {
  const isEmpty = session.title === '' && session.views.length === 0;
  try {
    if (isEmpty) storage()?.removeItem(ITEM);
    else storage()?.setItem(ITEM, formatSession(session));
  } catch {
    // The storage is full: the views are lost with the page.
  }
}

function restore(state: SessionState): void {
  try {
    const text = storage()?.getItem(ITEM);
    if (text) takeViews(state, parseSession(text));
  } catch {
    // Something else wrote there.
  }
}

/** Adds the title and the views of a session. Views that are kept already stay after them. */
export function takeViews({ title, views, nextId }: SessionState, session: Session): void {
  if (session.title !== '') title.value = session.title;
  const opened = session.views.flatMap(({ file, state, title, note = '' }): KeptView[] => {
    const described = session.files[file];
    if (described === undefined) return [];
    const { state: _, open: __, ...named } = described;
    return [{ id: nextId(), file: named, state, title, note }];
  });
  const isOpened = (one: KeptView) =>
    opened.some(
      (other) => other.state === one.state && other.title === one.title && isSameFile(other.file, one.file),
    );
  views.value = [...opened, ...views.peek().filter((one) => !isOpened(one))].slice(0, MAX_VIEWS);
}

/** Returns the files of a session, those of its views after the open ones, and the views. */
function filesOf(views: readonly KeptView[], open: readonly SessionFile[]): Pick<Session, 'files' | 'views'> {
  const files: SessionFile[] = [...open];
  const kept = views.map(({ file, state, title, note }) => {
    let at = files.findIndex((one) => isSameFile(one, file));
    if (at < 0) at = files.push({ ...file, open: false }) - 1;
    return { file: at, state, title, ...(note !== '' && { note }) };
  });
  return { files, views: kept };
}

/** Returns the session of the page, and sentences on what it leaves out. */
export function makeSession(store: ViewerStore): { session: Session; leftOut: string[] } {
  const state = sessionState(store);
  const { files, navigation, session, contents } = store;
  const current = files.current.peek();
  const leftOut: string[] = [];
  const open: SessionFile[] = [];
  let shown: number | undefined;
  for (const tab of files.list.peek()) {
    const isShown = tab.id === current;
    const { file, leftOut: why } = describe(tab.source, (isShown ? session.file.peek() : tab.open)?.info);
    if (why !== undefined) leftOut.push(why);
    if (file === undefined) continue;
    if (isShown) shown = open.length;
    open.push({ ...file, state: stateText(isShown ? navigation.shownState.peek() : tab.state) });
  }
  // Files that are waited for are not lost if the session is saved before they are there.
  for (const { file, state: text } of state.missing.peek()) open.push({ ...file, state: text });
  const named = filesOf(state.views.peek(), open);
  return {
    session: {
      title: state.title.peek().slice(0, MAX_TITLE),
      ...named,
      shown,
      contents: contents.width.peek(),
    },
    leftOut,
  };
}

/** Returns a state as a session has it, without the layers of local files and without secrets. */
const stateText = (state: PageState): string => storedQuery(state);

/** Keeps the shown view. Returns why it cannot be kept; undefined if it was. */
export function keepView(store: ViewerStore): string | undefined {
  const state = sessionState(store);
  const open = store.session.file.peek();
  if (open === null) return 'No file is open.';
  const { file, leftOut } = describe(open.source, open.info);
  if (file === undefined) return leftOut;
  if (state.views.peek().length >= MAX_VIEWS) return `A session has up to ${MAX_VIEWS} views.`;
  const shown = store.navigation.shownState.peek();
  const kept = { id: state.nextId(), file, state: stateText(shown), title: titleOf(shown, file), note: '' };
  state.views.value = [...state.views.peek(), kept];
  return leftOut;
}

/** Returns a first title for a view. */
export function titleOf({ draw, cut, view, item, tree }: PageState, file: SessionFile): string {
  const what = draw ?? item ?? tree ?? nameOf(file);
  const title = [view && view !== 'draw' ? `${view}: ${what}` : what, cut && `where ${cut}`].filter(Boolean);
  return title.join(' ').slice(0, MAX_TITLE);
}

/** Returns what a state shows, for a list. */
export const shownText = (state: string, file: SessionFile): string => titleOf(parsePageState(state), file);
