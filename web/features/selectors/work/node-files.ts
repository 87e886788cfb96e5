import { promises } from 'node:fs';
import * as nodeTools from '../../node-tools';
import { readFilesBy } from './selector-files';
import { addTools } from './tools-of-features';

/** Lets selectors in this thread declare files of this machine, and use what only Node has. */
export function readLocalFiles(): void {
  addTools(nodeTools);
  // Looked up when it is called, because reads may be recorded: see node-reads.ts.
  readFilesBy((url) => promises.readFile(url));
}
