import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatBytes, formatCount } from '../../../base/format';
import { protocolOf } from '../../../io/schemes';
import type { Places } from '../../../ui/part';

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

/** Number of files that are listed without a filter. */
const LISTED = 8;

/** The files that the server of this page offers. */
export function ServedFiles({ base, onUrl, without }: Places['start']): JSX.Element | null {
  const offered = useSignal<ServedFile[]>([]);
  useEffect(() => {
    let here = true;
    void servedFiles(base).then((files) => {
      if (here) offered.value = files;
    });
    return () => {
      here = false;
    };
  }, [base]);
  const files = offered.value.filter(({ url }) => url !== without);
  return files.length > 0 ? <List files={files} onUrl={onUrl} /> : null;
}

function List({ files, onUrl }: { files: ServedFile[]; onUrl(url: string): void }): JSX.Element {
  const filter = useSignal('');
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = files.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  return (
    <section class="recent served" aria-label="Files of this server">
      <h3>
        Files of this server
        <span>{formatCount(files.length)}</span>
      </h3>
      {files.length > LISTED && (
        <input
          type="search"
          placeholder="Filter by name"
          aria-label="Filter the files of this server"
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
      )}
      {found.length === 0 && <p class="hint">No file has that name.</p>}
      <ul tabIndex={files.length > LISTED ? 0 : undefined} aria-label="Files">
        {found.map(({ url, name, bytes }) => (
          <li key={url}>
            <button type="button" class="link" title={url} onClick={() => onUrl(url)}>
              {name}
            </button>
            <small>{bytes !== undefined && formatBytes(bytes)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
