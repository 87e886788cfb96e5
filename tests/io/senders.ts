import type { Send } from '../../web/io/http/http-client';
import { createNodeSend } from '../../web/io/http/node-http';

/** Functions that send requests: one of a page, one of Node. */
export const SENDERS: [name: string, send: Send | undefined][] = [
  ['fetch', undefined],
  ['node:http', createNodeSend()],
];
