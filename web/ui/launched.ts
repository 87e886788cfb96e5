import { protocolOf } from '../io/schemes';
import { type FileHandle, fileOf } from './state/recent/file-handles';

/** A launch of the installed page by the system. */
interface Launch {
  files?: readonly FileHandle[];
}

/**
 * Receives the files with which the system opens the installed page, for example on a double click. Browsers that
 * cannot install pages have no such queue.
 */
export function takeLaunched(onFiles: (files: readonly File[]) => void): void {
  const { launchQueue } = globalThis as {
    launchQueue?: { setConsumer(consumer: (launch: Launch) => void): void };
  };
  launchQueue?.setConsumer(async ({ files = [] }) => {
    const read = await Promise.allSettled(files.map(fileOf));
    const found = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (found.length > 0) onFiles(found);
  });
}

/**
 * Returns the query of a page to which another program shared an address; some programs put the address into the
 * text. Returns undefined if there is none.
 */
export function sharedQuery(search: string): string | undefined {
  const query = new URLSearchParams(search);
  const text = query.get('text')?.trim() ?? '';
  if (query.get('url') || protocolOf(text) !== 'http' || /\s/.test(text)) return undefined;
  return `?${new URLSearchParams({ url: text })}`;
}
