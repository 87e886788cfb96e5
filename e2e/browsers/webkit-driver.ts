import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Builder, By, Capabilities, Key, Origin, type WebDriver } from 'selenium-webdriver';
import { findWebKit } from '../../scripts/browsers.mjs';
import { type Driver, splitKeys, type Tab } from './driver';

/** Drives MiniBrowser of WebKitGTK by WebDriver, on a display of its own that no screen shows. */
export async function startWebKit(): Promise<Driver> {
  const found = findWebKit();
  if (found === undefined)
    throw new Error('There is no WebKitGTK with its WebDriver and Xvfb on this machine.');
  const [display, screen] = await startDisplay(found.display);
  const port = await freePort();
  // The browser's own sandbox needs rights that containers do not give; software drawing needs no graphics card.
  const env = {
    ...process.env,
    DISPLAY: screen,
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    LIBGL_ALWAYS_SOFTWARE: '1',
  };
  const service = spawn(found.driver, [`--port=${port}`], { env, stdio: 'ignore' });
  const stop = () => {
    service.kill();
    display.kill();
  };
  process.once('exit', stop);
  await untilListening(port);
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: found.browser, args: ['--automation'] },
  });
  const running = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(capabilities)
    .build();
  return {
    name: 'WebKitGTK',
    version: (await running.getCapabilities()).getBrowserVersion() ?? '',
    downloads: undefined,
    newTab: async () => {
      // Clicks do not reach a second tab of MiniBrowser, so that each tab is a window of its own.
      await running.switchTo().newWindow('window');
      await running.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 880 });
      return tabOf(running, await running.getWindowHandle());
    },
    close: async () => {
      await running.quit();
      stop();
    },
  };
}

/** Starts an X server on a display number that is free; it tells the number itself. */
async function startDisplay(program: string): Promise<[ChildProcess, string]> {
  const display = spawn(program, ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await once(display.stdout as NodeJS.ReadableStream, 'data');
  return [display, `:${String(number).trim()}`];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await fetch(`http://127.0.0.1:${port}/status`);
      return;
    } catch (thrown) {
      if (tries === 100) throw thrown;
      await new Promise((settle) => setTimeout(settle, 100));
    }
  }
}

const namedKeys: Record<string, string> = {
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  ArrowDown: Key.ARROW_DOWN,
  ArrowRight: Key.ARROW_RIGHT,
  Backspace: Key.BACK_SPACE,
  End: Key.END,
  Control: Key.CONTROL,
  Shift: Key.SHIFT,
};
const keyOf = (name: string): string => namedKeys[name] ?? name;

function tabOf(running: WebDriver, handle: string): Tab {
  /** Several tabs are driven by one connection, which works in one of them at a time. */
  const here = async () => {
    if ((await running.getWindowHandle().catch(() => '')) !== handle) await running.switchTo().window(handle);
  };
  return {
    goto: async (url) => {
      await here();
      await running.get(url);
    },
    reload: async () => {
      await here();
      await running.navigate().refresh();
    },
    url: async () => {
      await here();
      return running.getCurrentUrl();
    },
    run: async (body, argument) => {
      await here();
      return running.executeScript(`return (${body})(arguments[0])`, argument);
    },
    runInFrame: async (selector, body) => {
      await here();
      await running.switchTo().frame(await running.findElement(By.css(selector)));
      try {
        return await running.executeScript(`return (${body})()`);
      } finally {
        await running.switchTo().defaultContent();
      }
    },
    click: async (at) => {
      await here();
      await running
        .actions()
        .move({ ...whole(at), origin: Origin.VIEWPORT })
        .click()
        .perform();
    },
    point: async (at) => {
      await here();
      await running
        .actions()
        .move({ ...whole(at), origin: Origin.VIEWPORT })
        .perform();
    },
    drag: async (from, to) => {
      await here();
      const actions = running.actions().move({ ...whole(from), origin: Origin.VIEWPORT });
      await actions
        .press()
        .move({ ...whole({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }), origin: Origin.VIEWPORT })
        .move({ ...whole(to), origin: Origin.VIEWPORT })
        .release()
        .perform();
    },
    wheel: async (at, pixels, modifier) => {
      await here();
      const { x, y } = whole(at);
      // The declarations are of an older Selenium than the one that is used.
      const actions = running.actions() as ReturnType<WebDriver['actions']> & {
        scroll(x: number, y: number, dx: number, dy: number, origin: Origin): { perform(): Promise<void> };
      };
      if (modifier !== undefined) await running.actions().keyDown(keyOf(modifier)).perform();
      await actions.scroll(x, y, 0, pixels, Origin.VIEWPORT).perform();
      if (modifier !== undefined) await running.actions().keyUp(keyOf(modifier)).perform();
    },
    type: async (text) => {
      await here();
      await running.actions().sendKeys(text).perform();
    },
    press: async (keys) => {
      await here();
      const { modifiers, key } = splitKeys(keys);
      const actions = running.actions();
      for (const modifier of modifiers) actions.keyDown(keyOf(modifier));
      actions.sendKeys(keyOf(key));
      for (const modifier of modifiers) actions.keyUp(keyOf(modifier));
      await actions.perform();
    },
    screenshot: async (path) => {
      await here();
      await writeFile(path, await running.takeScreenshot(), 'base64');
    },
    close: async () => {
      await here();
      await running.close();
      const [first] = await running.getAllWindowHandles();
      if (first !== undefined) await running.switchTo().window(first);
    },
  };
}

/** WebDriver takes whole pixels only. */
const whole = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(x), y: Math.round(y) });
