import { readLocalFiles } from './node-files';
import { spoolToFiles } from './node-spool';
import { processTree } from './process';

/** See processTree. Selectors are files of this machine. */
export const processInNode: typeof processTree = (...call) => {
  readLocalFiles();
  // Without workers this thread runs the code.
  spoolToFiles();
  return processTree(...call);
};
