import { XylemError } from '../web/base/errors';
import type { ByteSource, Range, SourceInfo } from '../web/io/source';
import { webEndpoint } from './endpoint';
import { transferable } from './protocol';
import { expose, wrap } from './rpc';

/**
 * A byte source that stays in the page (an object of the page, or HTTP through the page's own fetch). The session's
 * worker reads it through a port.
 */
export interface LentSource {
  kind: 'lent';
  name: string;
  concurrency: number;
  info: SourceInfo;
  port: MessagePort;
}

interface Lender {
  read(
    offset: number,
    length: number,
    options: { signal?: AbortSignal | undefined },
  ): Promise<{ bytes: Uint8Array; info: SourceInfo }>;
  forget(ranges: readonly Range[]): Promise<void>;
  close(): Promise<void>;
}

/** Runs in the page: returns the object that is sent to the worker instead of the source. */
export function lendSource(source: ByteSource): LentSource {
  const { port1, port2 } = new MessageChannel();
  const exposed = expose<Lender>(webEndpoint(port1), {
    async read(offset, length, { signal }) {
      const read = await source.read(offset, length, signal);
      // The bytes may be a view of a buffer that the source keeps.
      const bytes = read.slice();
      return transferable({ bytes, info: source.info() }, [bytes.buffer]);
    },
    async forget(ranges) {
      source.forget?.(ranges);
    },
    async close() {
      await source.close?.();
      // The answer to this call has to be sent before the port is closed.
      setTimeout(() => {
        exposed.close();
        port1.close();
      });
    },
  });
  const { name, concurrency } = source;
  return transferable({ kind: 'lent', name, concurrency, info: source.info(), port: port2 }, [port2]);
}

export function isLent(spec: { kind: string }): spec is LentSource {
  return spec.kind === 'lent';
}

/** Runs in the worker: returns a source whose reads are done in the page. */
export function borrowSource({ name, concurrency, port, ...lent }: LentSource): ByteSource {
  const { api, close } = wrap<Lender>(webEndpoint(port));
  // Sent by Node and by newer browsers. Waiting calls would never be answered.
  port.addEventListener('close', () => close(gone(name)));
  let info = lent.info;
  return {
    name,
    concurrency,
    async read(offset, length, signal, onAnswer) {
      const read = await api.read(offset, length, { signal });
      onAnswer?.();
      info = read.info;
      return read.bytes;
    },
    info: () => info,
    // Messages arrive in order, so before the next read.
    forget: (ranges) => void api.forget(ranges),
    async close() {
      await api.close();
      close();
      port.close();
    },
  };
}

function gone(name: string): XylemError {
  return new XylemError({
    code: 'IO',
    message: `${name}: the page that has this file is gone.`,
    fix: 'Open the file in that page again.',
  });
}
