import { Readable } from 'node:stream';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { messageLines, type Refusal } from '../../../web/features/mcp/cli/message-lines';

/** Returns the lines of a text that are passed on, and the refusals. The text comes in pieces of some bytes. */
async function taken(text: string, size: number): Promise<{ passed: string; refused: Refusal[] }> {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  const refused: Refusal[] = [];
  let passed = '';
  for await (const line of Readable.from(pieces).pipe(
    messageLines(parseJSONRPCMessage, (one) => refused.push(one)),
  ))
    passed += line;
  return { passed, refused };
}

const PING = '{"jsonrpc":"2.0","id":7,"method":"ping"}\n';

test.each([1, 5, 1 << 16])('messages are passed on as they are, in pieces of %d bytes', async (size) => {
  const text = `${PING}\n{"jsonrpc":"2.0","method":"notifications/é"}\r\n{"jsonrpc":"2.0","id":"x","result":{}}\n`;
  expect(await taken(text, size)).toEqual({ passed: text, refused: [] });
});

test.each([
  ['no json', null, -32700],
  ['{"jsonrpc":"2.0","id":3}', 3, -32600],
  ['{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a', -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
  [`[${PING.trim()}]`, null, -32600],
  ['null', null, -32600],
])('%s is answered with an error, and the next message passed on', async (line, id, code) => {
  const { passed, refused } = await taken(`${line}\n${PING}`, 1 << 16);
  expect(passed).toBe(PING);
  expect(refused).toEqual([{ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } }]);
});

const LONG = 'x'.repeat(11 * 2 ** 20);
test.each([
  ['before', `{"jsonrpc":"2.0","id":1,"method":"${LONG}"}`, 1],
  ['after', `{"params":{"id":5,"long":"${LONG}"},"jsonrpc":"2.0","id":"a"}`, 'a'],
  ['nowhere', `{"params":{"long":"${LONG}","id":5}}`, null],
])(
  'a message that is too long is answered by its id that stands %s, and the next one passed on',
  async (_, line, id) => {
    const { passed, refused } = await taken(`${line}\n${PING}`, 1 << 16);
    expect(passed).toBe(PING);
    expect(refused.map(({ id, error }) => [id, error.message])).toEqual([
      [id, 'A message has at most 8.39 MB.'],
    ]);
  },
);
