import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';

// The page of 612 plots and their reference: small enough for a mail, without anything that is missing in it.

const files = resolve(import.meta.dirname, '../../fixtures/files/walls');
const [made, good] = [join(files, 'dqm.root'), join(files, 'dqm-good.root')];
const { plots, shifted, empty, lost, added, otherBins } = JSON.parse(
  readFileSync(join(files, 'dqm.json'), 'utf8'),
) as Record<'shifted' | 'empty' | 'lost' | 'added' | 'otherBins', string[]> & { plots: number };

const reader = withReader();
let html = '';
beforeAll(async () => {
  html = (
    await run(reader, 'wall', made, '--reference', good, '--fail-on', 'chi2<1e-6,missing', '--html', '-')
  ).out;
}, 60_000);

/** The figure of each plot, by its name. */
const figures = (): Map<string, string> =>
  new Map(
    [...html.matchAll(/<figure.*?<\/figure>/gs)].map(([figure]) => [
      /<b>(.*?)<\/b>/.exec(figure)?.[1] ?? '',
      figure,
    ]),
  );

test('the page has at most 3 MB, and each plot small and large', () => {
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(3_000_000);
  const all = [...figures().values()];
  expect(all).toHaveLength(plots);
  for (const figure of all) {
    expect(figure.match(/<svg /g)).toHaveLength(2);
    expect(figure.match(/<template><svg .*<\/svg><\/template>/s)).not.toBeNull();
  }
});

test('everything that is referred to is in the page, once', () => {
  const ids = [...html.matchAll(/ id=([\w-]+|"[^"]+")/g)].map(([, id = '']) => id.replaceAll('"', ''));
  expect(new Set(ids).size).toBe(ids.length);
  const named = [...html.matchAll(/(?:href=|url\()#([\w-]+)/g)].map(([, id]) => id ?? '');
  expect(named.length).toBeGreaterThan(plots);
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  const classes = new Set([...html.matchAll(/<(?:path|g|text) class=(s\w+)/g)].map(([, name]) => name));
  for (const name of classes) expect(html).toContain(`\n.${name}{`);
});

test('each plot has the state that its contents have', () => {
  const stateOf = (name: string) => /data-state="(\w+)"/.exec(figures().get(name) ?? '')?.[1];
  for (const name of [...shifted, ...lost, ...added]) expect([name, stateOf(name)]).toEqual([name, 'failed']);
  for (const name of [...empty, ...otherBins]) expect([name, stateOf(name)]).toEqual([name, 'error']);
  const named = new Set([...shifted, ...lost, ...added, ...empty, ...otherBins]);
  const others = [...figures().keys()].filter((name) => !named.has(name));
  expect(others).toHaveLength(plots - named.size);
  for (const name of others) expect([name, stateOf(name)]).toEqual([name, 'ok']);
});
