import { findProgram } from './run.mjs';

const usual = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser for the stories: what the variable CHROMIUM names, else the system's Chromium or Chrome.
 * @returns {string | undefined} its path, undefined when there is none
 */
export function findChromium() {
  const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : usual;
  return names.map(findProgram).find((path) => path !== undefined);
}
