import { readGuard } from '../../../io/node-reads';
import type { RejectionOf } from '../../../pass/goals/goal';
import { readLocalFiles } from './node-files';
import { spoolToFiles } from './node-spool';
import { allowSelectors } from './select';
import { selectorError } from './selector';

/** Allows this decode worker to run selectors. Rejections that they leave unhandled do not end it. */
export function allowUserCode(): RejectionOf {
  allowSelectors(readGuard);
  readLocalFiles();
  spoolToFiles();
  // Tasks of other files wait in this thread, so user code must not end it.
  process.exit = () => {
    throw new Error('process.exit would end the thread that decodes; throw an error instead');
  };
  let rejected: { reason: unknown } | undefined;
  const keep = (reason: unknown): void => {
    rejected ??= { reason };
  };
  return ({ module, file, tree }) => {
    // Without a listener Node ends the thread, and waiting tasks are lost. User code may remove it.
    if (process.listenerCount('unhandledRejection') === 0) process.on('unhandledRejection', keep);
    const found = rejected;
    rejected = undefined;
    if (!found) return undefined;
    const what = `failed in a promise that nothing awaits, at one part of the entries of "${tree}" in ${file}`;
    return selectorError(module, what, found.reason);
  };
}
