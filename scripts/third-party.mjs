// Writes THIRD_PARTY.md: what others made that is inside of what xylem publishes, with their licences.
// The versions come from the lock files, the licences' texts from the sources that the locks name.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runMain } from './run.mjs';

/** The crates that bring sources in C, and where each keeps its licence; what only tests use is not here. */
const decoders = [
  { name: 'libdeflate', crate: 'libdeflate-sys', licence: 'MIT', text: 'libdeflate/COPYING' },
  { name: 'Zstandard and xxHash', crate: 'zstd-sys', licence: 'BSD-3-Clause', text: 'zstd/LICENSE' },
  { name: 'LZ4', crate: 'lz4-sys', licence: 'BSD-2-Clause', text: 'liblz4/lib/LICENSE' },
  { name: 'Ryu', crate: 'ryu', licence: 'BSL-1.0', text: 'c/LICENSE-Boost' },
  { name: 'liblzma of XZ Utils', crate: 'liblzma-sys', licence: '0BSD', text: 'xz/COPYING.0BSD' },
];

/** Libraries of Emscripten in a module that allocates and formats messages. */
const runtime = `The C library functions in xylem.wasm and in xylem-math.wasm, xylem-export.wasm and xylem-write.wasm are musl's, Copyright © 2005-2020 Rich Felker, et al., and the
allocator and start-up code Emscripten's, Copyright (c) 2010-2014 Emscripten authors; both under the MIT
licence. The compiler's helper functions are of LLVM's compiler-rt, under the Apache License 2.0 with LLVM
Exceptions.`;

/** JSROOT keeps copies of these among its own modules. */
const withinJsroot = `three.js, Copyright 2010-2025 Three.js Authors, under the MIT licence; d3, Copyright 2010-2021 Mike
Bostock, under the ISC licence; lil-gui, Copyright (c) 2019 George Michael Brower, under the MIT licence; the
letters of three-dimensional axes are of the font Helvetiker, Copyright (c) Magenta ltd, 2004, under the licence of
the MgOpen fonts. They are in \`jsroot/frame.js\` alone.`;

/** @param {string} path */
const read = (path) => readFile(join(root, path), 'utf8');

/** @param {string} text */
const quoted = (text) =>
  `\`\`\`text\n${text
    .replaceAll('\r', '')
    // JSROOT's licence is no UTF-8.
    .replaceAll('\uFFFD', '©')
    .replace(/[ \t]+$/gm, '')
    .trim()}\n\`\`\``;

async function decoderSections() {
  const lock = await read('wasm/decoders/Cargo.lock');
  return Promise.all(
    decoders.map(async ({ name, crate, licence, text }) => {
      const version = new RegExp(`name = "${crate}"\\nversion = "([^"]+)"`).exec(lock)?.[1];
      if (version === undefined) throw new Error(`wasm/decoders/Cargo.lock has no ${crate}`);
      const notice = await read(`wasm/vendor/${crate}/${text}`);
      return `### ${name} (${licence})\n\nFrom the crate ${crate} ${version}.\n\n${quoted(notice)}`;
    }),
  );
}

/** The packages that the sources import by name, in sorted order. */
async function importedPackages() {
  const names = new Set();
  for (const folder of ['web', 'workers']) {
    for (const entry of await readdir(join(root, folder), { recursive: true })) {
      if (!/\.tsx?$/.test(entry)) continue;
      const text = await read(join(folder, entry));
      for (const match of text.matchAll(
        /(?:from|import|import\()\s*['"]((?:@[\w.-]+\/)?[\w-]+)[\w./-]*['"]/g,
      )) {
        names.add(match[1]);
      }
    }
    // JSX is compiled to calls of this package.
    names.add('preact');
  }
  return [...names].sort();
}

async function packageSections() {
  /** @type {Record<string, { version: string, license?: string, dependencies?: Record<string, string> }>} */
  const locked = JSON.parse(await read('package-lock.json')).packages;
  const wanted = await importedPackages();
  // Dependencies that packages need only in Node are empty packages there.
  const { overrides, peerDependencies } = JSON.parse(await read('package.json'));
  const sections = new Map();
  for (const name of wanted) {
    const entry = locked[`node_modules/${name}`];
    if (peerDependencies[name] !== undefined) continue; // asked for, and not inside
    if (entry === undefined) continue; // a type-only or Node import such as "virtual:" or "node"
    const folder = join('node_modules', name);
    const file = (await readdir(join(root, folder))).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    sections.set(
      name,
      `### ${name} ${entry.version} (${entry.license})\n\n${quoted(await read(join(folder, file)))}`,
    );
    const needs = Object.keys(entry.dependencies ?? {});
    wanted.push(...needs.filter((each) => !wanted.includes(each) && !overrides[name]?.[each]));
  }
  return [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
}

/** @returns {Promise<string>} what THIRD_PARTY.md has to say now */
export async function thirdParty() {
  return `${[
    '# Third-party software in xylem',
    'Made by `node scripts/third-party.mjs` from the lock files; do not edit.',
    '## In xylem.wasm and xylem-export.wasm',
    ...(await decoderSections()),
    `### The runtime\n\n${runtime}`,
    '## In the scripts',
    ...(await packageSections()),
    `### What JSROOT brings\n\n${withinJsroot}`,
  ].join('\n\n')}\n`;
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => writeFile(join(root, 'THIRD_PARTY.md'), await thirdParty()));
}
