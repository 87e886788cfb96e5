import { parentPort } from 'node:worker_threads';
import { packFiles } from '../web/cache/node-packs';
import type { SelectTask } from '../web/features/selectors/work/run';
import { allowSelectors } from '../web/features/selectors/work/select';
import { selectorError } from '../web/features/selectors/work/selector';
import { directFiles } from '../web/io/node-direct-file';
import { readGuard } from '../web/io/node-reads';
import { createDecodeHandler } from './decode-handler';
import { nodeEndpoint } from './endpoint';
import { serveTasks } from './pool';

allowSelectors(readGuard);
// Tasks of other files wait in this thread, so user code must not end it.
process.exit = () => {
  throw new Error('process.exit would end the thread that decodes; throw an error instead');
};

let rejected: { reason: unknown } | undefined;
const keep = (reason: unknown): void => {
  rejected ??= { reason };
};
/**
 * Returns the first unhandled rejection of a promise since the last call. Without a listener Node ends the thread,
 * and waiting tasks are lost.
 */
const rejectionOf = ({ module, file, tree }: SelectTask): Error | undefined => {
  if (process.listenerCount('unhandledRejection') === 0) process.on('unhandledRejection', keep);
  const found = rejected;
  rejected = undefined;
  if (!found) return undefined;
  const what = `failed in a promise that nothing awaits, at one part of the entries of "${tree}" in ${file}`;
  return selectorError(module, what, found.reason);
};
if (parentPort)
  serveTasks(nodeEndpoint(parentPort), createDecodeHandler(directFiles(packFiles), rejectionOf));
