// The tasks of a page's main thread, from Chromium's own tracing: shared by bench/page.mjs and e2e/long-tasks.spec.ts.

/** @typedef {import('@playwright/test').Browser} Browser */
/** @typedef {import('@playwright/test').Page} Page */
/**
 * @typedef {{ name: string, ts: number, dur?: number, tdur?: number, pid: number, tid: number,
 *   args?: { name?: string } }} TraceEvent
 */
/**
 * A task: how long the thread did nothing else, and how much of that it had a processor, in ms.
 * @typedef {{ wall: number, cpu: number }} PageTask
 */

const mark = 'xylem-this-page';

/**
 * Traces what a page does meanwhile.
 * @param {Browser} browser
 * @param {Page} page
 * @param {() => Promise<void>} act
 * @returns {Promise<PageTask[]>} all tasks of its main thread
 */
export async function traceTasks(browser, page, act) {
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing', '__metadata'] });
  try {
    await act();
    // Chromium traces all its pages, some of which nobody sees: this tells which is meant.
    await page.evaluate((name) => performance.mark(name), mark);
  } catch (thrown) {
    await browser.stopTracing();
    throw thrown;
  }
  /** @type {{ traceEvents: TraceEvent[] }} */
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const pid = traceEvents.find(({ name }) => name === mark)?.pid;
  const main = traceEvents.find(
    (event) => event.pid === pid && event.name === 'thread_name' && event.args?.name === 'CrRendererMain',
  );
  const tasks = traceEvents
    .filter(
      ({ name, pid, tid }) =>
        name === 'ThreadControllerImpl::RunTask' && pid === main?.pid && tid === main.tid,
    )
    .map(({ dur = 0, tdur = 0 }) => ({ wall: dur / 1000, cpu: tdur / 1000 }));
  if (tasks.length === 0) throw new Error('The trace has no tasks of the page.');
  return tasks;
}

/**
 * How many times longer the tasks took than they would with a processor of their own. The page's own workers
 * take processors, too, where there are few.
 * @param {PageTask[]} tasks
 * @returns {number} 1 or more
 */
export function slowdownOf(tasks) {
  const sum = (/** @type {'wall' | 'cpu'} */ clock) => tasks.reduce((all, task) => all + task[clock], 0);
  return Math.max(1, sum('wall') / sum('cpu'));
}
