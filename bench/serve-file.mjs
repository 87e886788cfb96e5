// A file by ranges, as a server elsewhere gives it.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * @param {string} path
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
export async function sendRange(path, request, response) {
  const { size } = await stat(path);
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const start = Number(from);
  const end = Math.min(Number(to), size - 1);
  if (!(start <= end)) {
    response.writeHead(416).end();
    return;
  }
  response.writeHead(206, {
    'Access-Control-Allow-Origin': '*',
    'Content-Length': end - start + 1,
    'Content-Range': `bytes ${start}-${end}/${size}`,
  });
  createReadStream(path, { start, end }).pipe(response);
}
