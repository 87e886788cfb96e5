import { XylemError } from '../../../base/errors';
import type { SelectorPlace } from '../../../ui/embed/selector-place';

type Parts = typeof import('./box/parts');

const loaded = new Map<string, Promise<Parts>>();

/** Loads the editor, and the script of the workers. Throws NETWORK. */
export function loadParts({ folder }: SelectorPlace): Promise<Parts> {
  const url = `${folder}parts.js`;
  let parts = loaded.get(url);
  if (!parts) {
    // Bundlers of the published script must not change this import.
    const script = import(/* @vite-ignore */ /* webpackIgnore: true */ /* turbopackIgnore: true */ url);
    parts = (script as Promise<Parts>).catch((cause: unknown) => {
      loaded.delete(url);
      throw new XylemError({
        code: 'NETWORK',
        message: `The editor could not be loaded from ${url}.`,
        fix: 'The folder "selector" of the package has to lie there, and a content security policy has to allow it in script-src and frame-src.',
        cause,
      });
    });
    loaded.set(url, parts);
  }
  return parts;
}
