import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type KeyInput, type LaunchOptions, type Page } from 'puppeteer-core';
import { findChromium, findFirefox } from '../../scripts/browsers.mjs';
import { type Driver, splitKeys, type Tab } from './driver';

const STEPS = 6;
const WINDOW = { width: 1280, height: 800 };

/** Drives Chromium by its own protocol, or Firefox by WebDriver BiDi. */
export async function startPuppeteer(browser: 'chrome' | 'firefox'): Promise<Driver> {
  const downloads = await mkdtemp(join(tmpdir(), 'xylem-downloads-'));
  const executablePath = browser === 'chrome' ? findChromium() : findFirefox();
  if (executablePath === undefined) throw new Error(`There is no ${browser} on this machine.`);
  const options: LaunchOptions = {
    browser,
    executablePath,
    headless: true,
    defaultViewport: WINDOW,
    args: browser === 'chrome' && process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...(browser === 'chrome' && { downloadBehavior: { policy: 'allow', downloadPath: downloads } }),
    ...(browser === 'firefox' && {
      extraPrefsFirefox: {
        'browser.download.folderList': 2,
        'browser.download.dir': downloads,
        // A machine without a touch screen has no touches otherwise.
        'dom.w3c_touch_events.enabled': 1,
      },
    }),
  };
  const running = await puppeteer.launch(options);
  const [, version = ''] = (await running.version()).split('/');
  return {
    name: browser === 'chrome' ? 'Chromium' : 'Firefox ESR',
    version,
    downloads,
    newTab: async () => tabOf(await running.newPage()),
    close: () => running.close(),
  };
}

function tabOf(page: Page): Tab {
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    url: async () => page.url(),
    run: async (body, argument) => (await page.evaluate(body as never, argument)) as never,
    runInFrame: async (selector, body) => {
      const frame = await (await page.$(selector))?.contentFrame();
      if (frame === undefined || frame === null) throw new Error(`There is no frame ${selector}.`);
      return frame.evaluate(body) as never;
    },
    click: ({ x, y }) => page.mouse.click(x, y),
    point: ({ x, y }) => page.mouse.move(x, y),
    drag: async (from, to) => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 6 });
      await page.mouse.up();
    },
    wheel: async (_, deltaY, modifier) => {
      if (modifier !== undefined) await page.keyboard.down(modifier);
      await page.mouse.wheel({ deltaY });
      if (modifier !== undefined) await page.keyboard.up(modifier);
    },
    fingers: async (ways) => {
      const down = [];
      for (const { from } of ways) down.push(await page.touchscreen.touchStart(from.x, from.y));
      for (let step = 1; step <= STEPS; step++) {
        for (const [i, { from, to }] of ways.entries()) {
          const share = step / STEPS;
          await down[i]?.move(from.x + share * (to.x - from.x), from.y + share * (to.y - from.y));
        }
      }
      for (const finger of down) await finger.end();
    },
    type: (text) => page.keyboard.type(text),
    press: async (keys) => {
      const { modifiers, key } = splitKeys(keys);
      for (const modifier of modifiers) await page.keyboard.down(modifier as KeyInput);
      await page.keyboard.press(key as KeyInput);
      for (const modifier of modifiers.reverse()) await page.keyboard.up(modifier as KeyInput);
    },
    screenshot: async (path) => void (await page.screenshot({ path: path as `${string}.png` })),
    close: () => page.close(),
  };
}
