import { parentPort } from 'node:worker_threads';
import { nodeFiles } from '../web/io/node-direct-file';
import { createDecodeHandler } from './decode-handler';
import { nodeEndpoint } from './endpoint';
import { serveTasks } from './pool';

if (parentPort) serveTasks(nodeEndpoint(parentPort), createDecodeHandler(nodeFiles()));
