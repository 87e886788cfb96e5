import { type ReadonlySignal, signal } from '@preact/signals';
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import { XylemError } from '../../../base/errors';
import { type FileHandle, fileOf } from './file-handles';

const MAX_FILES = 8;

/** A file of the user's machine that was opened before. */
export interface RecentFile {
  id: number;
  name: string;
  /** In bytes, when it was opened. */
  size: number;
  /** UUID in the header of the ROOT file. */
  uuid: string;
  /** Time at which it was last opened, in ms since 1970. */
  opened: number;
  handle: FileHandle;
}

/** Files of the user's machine, the last one first, by handles that the browser keeps. */
export interface RecentFiles {
  readonly list: ReadonlySignal<readonly RecentFile[]>;
  /** Fulfilled when the kept list was read. */
  readonly ready: Promise<void>;
  add(file: Omit<RecentFile, 'id' | 'opened'>): Promise<void>;
  /** Whether the browser opens the file without asking the user. */
  isAllowed(file: RecentFile): Promise<boolean>;
  /**
   * Opens a file again. The browser may ask the user first, so call it when a button was pressed. Throws IO if the user refuses, and
   * if the file was moved or deleted.
   */
  open(file: RecentFile): Promise<File>;
  forget(id: number): Promise<void>;
  clear(): Promise<void>;
}

export function createRecentFiles(): RecentFiles {
  const list = signal<readonly RecentFile[]>([]);
  /** Changes follow each other, so that two of them do not lose a file. */
  let turn = load();

  async function load(): Promise<void> {
    const kept = await withDatabase((database) => database.getAll('files')).catch(() => []);
    list.value = (kept as RecentFile[])
      .filter(({ handle, name }) => typeof handle?.getFile === 'function' && typeof name === 'string')
      .sort((one, other) => other.opened - one.opened)
      .slice(0, MAX_FILES);
  }

  /** Runs a change, then reads the list again. Without storage, nothing is kept. */
  function change(run: (store: Files) => Promise<unknown>): Promise<void> {
    turn = turn
      .then(() =>
        withDatabase(async (database) => {
          const transaction = database.transaction('files', 'readwrite');
          await Promise.all([run(transaction.store), transaction.done]);
        }),
      )
      .catch(() => undefined)
      .then(load);
    return turn;
  }

  async function add(file: Omit<RecentFile, 'id' | 'opened'>): Promise<void> {
    await turn;
    const same = await Promise.all(
      list
        .peek()
        .map(async (one) => (one.name === file.name && (await isSame(one.handle, file.handle)) ? one : [])),
    );
    const before = same.flat().map(({ id }) => id);
    const old = list.peek().filter(({ id }) => !before.includes(id));
    const gone = [...before, ...old.slice(MAX_FILES - 1).map(({ id }) => id)];
    const now = { ...file, opened: Date.now() };
    await change((store) => Promise.all([...gone.map((id) => store.delete(id)), store.add(now)]));
  }

  const isAllowed = async ({ handle }: RecentFile): Promise<boolean> =>
    (await handle.queryPermission?.({ mode: 'read' })) !== 'prompt' || handle.queryPermission === undefined;

  return {
    list,
    ready: turn,
    add,
    isAllowed,
    async open({ name, handle }) {
      const allowed = (await handle.requestPermission?.({ mode: 'read' })) ?? 'granted';
      if (allowed !== 'granted') {
        throw new XylemError({
          code: 'IO',
          message: `The browser was not allowed to open ${name}.`,
          fix: 'Press "open again" and allow it, or drop the file on the page.',
        });
      }
      try {
        return await fileOf(handle);
      } catch (cause) {
        throw new XylemError({
          code: 'IO',
          message: `${name} is not where it was.`,
          fix: 'Drop the file on the page, or choose it there.',
          cause,
        });
      }
    },
    forget: (id) => change((store) => store.delete(id)),
    clear: () => change((store) => store.clear()),
  };
}

type Files = IDBPTransaction<Schema, ['files'], 'readwrite'>['store'];

async function isSame(one: FileHandle, other: FileHandle): Promise<boolean> {
  return await one.isSameEntry(other).catch(() => false);
}

interface Schema extends DBSchema {
  files: { key: number; value: Omit<RecentFile, 'id'> & { id?: number } };
}

/** Runs a function with the database, which is open only as long, so that other pages are not blocked. */
async function withDatabase<T>(run: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
  const database = await openDB<Schema>('xylem-recent', 1, {
    upgrade: (made) => void made.createObjectStore('files', { keyPath: 'id', autoIncrement: true }),
  });
  try {
    return await run(database);
  } finally {
    database.close();
  }
}
