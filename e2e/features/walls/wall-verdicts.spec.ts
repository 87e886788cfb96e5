import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, fixturePath, test } from '../../story';

// The page and the command say the same of each plot of a file and a reference, and of all of them.

const xylem = resolve(import.meta.dirname, '../../../dist/cli/xylem.js');

interface Plot {
  name: string;
  state: string;
}

/** The words of `xylem wall`: the state of each plot, and the sentence about all. */
function commandSays(file: string, reference: string, items: string, fail: string) {
  const line = [xylem, 'wall', fixturePath(file), items, '--reference', fixturePath(reference)];
  if (fail !== '') line.push('--fail-on', fail);
  const run = (...more: string[]) => spawnSync(process.execPath, [...line, ...more], { encoding: 'utf8' });
  const { plots } = JSON.parse(run('--json').stdout) as { plots: Plot[] };
  const { stdout, stderr } = run();
  const [, summary = ''] = /plots?: (.*)$/m.exec(stdout) ?? [];
  return {
    states: Object.fromEntries(plots.map(({ name, state }) => [name, state])),
    summary,
    isNothing: stderr.includes('Nothing was compared'),
  };
}

/** The states of all plots that the page has; all are in sight of a tall window. */
async function pageSays(page: Page): Promise<Record<string, string>> {
  const places = page.getByRole('list', { name: 'Plots' }).locator('.wall-place');
  const found: [string, string][] = await places.evaluateAll((all) =>
    all.map((one) => [
      one.querySelector('.wall-name')?.getAttribute('title') ?? '',
      one.getAttribute('data-state') ?? '',
    ]),
  );
  return Object.fromEntries(found);
}

const PAIRS: [title: string, file: string, reference: string, items: string][] = [
  ['all kinds of pairs', 'walls/new.root', 'walls/reference.root', '**'],
  ['the other way round', 'walls/reference.root', 'walls/new.root', '**'],
  ['a reference with more', 'walls/lost.root', 'walls/reference.root', '**'],
  ['a reference with less', 'walls/reference.root', 'walls/lost.root', '**'],
  ['one folder', 'walls/lost.root', 'walls/reference.root', 'dqm/*'],
  ['a plot that only the reference has', 'walls/lost.root', 'walls/reference.root', 'dqm/same'],
  ['an unrelated reference', 'walls/new.root', 'page/plots.root', '**'],
];

for (const [title, file, reference, items] of PAIRS) {
  for (const fail of ['', 'chi2<0.01, missing']) {
    test(`the page and the command agree on ${title}${fail === '' ? '' : ', with alarms'}`, async ({
      page,
      rangeServer,
    }) => {
      const command = commandSays(file, reference, items, fail);
      const [own, other] = [await rangeServer(file), await rangeServer(reference)];
      await page.setViewportSize({ width: 1600, height: 12_000 });
      const show = new URLSearchParams({
        items,
        reference: other.url,
        sort: 'worst',
        ...(fail !== '' && { fail }),
      });
      await page.goto(`/?${new URLSearchParams({ url: own.url, view: 'wall', show: show.toString() })}`);
      await expect(page.getByRole('status', { name: 'Comparison' })).toHaveText(command.summary);
      expect(await pageSays(page)).toEqual(command.states);
      await expect(page.getByText('Nothing was compared')).toHaveCount(Number(command.isNothing));
    });
  }
}
