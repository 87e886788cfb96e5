import { expect, it, vi } from 'vitest';
import { abortError } from '../../web/base/errors';
import { saveSink } from '../../web/ui/save/save-sink';
import { createActivities } from '../../web/ui/state/activities';
import { createJobs, type Written } from '../../web/ui/state/jobs';

const written: Written = { bytes: 10, text: '1 tree', notes: [] };
const nothing = async (): Promise<void> => undefined;
/** A promise that is settled later, and how. */
function later<T>(): { promise: Promise<T>; settle(value: T): void; fail(reason: unknown): void } {
  let settle: (value: T) => void = () => undefined;
  let fail: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  return { promise, settle, fail };
}

it('several files are written at a time, and what is read meanwhile is given up alone', async () => {
  const activities = createActivities();
  const jobs = createJobs(activities);
  const [one, two] = [later<Written>(), later<Written>()];
  const first = jobs.start({ place: 'a', name: 'a.root', file: 1 }, () => one.promise, nothing);
  const second = jobs.start({ place: 'b', name: 'b.root', file: 2 }, () => two.promise, nothing);
  const read = activities.run('detail', 'Drawing', () => new Promise<never>(() => undefined));
  expect(activities.list.value.map(({ label }) => label)).toEqual([
    'Writing a.root',
    'Writing b.root',
    'Drawing',
  ]);
  expect(activities.reading.value.map(({ label }) => label)).toEqual(['Drawing']);
  activities.cancel();
  await expect(read).rejects.toMatchObject({ code: 'ABORTED' });
  expect(activities.list.value).toHaveLength(2);

  jobs.leave(2);
  await second;
  one.settle(written);
  await first;
  expect(jobs.list.value.map(({ name, end, seen }) => [name, end?.kind, seen])).toEqual([
    ['a.root', 'written', false],
    ['b.root', 'cancelled', false],
  ]);
});

it('what failed is removed before the end is told, and the next job of its place takes its place', async () => {
  const activities = createActivities();
  const jobs = createJobs(activities);
  const removal = later<void>();
  const failing = jobs.start(
    { place: 'a', name: 'a.root', file: 1 },
    () => Promise.reject(new Error('no room')),
    () => removal.promise,
  );
  await new Promise((resolve) => setTimeout(resolve));
  expect(jobs.list.value[0]?.end).toBeUndefined();
  removal.fail(abortError());
  await failing;
  const [failed] = jobs.list.value;
  expect(failed?.end).toMatchObject({ kind: 'failed', error: { message: 'no room' } });
  if (failed) jobs.see(failed);
  expect(jobs.list.value[0]?.seen).toBe(true);

  const again = jobs.start({ place: 'a', name: 'a.root', file: 1 }, async () => written, nothing);
  expect(jobs.list.value).toHaveLength(1);
  await again;
  const [ended] = jobs.list.value;
  expect(ended).toMatchObject({ seen: false, end: { kind: 'written', written } });
  // When the file is closed, what the user has not seen stays.
  jobs.leave(1);
  expect(jobs.list.value).toHaveLength(1);
  if (ended) jobs.see(ended);
  jobs.leave(1);
  expect(jobs.list.value).toEqual([]);
});

it('everything can be given up at once', async () => {
  const activities = createActivities();
  const jobs = createJobs(activities);
  const job = jobs.start(
    { place: 'a', name: 'a.root', file: 1 },
    () => new Promise<never>(() => undefined),
    nothing,
  );
  activities.cancelAll();
  await job;
  expect(jobs.list.value[0]?.end).toEqual({ kind: 'cancelled' });
});

it('a save that is cancelled keeps the file that another save of the page wrote meanwhile', async () => {
  let content = new Uint8Array(0);
  let lastModified = 0;
  let removed = false;
  const chosen = {
    name: 'out.root',
    getFile: async () => new File([content], 'out.root', { lastModified }),
    createWritable: async () => {
      let own = new Uint8Array(0);
      return {
        write: async ({ data }: { data: Uint8Array<ArrayBuffer> }) => {
          own = data;
        },
        close: async () => {
          content = own;
          lastModified++;
        },
        abort: async () => {},
      };
    },
    remove: async () => {
      removed = true;
    },
  };
  vi.stubGlobal('showSaveFilePicker', async () => chosen);
  try {
    const [whole, cancelled] = [await saveSink('out.root'), await saveSink('out.root')];
    await whole.write(0, new Uint8Array([1, 2]));
    await whole.close?.();
    await cancelled.abort?.();
    expect([content.length, removed]).toEqual([2, false]);
    // One that was written, and turned out to be damaged when it was read back.
    const damaged = await saveSink('out.root');
    await damaged.write(0, new Uint8Array([1, 2]));
    await damaged.written?.();
    const other = await saveSink('out.root');
    await other.write(0, new Uint8Array([3, 4]));
    await other.close?.();
    await damaged.abort?.();
    expect([...content, removed]).toEqual([3, 4, false]);
    // One that nobody wrote leaves no empty file.
    content = new Uint8Array(0);
    await (await saveSink('out.root')).abort?.();
    expect(removed).toBe(true);
    removed = false;
    const alone = await saveSink('out.root');
    await alone.write(0, new Uint8Array([1]));
    await alone.written?.();
    await alone.abort?.();
    expect(removed).toBe(true);
  } finally {
    vi.unstubAllGlobals();
  }
});
