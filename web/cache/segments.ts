/** Location of bytes in the page's private folder. */
export interface Place {
  /** Name of a file there. It contains bytes of one ROOT file, in the order in which they arrived. */
  segment: string;
  at: number;
}

/**
 * Files in the page's private folder (OPFS), which a worker reads and writes without messages to another process. For
 * 96 MB in pieces of 1 MB, writing takes 0.03 s of CPU time and reading 0.05 s; IndexedDB takes 0.65 s and 0.4 s. Any
 * file may disappear at any moment.
 */
export interface Segments {
  /**
   * Writes bytes of a ROOT file, and returns the location of each part. Rejects with the error of the browser; then
   * nothing was written.
   */
  write(file: string, parts: readonly Uint8Array[]): Promise<Place[]>;
  /**
   * Returns bytes; undefined if they are missing. Rejects if they cannot be read now, for example while another tab has
   * the file open.
   */
  read(place: Place, length: number): Promise<Uint8Array | undefined>;
  /** Removes files. A file that another tab has open stays until `sweep`. */
  remove(names: Iterable<string>): Promise<void>;
  /**
   * Removes files that are not in `known` and did not change for `idleMs`. Newer ones may belong to a write in another
   * tab.
   */
  sweep(known: ReadonlySet<string>, idleMs?: number): Promise<void>;
}

interface OpenFile {
  read(into: Uint8Array, options: { at: number }): number;
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  close(): void;
}

/** TypeScript declares this method for workers only. */
interface Openable {
  createSyncAccessHandle(options: { mode: 'readwrite-unsafe' }): Promise<OpenFile>;
}

/** A segment that is being written. It stays open, because Chromium sometimes never finishes opening a file again. */
interface Filling {
  name: string;
  size: number;
  out: OpenFile;
  timer?: ReturnType<typeof setTimeout>;
}

/** Nothing is added to a file of at least this many bytes. */
const SEGMENT_BYTES = 32 * 1024 * 1024;
/** Maximum number of files that stay open for reading, and for how many ms after the last use. */
const MAX_OPEN = 4;
const IDLE_MS = 1000;
/** Time limit in ms for answers, because some browsers never answer if their storage is broken. */
const ANSWER_MS = 4000;
const ORPHAN_MS = 60_000;

/**
 * Opens the private folder. Undefined if the browser does not provide one: outside of workers, on plain http pages, in
 * some private windows.
 */
export async function openSegments(name: string): Promise<Segments | undefined> {
  const storage = globalThis.navigator?.storage;
  const prototype = globalThis.FileSystemFileHandle?.prototype;
  if (!storage?.getDirectory || !prototype || !('createSyncAccessHandle' in prototype)) return undefined;
  try {
    const folder = storage.getDirectory().then((root) => root.getDirectoryHandle(name, { create: true }));
    return new SegmentFolder(await inTime(folder));
  } catch {
    return undefined;
  }
}

class SegmentFolder implements Segments {
  readonly #folder: FileSystemDirectoryHandle;
  /** The segments that are being written, by ROOT file. */
  readonly #filling = new Map<string, Filling>();
  /** Segments open for reading, the most recently used last. */
  readonly #open = new Map<string, OpenFile>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Set after the browser did not answer once. It is not asked again. */
  #silent = false;

  constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  write(file: string, parts: readonly Uint8Array[]): Promise<Place[]> {
    return this.#inTurn(async () => {
      const filling = this.#filling.get(file) ?? (await this.#begin(file));
      clearTimeout(filling.timer);
      const { name, size, out } = filling;
      try {
        const places = parts.map((part) => {
          if (out.write(part, { at: filling.size }) < part.length)
            throw new DOMException('The browser wrote less than it was given.', 'QuotaExceededError');
          filling.size += part.length;
          return { segment: name, at: filling.size - part.length };
        });
        if (filling.size >= SEGMENT_BYTES) this.#end(file);
        else filling.timer = setTimeout(() => this.#end(file), IDLE_MS);
        return places;
      } catch (thrown) {
        out.truncate(size);
        this.#end(file);
        throw thrown;
      }
    });
  }

  read({ segment, at }: Place, length: number): Promise<Uint8Array | undefined> {
    return this.#inTurn(async () => {
      const file = await this.#toRead(segment).catch((thrown: unknown) => {
        if (thrown instanceof DOMException && thrown.name === 'NotFoundError') return undefined;
        throw thrown;
      });
      const bytes = new Uint8Array(length);
      return file?.read(bytes, { at }) === length ? bytes : undefined;
    });
  }

  remove(names: Iterable<string>): Promise<void> {
    return this.#inTurn(async () => {
      for (const name of names) {
        this.#close(name);
        for (const [file, filling] of this.#filling) if (filling.name === name) this.#end(file);
        await this.#folder.removeEntry(name).catch(() => {});
      }
    }).catch(() => {});
  }

  async sweep(known: ReadonlySet<string>, idleMs = ORPHAN_MS): Promise<void> {
    const orphans: string[] = [];
    try {
      for await (const [name, handle] of this.#folder.entries()) {
        if (known.has(name) || handle.kind !== 'file') continue;
        const { lastModified } = await (handle as FileSystemFileHandle).getFile();
        if (Date.now() - lastModified >= idleMs) orphans.push(name);
      }
    } catch {
      // Another tab removed a file in the meantime. The next session looks again.
    }
    await this.remove(orphans);
  }

  /** Runs one operation after another, because some browsers allow a file to be open only once. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => {
      if (this.#silent) throw new Error('the browser did not answer');
      return inTime(run(), () => {
        this.#silent = true;
      });
    });
    this.#last = result.catch(() => {});
    return result;
  }

  /** Opens a file in a mode in which several tabs may have it open, if the browser supports modes. */
  async #openFile(name: string, create = false): Promise<OpenFile> {
    const handle = await this.#folder.getFileHandle(name, { create });
    return (handle as unknown as Openable).createSyncAccessHandle({ mode: 'readwrite-unsafe' });
  }

  async #begin(file: string): Promise<Filling> {
    const name = newName();
    const filling = { name, size: 0, out: await this.#openFile(name, true) };
    this.#filling.set(file, filling);
    return filling;
  }

  #end(file: string): void {
    const filling = this.#filling.get(file);
    clearTimeout(filling?.timer);
    filling?.out.close();
    this.#filling.delete(file);
  }

  async #toRead(name: string): Promise<OpenFile> {
    for (const filling of this.#filling.values()) if (filling.name === name) return filling.out;
    const open = this.#open.get(name) ?? (await this.#openFile(name));
    this.#open.delete(name);
    this.#open.set(name, open);
    for (const oldest of this.#open.keys()) if (this.#open.size > MAX_OPEN) this.#close(oldest);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const one of [...this.#open.keys()]) this.#close(one);
    }, IDLE_MS);
    return open;
  }

  #close(name: string): void {
    this.#open.get(name)?.close();
    this.#open.delete(name);
  }
}

/** Rejects if there is no answer in time, after calling `late`. */
export async function inTime<T>(answer: Promise<T>, late?: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late?.();
      reject(new Error('the browser does not answer'));
    }, ANSWER_MS);
  });
  return await Promise.race([answer, end]).finally(() => clearTimeout(timer));
}

function newName(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join('-');
}
