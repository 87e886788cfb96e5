import { readFile } from 'node:fs/promises';
import { ADDRESSES } from './module-addresses';
import { loadOnce, noModule } from './modules';

/** The modules beside the script, in Node; each is compiled once for a process. */
export const nodeModules = loadOnce(async (name) => {
  try {
    return await WebAssembly.compile(await readFile(ADDRESSES[name]()));
  } catch (cause) {
    throw noModule(name, cause);
  }
});
