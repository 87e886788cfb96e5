import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { freePort } from './lab';

const SAMPLE = resolve(import.meta.dirname, '../../../public/sample.root');
const SHOTS = resolve(import.meta.dirname, '../../../build/hosts/screenshots');
const PYTHON = process.env.JUPYTER_PYTHON ?? 'python3';
const CELLS = `import marimo
app = marimo.App()

@app.cell
def _():
    import marimo as mo, xylem
    w = mo.ui.anywidget(xylem.view(${JSON.stringify(SAMPLE)}, "nMuon", tree="Events"))
    w
    return mo, w

@app.cell
def _(mo, w):
    w.value
    h = w.widget.histogram
    mo.md("Nothing yet" if h is None else f"{h.values().sum():.0f} entries")
    return
`;

test('marimo shows the file, and runs the cells that take its bins', async ({ page }) => {
  test.skip(
    spawnSync(PYTHON, ['-c', 'import marimo']).status !== 0,
    'marimo is not installed in JUPYTER_PYTHON',
  );
  const folder = await mkdtemp(join(tmpdir(), 'xylem-marimo-'));
  await writeFile(join(folder, 'cells.py'), CELLS);
  await writeFile(join(folder, 'pyproject.toml'), '[tool.marimo.display]\ntheme = "system"\n');
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const args = ['-m', 'marimo', 'run', 'cells.py', '--headless', '--no-token', '--port', String(port)];
  const marimo = spawn(PYTHON, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, HOME: folder } });
  try {
    await expect
      .poll(() =>
        fetch(address).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true);
    await page.goto(address);
    const plot = page.locator('xylem-viewer').getByRole('img', { name: /Plot of nMuon/ });
    await expect(plot).toBeVisible();
    await expect(page.getByText('2400 entries')).toBeVisible();
    await page.locator('xylem-viewer').evaluate((viewer) => viewer.setAttribute('cut', 'nMuon>2'));
    await expect(page.getByText('198 entries')).toBeVisible();
    await page.setViewportSize({ width: 1000, height: 760 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('xylem-viewer')).toHaveAttribute('theme', colorScheme);
      await page.mouse.move(5, 5);
      await page.screenshot({ path: join(SHOTS, `marimo-${colorScheme}.png`) });
    }
  } finally {
    const ended = new Promise((settle) => marimo.once('exit', settle));
    marimo.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
