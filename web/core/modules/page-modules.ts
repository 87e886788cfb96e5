import { compileCore, noCore } from '../load';
import { ADDRESSES } from './addresses';
import { type LoadModule, type ModuleName, noModule } from './registry';

/** The core, from beside this script or from an address; compiled once for each page. */
export function pageCore(url = ADDRESSES.core()): Promise<WebAssembly.Module> {
  return once(url, async () => {
    const bytes = await fetched(url).catch((cause: unknown) => {
      throw noCore(url.href, cause);
    });
    return compileCore(bytes, url.href);
  });
}

/** The modules of a page: from the addresses that are given, or from beside this script. */
export function pageModules(addresses: Readonly<Partial<Record<ModuleName, URL>>> = {}): LoadModule {
  return (name) => {
    const url = addresses[name] ?? ADDRESSES[name]();
    return once(url, async () => {
      try {
        return await WebAssembly.compile(await fetched(url));
      } catch (cause) {
        throw noModule(name, cause);
      }
    });
  };
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** One that failed is loaded anew for the next call. */
function once({ href }: URL, load: () => Promise<WebAssembly.Module>): Promise<WebAssembly.Module> {
  const known = compiled.get(href);
  if (known) return known;
  const module = load();
  compiled.set(href, module);
  module.catch(() => compiled.delete(href));
  return module;
}

/** Whatever type the server gives the file. */
async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.arrayBuffer();
}
