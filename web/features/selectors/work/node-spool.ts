import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ioError } from '../../../base/io-error';
import { type RowSpool, spoolRowsBy } from './rows/spool';

/** The spools of this thread, by their folders. */
const spools = new Map<string, RowSpool & { close(): void }>();

/** Lets this thread write rows to files of its own in a folder. */
export function spoolToFiles(): void {
  spoolRowsBy((folder) => {
    let known = spools.get(folder);
    if (!known) {
      // Files of earlier runs are closed, because their space is free only then.
      for (const [other, spool] of spools) {
        if (existsSync(other)) continue;
        spool.close();
        spools.delete(other);
      }
      known = openSpool(folder);
    }
    spools.set(folder, known);
    return known;
  });
}

function openSpool(folder: string): RowSpool & { close(): void } {
  let file: { path: string; descriptor: number } | undefined;
  let end = 0;
  const opened = (): { path: string; descriptor: number } => {
    const path = join(folder, `${crypto.randomUUID()}.rows`);
    return { path, descriptor: openSync(path, 'wx', 0o600) };
  };
  return {
    close() {
      if (file) closeSync(file.descriptor);
    },
    write(bytes, rows) {
      const at = end;
      try {
        file ??= opened();
        // The system may write less than was asked for.
        for (let done = 0; done < bytes.length; )
          done += writeSync(file.descriptor, bytes, done, bytes.length - done, at + done);
      } catch (thrown) {
        throw ioError(`Rows of a table cannot be written to "${folder}"`, thrown, folder);
      }
      end = at + bytes.length;
      return { kind: 'spool', path: file.path, at, bytes: bytes.length, rows };
    },
  };
}
