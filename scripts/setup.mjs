// Everything that a fresh machine lacks: npm packages, and the tools that build and test the project.
// Uses only what Node brings, since it runs before the packages are there. Does nothing on a machine
// that has it all.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, findChromiumShell, findFirefox, findWebKit } from './browsers.mjs';
import { capture, findProgram, must, root, runMain, StepError, succeeds } from './run.mjs';

/**
 * A tool, the check that it is installed, and its names in the package managers. Without an optional tool
 * some tests are skipped.
 * @typedef {{ name: string, isThere: () => boolean, debian: string[], fedora: string[], brew: string[], optional?: boolean }} Tool
 */

/** A folder with modules of the core that were built elsewhere, for a machine without Emscripten: see scripts/build.mjs. */
export const givenModules = process.env.XYLEM_MODULES || undefined;

/** @param {string} command */
const runs = (command) => () => findProgram(command) !== undefined;
/**
 * clang alone is not enough: the tests need the library of its address sanitizer.
 * @param {string[]} flags
 */
function sanitizes(...flags) {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-'));
  const args = [...flags, '-fsanitize=address,undefined', '-x', 'c', '-', '-o', join(folder, 'probe')];
  const works = succeeds('clang', args, '#include <errno.h>\nint main(void) { return 0; }');
  rmSync(folder, { recursive: true });
  return works;
}

/** Whether the native tests can run in 32 bits, too: see wasm/Makefile. */
export const sanitizes32 = () => sanitizes('-m32', '-idirafter', '/usr/include/x86_64-linux-gnu');
export const NEEDS_32 = 'x86-64 Debian with gcc-multilib and g++-multilib';

/** @type {Tool[]} */
const buildTools = [
  {
    name: 'emcc',
    isThere: runs('emcc'),
    debian: ['emscripten'],
    fedora: ['emscripten'],
    brew: ['emscripten'],
  },
  {
    name: 'cargo',
    isThere: runs('cargo'),
    debian: ['cargo', 'ca-certificates'],
    fedora: ['cargo'],
    brew: ['rust'],
  },
  { name: 'make', isThere: runs('make'), debian: ['make'], fedora: ['make'], brew: ['make'] },
  { name: 'patch', isThere: runs('patch'), debian: ['patch'], fedora: ['patch'], brew: [] },
];

/** @type {Tool[]} */
const testTools = [
  {
    name: 'clang with sanitizers',
    isThere: () => sanitizes(),
    debian: ['clang', 'libclang-rt-dev', 'libc6-dev'],
    fedora: ['clang', 'compiler-rt'],
    brew: ['llvm'],
  },
  {
    name: 'clang for 32 bits',
    isThere: () => process.arch !== 'x64' || process.platform !== 'linux' || sanitizes32(),
    debian: ['gcc-multilib', 'g++-multilib'],
    fedora: ['glibc-devel.i686', 'libstdc++-devel.i686', 'compiler-rt.i686'],
    brew: [],
    optional: true,
  },
  {
    name: 'clang-format',
    isThere: runs('clang-format'),
    debian: ['clang-format'],
    fedora: ['clang-tools-extra'],
    brew: ['clang-format'],
  },
  {
    name: 'chromium',
    isThere: () => findChromium() !== undefined,
    debian: ['chromium', 'fonts-dejavu-core'],
    fedora: ['chromium'],
    brew: ['--cask chromium'],
  },
  {
    name: 'chromium-headless-shell',
    isThere: () => findChromiumShell() !== undefined,
    debian: ['chromium-headless-shell'],
    fedora: [],
    brew: [],
    optional: true,
  },
  {
    name: 'firefox',
    isThere: () => findFirefox() !== undefined,
    debian: ['firefox-esr'],
    fedora: ['firefox'],
    brew: ['--cask firefox'],
  },
];

/** @type {Tool} */
const webkit = {
  name: 'WebKitGTK with WebDriver, and Xvfb',
  isThere: () => findWebKit() !== undefined,
  debian: ['webkit2gtk-driver', 'xvfb'],
  fedora: ['webkit2gtk4.1', 'xorg-x11-server-Xvfb'],
  brew: [],
};

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new StepError(
      `xylem needs Node 20.19 or newer; this is ${process.versions.node}. See https://nodejs.org`,
    );
  }
}

