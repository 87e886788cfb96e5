import { protocolOf } from '../../../io/schemes';

/** A file that the server of the page offers. */
export interface ServedFile {
  /** Absolute address. */
  url: string;
  /** Path for display. */
  name: string;
  bytes: number | undefined;
}

/** Maximum number of files that are read from a list. */
const MAX_FILES = 1000;

/**
 * Returns the files in the list beside the page (docs/page.md). "xylem serve" lists those of its folder, and any site
 * may have a list, too. Empty if there is no valid list.
 */
export async function servedFiles(base: string): Promise<ServedFile[]> {
  try {
    const answer = await fetch(new URL('files.json', base), { cache: 'no-cache' });
    return answer.ok ? parseServed(await answer.json(), base) : [];
  } catch {
    // Without a network or a list there is nothing to offer.
    return [];
  }
}

/** Returns the valid items of `{ "files": [{ "url": "files/a.root", "name": "a.root", "bytes": 1234 }] }`. */
export function parseServed(list: unknown, base: string): ServedFile[] {
  const files: unknown = typeof list === 'object' && list !== null ? Reflect.get(list, 'files') : undefined;
  if (!Array.isArray(files)) return [];
  return files.slice(0, MAX_FILES).flatMap((one: unknown): ServedFile[] => {
    if (typeof one !== 'object' || one === null) return [];
    const [url, name, bytes]: unknown[] = ['url', 'name', 'bytes'].map((member) => Reflect.get(one, member));
    if (typeof url !== 'string' || !URL.canParse(url, base)) return [];
    const address = new URL(url, base);
    if (protocolOf(address.href) !== 'http') return [];
    return [
      {
        url: address.href,
        name: typeof name === 'string' && name !== '' ? name : url,
        bytes: typeof bytes === 'number' && bytes >= 0 ? bytes : undefined,
      },
    ];
  });
}
