import type { Sink } from '../../api/sink';
import { ioError } from '../../base/io-error';
import { memorySink } from '../../sinks/sink';
import { canPickFile, pickFile, saveBlob } from './save-blob';
import { newStoredFile } from './stored-files';

/**
 * Returns the sink for saving a file: a file that the user chooses; or, if the browser cannot write to one, the
 * page's own storage or memory, from which it is downloaded when it is complete. Rejects with AbortError if none is
 * chosen, and with IO.
 */
export async function saveSink(name: string): Promise<Sink> {
  if (canPickFile()) {
    const chosen = await pickFile(name);
    // A new file is empty and already has its name.
    const isNew = (await chosen.getFile()).size === 0;
    return fileSink(chosen, {
      name: chosen.name,
      async finish() {},
      async drop(made) {
        // Another save of this page may have written it since then.
        const { size, lastModified } = await chosen.getFile();
        if (made ? size === made.size && lastModified === made.lastModified : isNew && size === 0)
          await (chosen as Partial<Removable>).remove?.();
      },
    });
  }
  const stored = await newStoredFile();
  if (stored !== undefined && 'createWritable' in stored.handle) {
    const { handle, remove } = stored;
    return fileSink(handle, {
      name,
      finish: async () => saveBlob(name, await handle.getFile()),
      drop: remove,
    });
  }
  await stored?.remove();
  const sink = memorySink();
  return { ...sink, name, close: async () => saveBlob(name, new Blob([sink.bytes()])) };
}

/** The part of the browser's file API that TypeScript does not know. */
interface Removable {
  remove(): Promise<void>;
}

interface Ending {
  name: string;
  finish(): Promise<void>;
  /** Removes the rest. `made` is the file with the new content, if it is complete. */
  drop(made?: File): Promise<void>;
}

/** Writes beside a file. The file gets the new content when it is read back or closed. */
async function fileSink(handle: FileSystemFileHandle, { name, finish, drop }: Ending): Promise<Sink> {
  const file = await handle.createWritable().catch(async (thrown: unknown) => {
    await drop().catch(() => undefined);
    throw ioError(`${name} cannot be written`, thrown);
  });
  let state: 'open' | 'committed' | 'dropped' = 'open';
  let made: File | undefined;
  const commit = async (): Promise<void> => {
    if (state !== 'open') return;
    await file.close();
    state = 'committed';
    made = await handle.getFile();
  };
  return {
    name,
    write: (at, bytes) => file.write({ type: 'write', position: at, data: bytes as Uint8Array<ArrayBuffer> }),
    async written() {
      await commit();
      return { kind: 'blob', blob: await handle.getFile(), name };
    },
    async close() {
      await commit();
      await finish();
    },
    async abort() {
      if (state === 'dropped') return;
      const committed = state === 'committed';
      state = 'dropped';
      if (!committed) await file.abort();
      await drop(made);
    },
  };
}
