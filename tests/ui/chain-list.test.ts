// Lists of files that a link names, from a real server.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { chainOf } from '../../web/ui/state/chain-list';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.txt`;
}

const read = (url: string) =>
  chainOf({ kind: 'url', url }, (text, base) => new URL(text, base).href, undefined);

test('its lines are addresses, relative to its own', async () => {
  const url = await serve((response) => response.end('# two files\na.root\nhttps://example.org/b.root#t\n'));
  expect(await read(url)).toEqual([
    { source: { kind: 'url', url: new URL('a.root', url).href } },
    { source: { kind: 'url', url: 'https://example.org/b.root' }, tree: 't' },
  ]);
});

test('one that does not end is BUDGET after 64 MB, and is read no further', async () => {
  let sent = 0;
  const url = await serve((response) => {
    const piece = Buffer.alloc(1_000_000, '#');
    const more = () => {
      while (!response.destroyed && sent < 1e9) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once('drain', more);
      }
    };
    more();
  });
  await expect(read(url)).rejects.toMatchObject({ code: 'BUDGET' });
  expect(sent).toBeLessThan(200e6);
});

test('one that breaks off is NETWORK', async () => {
  const url = await serve((response) => {
    response.writeHead(200, { 'Content-Length': '1000' });
    response.write('a.root\n');
    setTimeout(() => response.destroy(), 50);
  });
  await expect(read(url)).rejects.toMatchObject({ code: 'NETWORK' });
});
