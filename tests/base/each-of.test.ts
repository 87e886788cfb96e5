import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachAfterFirst } from '../../web/base/each-of';

/** The order of beginnings and ends; "go" is when the first item lets the others begin. */
async function order(items: string[], jobs: number, goes: boolean, signal?: AbortSignal): Promise<string> {
  const steps: string[] = [];
  await eachAfterFirst(items, jobs, signal, async (item, go) => {
    steps.push(item);
    await sleep(1);
    if (go && goes) {
      steps.push('go');
      go();
      await sleep(10);
    }
    steps.push(`/${item}`);
  });
  return steps.join(' ');
}

test('the others begin when the first one says so or has ended', async () => {
  expect(await order(['a', 'b', 'c'], 2, true)).toBe('a go b /b c /c /a');
  expect(await order(['a', 'b', 'c'], 2, false)).toBe('a /a b c /b /c');
  expect(await order(['a', 'b'], 2, false)).toBe('a b /a /b');
});

test('a first item that fails lets the others go, and an abort ends them', async () => {
  const begun: string[] = [];
  const failing = eachAfterFirst(['a', 'b', 'c'], 2, undefined, async (item) => {
    begun.push(item);
    if (item === 'a') throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await sleep(1);
  expect(begun).toEqual(['a', 'b', 'c']);
  const stop = new AbortController();
  const some: string[] = [];
  await eachAfterFirst(['a', 'b', 'c'], 2, stop.signal, async (item) => {
    some.push(item);
    stop.abort();
  });
  expect(some).toEqual(['a']);
});
