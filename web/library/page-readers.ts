import { version } from '../../package.json';
import type { Ended, Held } from './shared-readers';

/**
 * The shared readers of the page. The element and the library are scripts of their own, of which each may be there twice:
 * those of the same version share one list.
 */
export function listOfPage<R extends Ended>(): Held<R>[] {
  const place = Symbol.for(`xylem ${version}: shared readers`);
  const page = globalThis as { [place]?: Held<R>[] };
  page[place] ??= [];
  return page[place];
}
