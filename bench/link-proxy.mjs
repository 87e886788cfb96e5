// A TCP proxy over a link of a chosen round trip and bandwidth, for protocols other than HTTP (root://).
//   node bench/link-proxy.mjs HOST PORT RTT_MS MBIT_PER_S [WINDOW_KIB]   prints its port
// All connections share the bandwidth. WINDOW_KIB is the most bytes that are on their way in one connection.
// Each line on stdin is answered by a line of JSON: {"back"}, the bytes that came from the server since the last one.
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [host = '127.0.0.1', port = '1094', rttMs = '0', mbps = '0', window = '4096'] = process.argv.slice(2);
const half = Number(rttMs) / 2;
const perMs = Number(mbps) > 0 ? Number(mbps) * 125 : Number.POSITIVE_INFINITY;
/** When the link has sent all that it was given, there and back, in ms. */
const free = { there: 0, back: 0 };
/** Bytes of a connection that are on their way, or not yet said to have come, before the sender is held back. */
const MOST = Number(window) * 1024;

let back = 0;

/**
 * Passes bytes on, each after the time that the link needs.
 * @param {import('node:net').Socket} from @param {import('node:net').Socket} to @param {'there' | 'back'} way
 */
function pass(from, to, way) {
  let waiting = 0;
  /** Pieces leave in their order, which timers alone do not keep. */
  let last = Promise.resolve();
  /** @param {() => void} act @param {number} at ms */
  const later = (act, at) => {
    // Timers have a resolution of 1 ms: a wait for each of many pieces would make the link slower than it is.
    last = last
      .then(() => (at > performance.now() + 1 ? sleep(at - performance.now()) : undefined))
      .then(act);
  };
  from.on('data', (bytes) => {
    if (way === 'back') back += bytes.length;
    for (let at = 0; at < bytes.length; at += 16_384) {
      const piece = bytes.subarray(at, at + 16_384);
      free[way] = Math.max(free[way], performance.now()) + piece.length / perMs;
      waiting += piece.length;
      later(() => {
        if (!to.destroyed) to.write(piece);
        setTimeout(() => {
          waiting -= piece.length;
          if (waiting < MOST) from.resume();
        }, half);
      }, free[way] + half);
    }
    if (waiting >= MOST) from.pause();
  });
  from.on('end', () => later(() => to.end(), free[way] + half));
  from.on('error', () => to.destroy());
}

const server = createServer({ noDelay: true }, (near) => {
  near.pause();
  // A connection takes one round trip before its first byte is answered.
  setTimeout(() => {
    const far = connect({ host, port: Number(port), noDelay: true }, () => near.resume());
    pass(near, far, 'there');
    pass(far, near, 'back');
  }, 2 * half);
});
process.stdin.on('data', (text) => {
  for (let lines = String(text).split('\n').length; lines > 1; lines--) {
    console.log(JSON.stringify({ back }));
    back = 0;
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(address?.port);
});
