import type { CallOptions, ChainPart, FileInfo, SourceSpec, UrlSource } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { argumentError, toXylemError, type XylemError } from '../../base/errors';
import { parseList } from '../../io/replicas/list-formats';
import { replicasIn } from '../../io/replicas/replica-names';
import { looseProtocolOf } from '../../io/schemes';
import { fetchText } from './fetch-text';

/** Maximum length of a text file with a list of files. */
const MAX_BYTES = 64_000_000;

const LIST = { what: 'list', most: MAX_BYTES, fix: 'Divide it, or name the files on the command line.' };

/** Number of files of a list that are tried until one can be opened. */
const MAX_TRIED = 20;

/**
 * Returns the files of a list: of a text file with an address on each line, relative to its own address, or of
 * several files. Undefined if it is not a list; `readableUrl` resolves and checks an address. Throws NETWORK,
 * HTTP_STATUS, ARGUMENT and BUDGET.
 */
export async function chainOf(
  source: SourceSpec,
  readableUrl: (text: string, base: string) => string,
  signal: AbortSignal | undefined,
): Promise<readonly ChainPart[] | undefined> {
  if (source.kind === 'chain') return source.files;
  if (source.kind === 'blob' && source.blob.size < MAX_BYTES)
    return listed(await source.blob.text(), readableUrl, undefined, source.name);
  if (source.kind !== 'url' || looseProtocolOf(source.url) !== 'http') return undefined;
  const name = source.url.split(/[?#]/, 1)[0] ?? '';
  return listed(await fetchText(source.url, LIST, signal), readableUrl, source.url, name);
}

/** Opens the first of these files that can be opened. Throws the error of the first file if none can. */
export async function openFirst(
  api: EngineApi,
  chain: readonly ChainPart[],
  options: CallOptions,
): Promise<FileInfo> {
  let failure: XylemError | undefined;
  for (const { source } of chain.slice(0, MAX_TRIED)) {
    try {
      return await api.open(source, options);
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code === 'ABORTED') throw error;
      failure ??= error;
    }
  }
  throw failure ?? argumentError('The list names no files.');
}

/** Reads the lines of a list. Empty lines and lines that begin with "#" are skipped. */
function listed(
  text: string,
  readableUrl: (text: string, base: string) => string,
  base: string | undefined,
  name: string,
): ChainPart[] {
  const files = parseList(text, name);
  if (files.length === 0) {
    throw argumentError(`${name} names no files.`, 'A list of files has an address on each line.', {
      url: name,
    });
  }
  const plain = (line: string): { source: UrlSource; tree?: string } => {
    // "file.root#tree" names the tree of one file.
    const hash = line.indexOf('#');
    const tree = hash < 0 || line[hash + 1] === '@' ? undefined : line.slice(hash + 1);
    const address = tree === undefined ? line : line.slice(0, hash).replace(/\?$/, '');
    if (base === undefined && !/^[a-z]+:\/\//i.test(address)) {
      throw argumentError(
        `"${address}" of ${name} is not a whole address.`,
        'A list of the disk has addresses that begin with https://; paths cannot be opened by a page.',
      );
    }
    const url = readableUrl(address, base ?? address);
    return { source: { kind: 'url', url }, ...(tree && { tree }) };
  };
  return files.map(({ names, logical, size }) => {
    const { name: own, addresses } = replicasIn(names);
    const called = logical ?? own;
    if (addresses.length === 0)
      throw argumentError(
        `${name} has no address of ${called}.`,
        'A page needs a list with addresses, as "rucio list-file-replicas --pfns" gives them.',
      );
    const [first, ...more] = addresses.map(plain);
    if (first && more.length === 0 && called === undefined) return first;
    const all = [first, ...more].filter((one) => one !== undefined);
    const tree = all.find((one) => one.tree !== undefined)?.tree;
    const facts = { ...(called !== undefined && { name: called }), ...(size !== undefined && { size }) };
    return {
      source: { kind: 'replicas', replicas: all.map(({ source }) => source), ...facts },
      ...(tree !== undefined && { tree }),
    };
  });
}

/** Gives distinct names to files with the same name. */
export function namedApart(files: readonly File[]): { blob: File; name: string }[] {
  const seen = new Map<string, number>();
  return files.map((blob) => {
    const name = blob.webkitRelativePath || blob.name;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { blob, name: count === 1 ? name : `${name} (${count})` };
  });
}
