import { parentPort } from 'node:worker_threads';
import { filledSlot } from '../web/base/slot';
import { packFiles } from '../web/cache/node-packs';
import * as features from '../web/features/decode';
import type { DecodePart } from '../web/features/work-part';
import { directFiles } from '../web/io/node-direct-file';
import { createDecodeHandler } from './decode-handler';
import { nodeEndpoint } from './endpoint';
import { serveTasks } from './pool';

const userCode = filledSlot<DecodePart, 'userCode'>(features, 'userCode');
if (parentPort) serveTasks(nodeEndpoint(parentPort), createDecodeHandler(directFiles(packFiles), userCode));
