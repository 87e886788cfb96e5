import { parentPort } from 'node:worker_threads';
import { directFiles } from '../web/cache/node-packs';
import { allowSelectors } from '../web/pass/goals/select';
import { createDecodeHandler } from './decode-handler';
import { nodeEndpoint } from './endpoint';
import { serveTasks } from './pool';

allowSelectors();
if (parentPort) serveTasks(nodeEndpoint(parentPort), createDecodeHandler(directFiles()));
