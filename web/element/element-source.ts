import type { SourceSpec } from '../api/api';
import { parseBlockBytes } from '../io/blocks';
import { specOf } from '../library/sources';
import type { XylemViewer } from './element-api';

/**
 * Returns the source of an element that has more than an address. `addressOf` resolves `src`, or an address of a list. Throws
 * ARGUMENT for a value that is not a file.
 */
export function elementSource(
  { file, src, headers, fetch, align }: XylemViewer,
  addressOf: (text: string) => string,
): SourceSpec | undefined {
  if (file === null && src === '') return undefined;
  return specOf(file ?? src, (url) => ({ kind: 'url', url: addressOf(url) }), {
    headers: headers ? { ...headers } : undefined,
    fetch: fetch ?? undefined,
    align: align === '' ? undefined : parseBlockBytes(align),
  });
}
