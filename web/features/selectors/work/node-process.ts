import { readLocalFiles } from './node-files';
import { processTree } from './process';

/** See processTree. Selectors are files of this machine. */
export const processInNode: typeof processTree = (...call) => {
  readLocalFiles();
  return processTree(...call);
};
