import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';

const tsc = resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-types-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compiles sources under `strict`: what the compiler complains of, and the JavaScript of each. `more` are further options. */
export function compileTypeScript(
  sources: Record<string, string>,
  ...more: string[]
): {
  complaints: string;
  made: Record<string, string>;
} {
  return inFolder((folder) => {
    const names = Object.keys(sources);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    for (const name of names) writeFileSync(join(folder, `${name}.ts`), sources[name] ?? '');
    const options = [
      '--ignoreConfig',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--types',
      '',
      // Nothing is written beside sources that these import.
      '--outDir',
      join(folder, 'out'),
      '--rootDir',
      parse(folder).root,
      ...more,
    ];
    const files = names.map((name) => join(folder, `${name}.ts`));
    const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, ...options, ...files], {
      encoding: 'utf8',
    });
    const complaints = status === 0 ? '' : `${stdout}${stderr}` || `status ${status}`;
    const read = (name: string) => readFileSync(join(folder, 'out', folder, `${name}.js`), 'utf8');
    return { complaints, made: Object.fromEntries(names.map((name) => [name, read(name)])) };
  });
}

/** Returns the messages of clang++ for headers, each compiled separately as C++17 with warnings as errors. */
export function compileCpp(headers: string[]): string {
  return inFolder((folder) => {
    headers.forEach((header, i) => {
      writeFileSync(join(folder, `h${i}.h`), header);
      writeFileSync(join(folder, `h${i}.cpp`), `#include "h${i}.h"\n`);
    });
    const flags = ['-std=c++17', '-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-Wno-inaccessible-base'];
    const files = headers.map((_, i) => join(folder, `h${i}.cpp`));
    const { stderr, status, error } = spawnSync('clang++', [...flags, ...files], { encoding: 'utf8' });
    if (error) throw error;
    return status === 0 ? '' : stderr || `status ${status}`;
  });
}
