import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';

const tsc = resolve(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');

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

/** ROOT's own headers, as far as the compiler asks for them: what a class is made of is not. */
const RTYPES = `#pragma once
typedef char Char_t; typedef unsigned char UChar_t; typedef short Short_t; typedef unsigned short UShort_t;
typedef int Int_t; typedef unsigned int UInt_t; typedef long Long_t; typedef unsigned long ULong_t;
typedef long long Long64_t; typedef unsigned long long ULong64_t; typedef float Float_t; typedef float Float16_t;
typedef double Double_t; typedef double Double32_t; typedef bool Bool_t;
#include <cstdint>
#define ClassDefOverride(name, version)
#define ClassDef(name, version)
`;

/**
 * Returns the messages of clang++ for headers, each compiled separately as C++17 with warnings as errors. Headers of ROOT that
 * they include in any case are there, as empty classes.
 */
export function compileCpp(headers: string[]): string {
  return inFolder((folder) => {
    writeFileSync(join(folder, 'Rtypes.h'), RTYPES);
    for (const [, guard, name = ''] of headers.join('\n').matchAll(/^(#if .*\n)?#include <(\w+)\.h>/gm))
      if (guard === undefined && name !== 'Rtypes') {
        const head = /^T(Matrix|Vector)T|^TParameter$/.test(name) ? 'template <typename> ' : '';
        writeFileSync(join(folder, `${name}.h`), `#pragma once\n${head}struct ${name} {};\n`);
      }
    headers.forEach((header, i) => {
      writeFileSync(join(folder, `h${i}.h`), header);
      writeFileSync(join(folder, `h${i}.cpp`), `#include "h${i}.h"\n`);
    });
    const flags = [
      '-std=c++17',
      '-fsyntax-only',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-Wno-inaccessible-base',
      `-I${folder}`,
    ];
    const files = headers.map((_, i) => join(folder, `h${i}.cpp`));
    const { stderr, status, error } = spawnSync('clang++', [...flags, ...files], { encoding: 'utf8' });
    if (error) throw error;
    return status === 0 ? '' : stderr || `status ${status}`;
  });
}
