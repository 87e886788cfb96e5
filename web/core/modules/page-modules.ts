import { compileCore, noCore } from '../load';
import { ADDRESSES } from './addresses';
import { type LoadModule, type ModuleName, noModule, withoutParts } from './registry';

/** Loads the core from beside this script or from an address. It is compiled once per page. */
export function pageCore(url = ADDRESSES.core()): Promise<WebAssembly.Module> {
  return once(url, async () => {
    const bytes = await fetched(url).catch((cause: unknown) => {
      throw noCore(url.href, cause);
    });
    return compileCore(bytes, url.href);
  });
}

/** Loads the modules of a page, from the given addresses or from beside this script. */
export function pageModules(addresses: Readonly<Partial<Record<ModuleName, URL>>> = {}): LoadModule {
  return withoutParts((name) => {
    const url = addresses[name] ?? ADDRESSES[name]();
    return once(url, async () => {
      try {
        return await WebAssembly.compile(await fetched(url));
      } catch (cause) {
        throw noModule(name, cause);
      }
    });
  });
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** Remembers the modules that were compiled. After a failure, the next call loads the module again. */
function once({ href }: URL, load: () => Promise<WebAssembly.Module>): Promise<WebAssembly.Module> {
  const known = compiled.get(href);
  if (known) return known;
  const module = load();
  compiled.set(href, module);
  module.catch(() => compiled.delete(href));
  return module;
}

/** Fetches a file. Its content type does not matter. */
async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.arrayBuffer();
}
