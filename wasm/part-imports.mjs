// Prints the options by which the linker exports what the given modules import from the core.
import { readFile } from 'node:fs/promises';

/** What the host makes for each part. */
const MADE = ['memory', 'xy_clock', '__indirect_function_table', '__memory_base', '__table_base'];

const names = new Set();
for (const path of process.argv.slice(2)) {
  const module = await WebAssembly.compile(await readFile(path));
  for (const { name } of WebAssembly.Module.imports(module)) if (!MADE.includes(name)) names.add(name);
}
process.stdout.write(
  [...names]
    .sort()
    .map((name) => `-Wl,--export=${name}`)
    .join(' '),
);
