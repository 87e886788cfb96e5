// Cost of a file's map on the page's thread: for the story in e2e/features/map/map-speed.spec.ts.

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{ start: number, duration: number }} Task */

/**
 * Collects the long tasks of the page's thread (over 50 ms, as the browser tells them) from now on.
 * @param {Page} page
 * @returns {Promise<() => Promise<Task[]>>} gives those of the time since it was asked last
 */
export async function watchTasks(page) {
  await page.evaluate(() => {
    /** @type {Task[]} */
    const tasks = [];
    Object.assign(globalThis, { xylemTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) tasks.push({ start: startTime, duration });
    }).observe({ type: 'longtask' });
  });
  return async () => {
    // The browser tells of a task after it.
    await page.waitForTimeout(100);
    return await page.evaluate(() => {
      const { xylemTasks } = /** @type {{ xylemTasks: Task[] }} */ (/** @type {unknown} */ (globalThis));
      return xylemTasks.splice(0);
    });
  };
}

/**
 * Chooses the tab of the map and waits until the map is painted.
 * @param {Page} page
 * @returns {Promise<number>} ms from the click to the frame in which it is
 */
export async function openMap(page) {
  return await page.evaluate(async () => {
    const tab = [...document.querySelectorAll('[role=tab]')].find(({ textContent }) => textContent === 'Map');
    if (!(tab instanceof HTMLElement)) throw new Error('there is no tab "Map"');
    const start = performance.now();
    tab.click();
    while (document.querySelector('.map-host[aria-busy=false]') === null) {
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - start;
  });
}

/**
 * How many times longer things take than they would if nothing else had the processor.
 * @param {Page} page
 * @returns {Promise<number>} 1 or more
 */
export async function slowdown(page) {
  const clock = await threadClock(page);
  const before = await clock.now();
  const wall = await page.evaluate(() => {
    const start = performance.now();
    let sum = 0;
    for (let i = 0; i < 2e8; i++) sum += i % 7;
    return sum > 0 ? performance.now() - start : Number.NaN;
  });
  const cpu = (await clock.now()) - before;
  await clock.end();
  return Math.max(1, wall / cpu);
}

/**
 * CPU time of the page's thread in ms.
 * @param {Page} page
 * @returns {Promise<{ now(): Promise<number>, end(): Promise<void> }>}
 */
export async function threadClock(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    async now() {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
    },
    end: () => session.detach(),
  };
}

/**
 * Moves the map under the pointer, step by step, and zooms in and out by the wheel.
 * @param {Page} page
 * @param {number} [steps]
 * @returns {Promise<{ windows: number, cpu: number[] }>} how many different parts of the file were shown,
 *   and the CPU time of the page's thread for each step in ms, all its tasks together: unlike the duration
 *   of a task it does not grow while other programs have the processor
 */
export async function dragAndZoom(page, steps = 30) {
  const clock = await threadClock(page);
  /** @type {number[]} */
  const cpu = [];
  let before = 0;
  const box = await page.locator('.map-host').boundingBox();
  if (box === null) throw new Error('there is no map');
  const shown = new Set();
  /** @param {number} share */
  const move = (share) => page.mouse.move(box.x + box.width * share, box.y + box.height * share);
  const look = async () => {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    shown.add(await page.locator('.map-readout').textContent());
    const now = await clock.now();
    cpu.push(now - before);
    before = now;
  };
  await page.getByRole('button', { name: 'Closer' }).click();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  before = await clock.now();
  await move(0.6);
  await page.mouse.down();
  for (let i = 1; i <= steps; i++) {
    await move(0.6 - (i * 0.45) / steps);
    await look();
  }
  await page.mouse.up();
  await move(0.5);
  await page.keyboard.down('Control');
  for (let i = 0; i < steps; i++) {
    await page.mouse.wheel(0, i < steps * 0.7 ? -60 : 140);
    await look();
  }
  await page.keyboard.up('Control');
  await clock.end();
  return { windows: shown.size, cpu };
}
