// Fails when the linked module asks its host for anything but the notice that memory grew and, the core, the writer and the fits, the
// time: such an import (a printf, an assert) would have to be provided by every loader. The core without its parts may also say
// which it lacks, and parts take what they need from it. Tells its size, compressed: see the classes of flags in the Makefile.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { tellSize } from '../scripts/sizes.mjs';

const [path] = process.argv.slice(2);
const name = `xylem${/(?:-[a-z]+)?\.wasm$/.exec(path)?.[0]}`;

const bytes = await readFile(path);
const module = await WebAssembly.compile(bytes);
const isFirst = name === 'xylem-first.wasm';
const isTimed = isFirst || ['xylem.wasm', 'xylem-write.wasm', 'xylem-fit.wasm'].includes(name);
const isPart = WebAssembly.Module.customSections(module, 'dylink.0').length > 0;
const expected = [
  'env.emscripten_notify_memory_growth',
  ...(isTimed ? ['env.xy_clock'] : []),
  ...(isFirst ? ['env.xy_lacks'] : []),
];
const unexpected = WebAssembly.Module.imports(module).filter(
  ({ module: from, name }) => !(isPart && from === 'env') && !expected.includes(`${from}.${name}`),
);
if (unexpected.length > 0) {
  const names = unexpected.map(({ module: from, name }) => `${from}.${name}`).join(', ');
  process.stderr.write(`${name} imports ${names}; it may not call its host\n`);
  process.exitCode = 1;
}
tellSize(`${name}, gzip`, gzipSync(bytes, { level: 9 }).length);
