/*
 * Chromium gives handles of the files that users choose or drop. A handle can be kept, and the file opened again later. Other
 * browsers give files only.
 */

/** A handle of a file, with the parts that TypeScript does not know. */
export interface FileHandle extends FileSystemFileHandle {
  queryPermission?(options: { mode: 'read' }): Promise<PermissionState>;
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>;
}

interface Picker {
  showOpenFilePicker?(options: { multiple: boolean; id: string }): Promise<FileHandle[]>;
}

const handles = new WeakMap<Blob, Promise<FileHandle | undefined>>();

/** Returns the handle of a file; undefined if the browser gave none. */
export async function handleOf(file: Blob): Promise<FileHandle | undefined> {
  return await handles.get(file);
}

/** Keeps the handle of a file as long as the file. */
export function keepHandle(file: Blob, handle: Promise<FileHandle | undefined>): void {
  handles.set(
    file,
    handle.catch(() => undefined),
  );
}

/** Returns the files that were dropped. Their handles have to be asked for during the event. */
export function droppedFiles({ items, files }: DataTransfer): File[] {
  for (const item of items) {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    if (file === null) continue;
    const ask = (item as { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> })
      .getAsFileSystemHandle;
    if (ask === undefined) continue;
    const place = [...files].findIndex((one) => isSame(one, file));
    const dropped = files[place] ?? file;
    keepHandle(
      dropped,
      ask.call(item).then((handle) => (handle?.kind === 'file' ? (handle as FileHandle) : undefined)),
    );
  }
  return [...files];
}

const isSame = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

/**
 * Lets the user choose files whose handles can be kept. Returns undefined if the browser cannot do that; the list is empty if
 * the user chose none.
 */
export async function pickFiles(multiple: boolean): Promise<File[] | undefined> {
  const { showOpenFilePicker } = globalThis as Picker;
  if (showOpenFilePicker === undefined) return undefined;
  try {
    const picked = await showOpenFilePicker({ multiple, id: 'xylem' });
    return await Promise.all(picked.map(fileOf));
  } catch (thrown) {
    // Not allowed here, for example in a frame of another site. The other way may be.
    return thrown instanceof Error && thrown.name === 'AbortError' ? [] : undefined;
  }
}

/** Returns the file of a handle, which then has this handle. */
export async function fileOf(handle: FileHandle): Promise<File> {
  const file = await handle.getFile();
  keepHandle(file, Promise.resolve(handle));
  return file;
}
