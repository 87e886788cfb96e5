import type { ByteSource } from '../../../web/element/one-file';
import { type Channel, keep, recall } from './channel';
import { serverHeaders } from './server-file';

/** Bytes from the start that must be equal in both ways: ROOT writes a file's identity and the time of its change there. */
const COMPARED = 512;

/** A file as the kernel knows it. */
interface Placed {
  /** Its path below the folder of the server, with slashes; null if it is elsewhere. */
  path: string | null;
  /** When it was changed, as HTTP writes it. */
  modified: string;
}

/** A source that reads through the Jupyter server if the server has the kernel's file, and through the kernel otherwise. */
export interface ThroughServer extends ByteSource {
  /** Whether the server has it, once that is known. */
  found: Promise<boolean>;
}

/** The server is faster than the channel of the kernel, also reads for a busy kernel, and goes on when it has ended. */
export function throughServer(kernel: ByteSource, channel: Channel, file: number): ThroughServer {
  const { size, validator } = kernel.info();
  let address: URL | undefined;

  const fetched = async (
    at: URL,
    offset: number,
    length: number,
    modified?: string,
    signal?: AbortSignal,
  ) => {
    const last = offset + length - 1;
    const answer = await fetch(at, {
      headers: { ...serverHeaders(config()?.token), Range: `bytes=${offset}-${last}` },
      cache: 'no-store',
      ...(signal && { signal }),
    });
    const right =
      answer.status === 206 &&
      answer.headers.get('content-range') === `bytes ${offset}-${last}/${size}` &&
      (modified === undefined || answer.headers.get('last-modified') === modified);
    if (!right) {
      await answer.body?.cancel();
      throw new Error('The server has another file there, or none.');
    }
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length !== length) throw new Error('The answer was cut.');
    return bytes;
  };

  let modified: string | undefined;
  const find = async (): Promise<boolean> => {
    const place = config();
    if (place === undefined || size === undefined) return false;
    const told = await channel.ask({ kind: 'place', file, root: place.serverRoot });
    const placed = JSON.parse(new TextDecoder().decode(told)) as Placed;
    if (placed.path === null) return false;
    const path = placed.path.split('/').map(encodeURIComponent).join('/');
    const at = new URL(`${place.baseUrl}files/${path}`, location.href);
    const length = Math.min(COMPARED, size);
    const [ours, theirs] = await Promise.all([
      kernel.read(0, length),
      fetched(at, 0, length, placed.modified),
    ]);
    if (ours.some((byte, i) => byte !== theirs[i])) return false;
    modified = placed.modified;
    address = at;
    return true;
  };

  return {
    ...kernel,
    // Browsers have six connections for a server, and the notebook needs one.
    concurrency: 5,
    found: find().catch(() => false),
    async read(offset, wanted, signal, onAnswer) {
      const length = Math.min(wanted, Number(size) - offset);
      if (address === undefined || length <= 0) return await kernel.read(offset, wanted, signal, onAnswer);
      const key = `${validator} ${offset} ${length}`;
      const known = recall(key);
      if (known !== undefined) return known;
      try {
        const bytes = await fetched(address, offset, length, modified, signal);
        keep(key, bytes);
        return bytes;
      } catch {
        signal?.throwIfAborted();
        // The file was moved or changed, or the server has ended: the kernel says what is wrong, or reads on.
        return await kernel.read(offset, wanted, signal, onAnswer);
      }
    },
  };
}

/** The configuration that Jupyter gives its pages; undefined in other programs. */
function config(): { baseUrl: string; serverRoot: string; token: string } | undefined {
  const text = document.getElementById('jupyter-config-data')?.textContent ?? '{}';
  const { baseUrl, serverRoot, token = '' } = JSON.parse(text) as Record<string, string>;
  return baseUrl === undefined || !serverRoot ? undefined : { baseUrl, serverRoot, token };
}
