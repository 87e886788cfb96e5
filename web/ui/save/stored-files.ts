/** The folder in the page's own storage for files that wait for their download. */
const FOLDER = 'xylem-saves';

/** A file in the page's own storage (OPFS). */
export interface StoredFile {
  handle: FileSystemFileHandle;
  remove(): Promise<void>;
}

/**
 * Creates a file in the page's own storage. It stays there for its download until the page is left; then
 * `sweepStored` removes it. Undefined if the browser has no such storage, as in private windows and without https.
 */
export async function newStoredFile(): Promise<StoredFile | undefined> {
  const folder = await folderOf(true);
  if (folder === undefined) return undefined;
  await sweepStored();
  const id = crypto.randomUUID();
  const release = await hold(id);
  const remove = async (): Promise<void> => {
    // The browser may keep changes of a file beside it.
    await folder.removeEntry(id, { recursive: true });
    release();
  };
  try {
    const own = await folder.getDirectoryHandle(id, { create: true });
    return { handle: await own.getFileHandle('file.root', { create: true }), remove };
  } catch (thrown) {
    release();
    throw thrown;
  }
}

/** Removes the files of pages that were left, or that ended while they wrote. */
export async function sweepStored(): Promise<void> {
  const folder = await folderOf(false);
  if (folder === undefined) return;
  for await (const id of folder.keys()) {
    await navigator.locks.request(lockOf(id), { ifAvailable: true }, async (lock) => {
      // A file that cannot be removed now is removed at the next start.
      if (lock !== null) await folder.removeEntry(id, { recursive: true }).catch(() => undefined);
    });
  }
}

async function folderOf(create: boolean): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    const root = await navigator.storage.getDirectory();
    return await root.getDirectoryHandle(FOLDER, { create });
  } catch {
    return undefined;
  }
}

const lockOf = (id: string): string => `${FOLDER} ${id}`;

/** Holds a lock that marks a file as in use. The browser releases it when the page is left. */
function hold(id: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(
      lockOf(id),
      () => new Promise<void>((release) => resolve(() => release())),
    );
    held.catch(reject);
  });
}
