import type { SourceSpec } from '../api/api';
import { parseBlockBytes } from '../io/blocks';
import { specOf } from '../library/sources';
import { readableUrl } from '../ui/state/address/url-state';
import type { XylemViewer } from './element-api';

/**
 * The source of an element that has more than an address. Addresses in a list are read as `src` is. Throws ARGUMENT for
 * what is not a file.
 */
export function elementSource({ file, src, headers, fetch, align }: XylemViewer): SourceSpec | undefined {
  if (file === null && src === '') return undefined;
  return specOf(file ?? src, (url) => ({ kind: 'url', url: readableUrl(url, document.baseURI) }), {
    headers: headers ? { ...headers } : undefined,
    fetch: fetch ?? undefined,
    align: align === '' ? undefined : parseBlockBytes(align),
  });
}
