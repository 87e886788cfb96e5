// The browsers of this machine that the stories run in. A variable of the environment may name each.
import { existsSync } from 'node:fs';
import { findProgram } from './run.mjs';

/** @param {string | undefined} named @param {string[]} usual */
const find = (named, usual) => (named ? [named] : usual).map(findProgram).find((path) => path !== undefined);

/**
 * Chromium or Chrome: the one that the variable CHROMIUM names, else the system's.
 * @returns {string | undefined} its path, undefined when there is none
 */
export function findChromium() {
  return find(process.env.CHROMIUM, [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]);
}

/**
 * Chromium without its windows, which needs a third less of the processors' time: the one that the variable
 * CHROMIUM_SHELL names, else the system's.
 * @returns {string | undefined} its path, undefined when there is none
 */
export function findChromiumShell() {
  return find(process.env.CHROMIUM_SHELL, ['chromium-headless-shell']);
}

/**
 * Firefox, of which the extended support release is preferred: the one that the variable FIREFOX names, else the system's.
 * @returns {string | undefined} its path, undefined when there is none
 */
export function findFirefox() {
  return find(process.env.FIREFOX, [
    'firefox-esr',
    'firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ]);
}

/**
 * MiniBrowser of WebKitGTK, the driver that speaks WebDriver to it, and a display without a screen.
 * @returns {{ browser: string, driver: string, display: string } | undefined} their paths, undefined when one is missing
 */
export function findWebKit() {
  const [driver, display] = [findProgram('WebKitWebDriver'), findProgram('Xvfb')];
  const folders = ['/usr/lib', '/usr/libexec', '/usr/lib64', ...debianFolders()];
  const browser = folders
    .flatMap((folder) =>
      ['4.1', '6.0', '4.0'].map((version) => `${folder}/webkit2gtk-${version}/MiniBrowser`),
    )
    .find((path) => existsSync(path));
  return driver && display && browser ? { browser, driver, display } : undefined;
}

/** The library folders of Debian's architectures: /usr/lib/x86_64-linux-gnu. */
function debianFolders() {
  return ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((name) => `/usr/lib/${name}`);
}