/** Whether node_modules holds the versions that package-lock.json names. */
function packagesAreThere() {
  const installedPath = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedPath)) return false;
  /** @type {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean }>} */
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  /** @type {Record<string, { version?: string }>} */
  const installed = JSON.parse(readFileSync(installedPath, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

async function ensurePackages() {
  if (packagesAreThere()) return;
  process.stderr.write('Installing the npm packages …\n');
  await must('Installing the npm packages', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** How a command is run as root here: directly, through sudo without a password, or not at all. */
function asRoot() {
  if (process.getuid?.() === 0) return [];
  return succeeds('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

/**
 * Debian's packages for the tools. Debian 12's cargo (1.65) reads the registry only by cloning its whole
 * index; the newer cargo-web beside it does not.
 * @param {Tool[]} tools
 */
function debianPackages(tools) {
  const names = tools.flatMap((tool) => tool.debian);
  if (findProgram('apt-cache') === undefined) return names;
  /** @param {string} name */
  const candidate = (name) =>
    /^ {2}Candidate: (?:\d+:)?(\d+)\.(\d+)/m.exec(
      spawnSync('apt-cache', ['policy', name], { encoding: 'utf8' }).stdout ?? '',
    );
  const [, major = '0', minor = '0'] = candidate('cargo') ?? [];
  const oldCargo = Number(major) === 0 && Number(minor) < 70;
  return names
    .map((name) => (name === 'cargo' && oldCargo && candidate('cargo-web') ? 'cargo-web' : name))
    .filter((name) => name !== 'libclang-rt-dev' || candidate(name));
}

/** @param {Tool[]} missing */
function instructions(missing) {
  const list = missing.map(({ name }) => name).join(', ');
  /** @param {'debian' | 'fedora' | 'brew'} system */
  const packages = (system) => missing.flatMap((tool) => tool[system]);
  const [casks, formulas] = [true, false].map((cask) =>
    packages('brew').filter((name) => name.startsWith('--cask') === cask),
  );
  const brew = [
    ...((formulas ?? []).length > 0 ? [`brew install ${formulas?.join(' ')}`] : []),
    ...(casks ?? []).map((cask) => `brew install ${cask}`),
  ].join(' && ');
  return [
    `Missing: ${list}. Please install what is missing and try again:`,
    `  Debian, Ubuntu   sudo apt-get install ${debianPackages(missing).join(' ')}`,
    `  Fedora           sudo dnf install ${packages('fedora').join(' ')}`,
    ...(brew === '' ? [] : [`  macOS            ${brew}`]),
  ].join('\n');
}

/** @param {Tool[]} tools */
async function ensureTools(tools) {
  const missing = tools.filter((tool) => !tool.isThere());
  if (missing.length === 0) return;
  const required = missing.filter(({ optional }) => !optional);
  const prefix = existsSync('/usr/bin/apt-get') ? asRoot() : undefined;
  if (prefix === undefined) {
    if (required.length > 0) throw new StepError(instructions(missing));
    return;
  }

  process.stderr.write(`Installing ${missing.map(({ name }) => name).join(', ')} with apt-get …\n`);
  /** @param {string[]} args */
  const apt = (args) => {
    const [command = 'apt-get', ...rest] = [
      ...prefix,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      ...args,
    ];
    return capture(command, rest);
  };
  /** @param {Tool[]} some */
  const install = (some) =>
    apt(['install', '-q', '-y', '--no-install-recommends', '--no-remove', ...debianPackages(some)]);
  const update = await apt(['update', '-q']);
  if (required.length > 0) {
    const { status, output } = await install(required);
    const still = required.filter((tool) => !tool.isThere());
    if (status !== 0 || still.length > 0)
      throw new StepError(`${update.output}${output}\n${instructions(still.length > 0 ? still : required)}`);
  }
  if (missing.length > required.length) await install(missing.filter(({ optional }) => optional));
}

/**
 * Makes sure of what the project needs; throws a StepError that says what to install when it may not.
 * @param {{ forTests: boolean, inWebKit?: boolean }} purpose
 */
export async function setUp({ forTests, inWebKit = false }) {
  checkNode();
  const toBuild = givenModules === undefined ? buildTools : [];
  await ensureTools([...toBuild, ...(forTests ? testTools : []), ...(inWebKit ? [webkit] : [])]);
  await ensurePackages();
}

if (process.argv[1] === import.meta.filename) await runMain(() => setUp({ forTests: true }));
