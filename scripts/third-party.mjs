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
const runtime = `The C library functions in xylem.wasm and in xylem-math.wasm, xylem-export.wasm, xylem-write.wasm and xylem-fit.wasm are musl's, Copyright © 2005-2020 Rich Felker, et al., and the
allocator and start-up code Emscripten's, Copyright (c) 2010-2014 Emscripten authors; both under the MIT
licence. The compiler's helper functions are of LLVM's compiler-rt, under the Apache License 2.0 with LLVM
Exceptions; so is the C++ library in xylem-fit.wasm, LLVM's libc++, under the Apache License 2.0 with LLVM Exceptions.`;

/** How Minuit2 can be replaced, as its licence asks. */
const minuit2Text = `Written by the ROOT team at CERN: F. James, M. Winkler, L. Moneta, A. Zsenei and others. Its sources are those of the folder
\`extern/root\` in the source package of iminuit on PyPI, whose version and SHA-256 \`wasm/minuit2.json\` has; they are compiled without a
change, with headers of xylem in place of those that print. It is in no other file than \`xylem-fit.wasm\`, and in the element in the
script that has this module alone. To use another Minuit2: put its sources into \`build/minuit2\`, touch
\`build/minuit2/.stamp\`, run \`make -C wasm ../build/xylem-fit.wasm\`, and put the result in the place of \`xylem-fit.wasm\`, or name
its address (\`createReader({ fit })\`).`;

/** JSROOT keeps copies of these among its own modules. */
const withinJsroot = `three.js, Copyright 2010-2025 Three.js Authors, under the MIT licence; d3, Copyright 2010-2021 Mike
Bostock, under the ISC licence; lil-gui, Copyright (c) 2019 George Michael Brower, under the MIT licence; the
letters of three-dimensional axes are of the font Helvetiker, Copyright (c) Magenta ltd, 2004, under the licence of
the MgOpen fonts. They are in \`jsroot/frame.js\` alone.`;

/** The parts that the two texts above name, whose versions nothing here says. @type {Part[]} */
const namedParts = [
  { name: 'musl', licence: 'MIT' },
  { name: 'Emscripten', licence: 'MIT' },
  { name: 'compiler-rt', licence: 'Apache-2.0 WITH LLVM-exception' },
  { name: 'libc++', licence: 'Apache-2.0 WITH LLVM-exception' },
  { name: 'three.js', licence: 'MIT' },
  { name: 'd3', licence: 'ISC' },
  { name: 'lil-gui', licence: 'MIT' },
  { name: 'Helvetiker', licence: 'MgOpen' },
];

/**
 * A part that somebody else made, and that xylem contains. `version`: of a C library that of its crate; undefined where it is not known.
 * @typedef {{ name: string, licence: string, version?: string, purl?: string, text?: string }} Part
 */

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

/** @returns {Promise<(Part & { crate: string })[]>} */
async function decoderParts() {
  const lock = await read('wasm/decoders/Cargo.lock');
  return Promise.all(
    decoders.map(async ({ text, ...part }) => {
      const version = new RegExp(`name = "${part.crate}"\\nversion = "([^"]+)"`).exec(lock)?.[1];
      if (version === undefined) throw new Error(`wasm/decoders/Cargo.lock has no ${part.crate}`);
      const purl = `pkg:cargo/${part.crate}@${encodeURIComponent(version)}`;
      return { ...part, version, purl, text: await read(`wasm/vendor/${part.crate}/${text}`) };
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
        /(?:from|import|import\()\s*['"]((?:@[\w.-]+\/)?[\w-]+)[\w./?-]*['"]/g,
      )) {
        names.add(match[1]);
      }
    }
    // JSX is compiled to calls of this package.
    names.add('preact');
  }
  return [...names].sort();
}

/** @returns {Promise<Part[]>} the packages in the scripts, by name */
async function packageParts() {
  /** @type {Record<string, { version: string, license?: string, dependencies?: Record<string, string> }>} */
  const locked = JSON.parse(await read('package-lock.json')).packages;
  const wanted = await importedPackages();
  // Dependencies that packages need only in Node are empty packages there.
  const { overrides, peerDependencies } = JSON.parse(await read('package.json'));
  /** @type {Map<string, Part>} */
  const parts = new Map();
  for (const name of wanted) {
    const entry = locked[`node_modules/${name}`];
    if (peerDependencies[name] !== undefined) continue; // asked for, and not inside
    if (entry === undefined) continue; // a type-only or Node import such as "virtual:" or "node"
    const folder = join('node_modules', name);
    const file = (await readdir(join(root, folder))).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    const { version, license = '' } = entry;
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    parts.set(name, { name, version, licence: license, purl, text: await read(join(folder, file)) });
    const needs = Object.keys(entry.dependencies ?? {});
    wanted.push(...needs.filter((each) => !wanted.includes(each) && !overrides[name]?.[each]));
  }
  return [...parts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @returns {Promise<Part & { text: string }>} the minimizer of fits */
async function minuit2() {
  const { project, version } = JSON.parse(await read('wasm/minuit2.json'));
  const text = await read('wasm/src/fit/minuit2/LGPL-2.1');
  return {
    name: 'Minuit2',
    licence: 'LGPL-2.1-or-later',
    version,
    purl: `pkg:pypi/${project}@${version}`,
    text,
  };
}

/** @returns {Promise<Part[]>} all of them */
export async function thirdParties() {
  return [...(await decoderParts()), await minuit2(), ...(await packageParts()), ...namedParts];
}

/** @returns {Promise<string>} what THIRD_PARTY.md has to say now */
export async function thirdParty() {
  const fits = await minuit2();
  return `${[
    '# Third-party software in xylem',
    'Made by `node scripts/third-party.mjs` from the lock files; do not edit.',
    '## In xylem.wasm and xylem-export.wasm',
    ...(await decoderParts()).map(
      ({ name, licence, crate, version, text = '' }) =>
        `### ${name} (${licence})\n\nFrom the crate ${crate} ${version}.\n\n${quoted(text)}`,
    ),
    '## In xylem-fit.wasm',
    `### ${fits.name} (${fits.licence})\n\n${minuit2Text}\n\n${quoted(fits.text)}`,
    `### The runtime\n\n${runtime}`,
    '## In the scripts',
    ...(await packageParts()).map(
      ({ name, version, licence, text = '' }) => `### ${name} ${version} (${licence})\n\n${quoted(text)}`,
    ),
    `### What JSROOT brings\n\n${withinJsroot}`,
  ].join('\n\n')}\n`;
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => writeFile(join(root, 'THIRD_PARTY.md'), await thirdParty()));
}
