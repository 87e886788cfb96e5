import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { delay, linkSignals, onAbort, raceAbort, SharedWork, settle } from '../../web/base/abort';

const aborted = expect.objectContaining({ code: 'ABORTED' });
const never = new Promise<never>(() => {});

test('raceAbort gives the outcome, or ABORTED at once', async () => {
  const controller = new AbortController();
  expect(await raceAbort(Promise.resolve(1), controller.signal)).toBe(1);
  await expect(raceAbort(Promise.reject(new Error('no')), controller.signal)).rejects.toThrow('no');
  const racing = raceAbort(never, controller.signal);
  controller.abort();
  await expect(racing).rejects.toEqual(aborted);
  await expect(raceAbort(never, controller.signal)).rejects.toEqual(aborted);
});

test('a linked signal fires with the first of its signals, and not after dispose', () => {
  const [a, b] = [new AbortController(), new AbortController()];
  const link = linkSignals(a.signal, undefined, b.signal);
  const disposed = linkSignals(b.signal);
  disposed.dispose();
  b.abort();
  expect(link.signal.aborted).toBe(true);
  expect(disposed.signal.aborted).toBe(false);
  expect(linkSignals(b.signal).signal.aborted).toBe(true);
});

test('delay ends early with ABORTED', async () => {
  await delay(1);
  const controller = new AbortController();
  const waiting = delay(60_000, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toEqual(aborted);
  await expect(delay(60_000, controller.signal)).rejects.toEqual(aborted);
});

test('settle always fulfils', async () => {
  expect(await settle(Promise.resolve(1))).toEqual({ ok: true, value: 1 });
  expect(await settle(Promise.reject('no'))).toEqual({ ok: false, error: 'no' });
});

test('shared work goes on for those who stay and is aborted when the last leaves', async () => {
  let given: AbortSignal | undefined;
  let finish = (_value: number) => {};
  const start = () =>
    new SharedWork<number>((signal) => {
      given = signal;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
  const controller = new AbortController();
  const work = start();
  const [leaving, staying] = [work.join(controller.signal), work.join()];
  controller.abort();
  await expect(leaving).rejects.toEqual(aborted);
  expect(given?.aborted).toBe(false);
  finish(5);
  expect(await staying).toBe(5);

  const second = new AbortController();
  const lonely = start();
  const only = lonely.join(second.signal);
  second.abort();
  await expect(only).rejects.toEqual(aborted);
  expect([given?.aborted, lonely.abandoned]).toEqual([true, true]);
});

test('many may listen to one signal without a warning, and each stops alone', async () => {
  const warned: Error[] = [];
  const warn = (warning: Error): void => void warned.push(warning);
  process.on('warning', warn);
  const controller = new AbortController();
  let heard = 0;
  const stops = Array.from({ length: 100 }, () => onAbort(controller.signal, () => heard++));
  await new Promise(setImmediate);
  process.off('warning', warn);
  expect(warned).toEqual([]);
  for (const stop of stops.slice(0, 40)) {
    stop();
    stop();
  }
  controller.abort();
  expect(heard).toBe(60);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  const quiet = new AbortController();
  onAbort(quiet.signal, () => heard++)();
  expect(getEventListeners(quiet.signal, 'abort')).toEqual([]);
});
