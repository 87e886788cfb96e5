import { parentPort } from 'node:worker_threads';
import { directFiles } from '../web/cache/node-packs';
import { createDecodeHandler } from './decode-handler';
import { nodeEndpoint } from './endpoint';
import { serveTasks } from './pool';

if (parentPort) serveTasks(nodeEndpoint(parentPort), createDecodeHandler(directFiles()));
