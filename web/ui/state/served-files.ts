import { protocolOf } from '../../io/schemes';

/** A file that the server of the page offers. */
export interface ServedFile {
  /** Absolute. */
  url: string;
  /** Path for people. */
  name: string;
  bytes: number | undefined;
}

/** Files that are taken of a list. */
const MAX_FILES = 1000;

/**
 * The files that the list beside the page names (docs/page.md): "xylem serve" answers with those of its folder, and a
 * site of one's own may have a list, too. Empty when there is none, or it is not one.
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

/** Takes what fits: `{ "files": [{ "url": "files/a.root", "name": "a.root", "bytes": 1234 }] }`. */
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
