import './xylem-viewer';
import type { WholeSource } from '../api/api';
import { type OpenOptions, openWith, type RootHandle } from '../library/open-root';
import type { RootSource } from '../library/sources';
import { lease } from './whole-viewer';

export type { Histogram } from '../api/api';
export { XylemError } from '../base/errors';
export type { ByteSource } from '../io/source';
export type { OpenOptions, RootHandle } from '../library/open-root';
export type * from './element-api';
export { giveModules } from './given-modules';

/** The element and the library on the reader of its files, in one script that loads no other. Notebooks and editors use it. */
export function openRoot(source: RootSource, options: OpenOptions = {}): Promise<RootHandle> {
  const named = (text: string): WholeSource => ({ kind: 'url', url: new URL(text, document.baseURI).href });
  return openWith(lease({}), source, { named }, options);
}
