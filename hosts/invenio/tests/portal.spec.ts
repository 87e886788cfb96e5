import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { freePort } from '../../jupyter/tests/lab';

const ROOT = resolve(import.meta.dirname, '../../..');
const SHOTS = join(ROOT, 'build/hosts/screenshots');
const PYTHON = process.env.INVENIO_PYTHON ?? 'python3';

test('a record shows its ROOT file by ranges, through invenio-previewer', async ({ page }) => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/records/7`;
  const args = [
    join(import.meta.dirname, 'portal.py'),
    port,
    join(ROOT, 'dist/page'),
    join(ROOT, 'public/sample.root'),
  ];
  const portal = spawn(PYTHON, args.map(String), { stdio: 'ignore' });
  try {
    const up = () =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(up).toBe(true);
    const statuses: number[] = [];
    page.context().on('response', (answer) => {
      if (answer.url().endsWith('/files/sample.root')) statuses.push(answer.status());
    });
    await page.setViewportSize({ width: 1140, height: 860 });
    await page.goto(address);
    const viewer = page.getByTitle('Preview').contentFrame().getByTitle('sample.root').contentFrame();
    await viewer.getByRole('treeitem', { name: /Events/ }).click();
    await viewer.getByRole('treeitem', { name: /Dimuon_mass/ }).click();
    await expect(viewer.getByRole('img', { name: /Plot of Dimuon_mass/ })).toBeVisible();
    expect(statuses).toContain(206);
    // Flask answers a request of several ranges, which the reader tries once, with 416; nothing comes whole.
    expect(statuses.filter((status) => status !== 206 && status !== 416)).toEqual([]);
    await page.mouse.move(5, 5);
    await page.screenshot({ path: join(SHOTS, 'portal-light.png') });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: join(SHOTS, 'portal-dark.png') });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 360, height: 860 });
    await page.screenshot({ path: join(SHOTS, 'portal-narrow.png') });
  } finally {
    const ended = new Promise((settle) => portal.once('exit', settle));
    portal.kill('SIGKILL');
    await ended;
  }
});
