import { parentPort } from 'node:worker_threads';
import { directFiles } from '../web/cache/node-packs';
import { allowSelectors } from '../web/pass/goals/select';
import { createDecodeHandler } from './decode-handler';
import { nodeEndpoint } from './endpoint';
import { serveTasks } from './pool';

allowSelectors();
// Tasks of other files wait in this thread; what ends it would end these, too.
process.exit = () => {
  throw new Error('process.exit would end the thread that decodes; throw an error instead');
};
if (parentPort) serveTasks(nodeEndpoint(parentPort), createDecodeHandler(directFiles()));
