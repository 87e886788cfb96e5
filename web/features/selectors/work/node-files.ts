import { promises } from 'node:fs';
import { readFilesBy } from './selector-files';

/** Lets selectors in this thread declare files of this machine. */
export function readLocalFiles(): void {
  // Looked up when it is called, because reads may be recorded: see node-reads.ts.
  readFilesBy((url) => promises.readFile(url));
}
