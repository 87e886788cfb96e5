import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import puppeteer from 'puppeteer-core';
import { findFirefox } from '../../../scripts/browsers.mjs';
import { startLab, TOKEN } from './lab';

const SAMPLE = resolve(import.meta.dirname, '../../../public/sample.root');
const FIREFOX = findFirefox();
const PYTHON = process.env.JUPYTER_PYTHON ?? 'python3';

test('JupyterLab in Firefox: a double click opens a file, and the widget shows one', async () => {
  test.skip(FIREFOX === undefined, 'Firefox is not installed');
  const lab = await startLab(PYTHON);
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX as string,
    headless: true,
  });
  try {
    await copyFile(SAMPLE, join(lab.folder, 'other.root'));
    await lab.write('a.ipynb', ['import xylem\nxylem.view("other.root", "MET_pt", tree="Events")']);
    const page = await browser.newPage();
    await page.setViewport({ width: 1300, height: 900 });
    /** The names of the plots that are shown. */
    const plots = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('xylem-viewer')].flatMap(({ shadowRoot }) =>
          [...(shadowRoot?.querySelectorAll('[role=img]') ?? [])].map(
            (one) => one.getAttribute('aria-label') ?? '',
          ),
        ),
      );
    await page.goto(`${lab.address}/lab?token=${TOKEN}&reset`);
    await page.locator('.jp-DirListing-item[title*="sample.root"]').click({ count: 2 });
    await page.waitForSelector('.jp-Document xylem-viewer');
    await page.evaluate(async () => {
      const viewer = document.querySelector('xylem-viewer') as HTMLElement & { ready: Promise<unknown> };
      await viewer.ready;
      viewer.setAttribute('tree', 'Events');
      viewer.setAttribute('draw', 'nMuon');
    });
    await expect.poll(plots).toContainEqual(expect.stringContaining('Plot of nMuon'));

    await page.goto(`${lab.address}/lab/tree/a.ipynb?token=${TOKEN}&reset`);
    await page.waitForFunction(() => document.body.innerText.includes('| Idle'));
    await page.locator('.jp-Notebook .jp-CodeCell .cm-content').click();
    await page.keyboard.down('Shift');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Shift');
    await expect.poll(plots).toContainEqual(expect.stringContaining('Plot of MET_pt'));
  } finally {
    await browser.close();
    await lab.end();
  }
});
