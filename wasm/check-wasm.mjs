// Fails when the linked module asks its host for anything but the notice that memory grew:
// such an import (a printf, an assert) would have to be provided by every loader.
import { readFile } from 'node:fs/promises';

const [path] = process.argv.slice(2);
const module = await WebAssembly.compile(await readFile(path));
const unexpected = WebAssembly.Module.imports(module).filter(
  ({ module: from, name }) => `${from}.${name}` !== 'env.emscripten_notify_memory_growth',
);
if (unexpected.length > 0) {
  const names = unexpected.map(({ module: from, name }) => `${from}.${name}`).join(', ');
  process.stderr.write(`xylem.wasm imports ${names}; the core may not call its host\n`);
  process.exitCode = 1;
}
