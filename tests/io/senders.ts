import type { Send } from '../../web/io/http-client';
import { createNodeSend } from '../../web/io/node-http';

/** What sends requests: in a page, and in Node. */
export const SENDERS: [name: string, send: Send | undefined][] = [
  ['fetch', undefined],
  ['node:http', createNodeSend()],
];
