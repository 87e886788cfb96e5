import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';

interface Output {
  data?: Record<string, string | string[]>;
  text?: string[];
}
export interface Notebook {
  cells: { cell_type: string; outputs: Output[] }[];
  metadata: Record<string, unknown>;
}

/** JupyterLab on a folder of its own, in which sample.root lies. */
export interface Lab {
  address: string;
  folder: string;
  /** Writes a notebook of code cells. */
  write(name: string, cells: string[]): Promise<void>;
  /** Chooses the theme for pages that are opened from now on. */
  theme(name: string): Promise<void>;
  read(name: string): Promise<{ notebook: Notebook; bytes: number }>;
  end(): Promise<void>;
}

export const TOKEN = 'xylem';
const SAMPLE = resolve(import.meta.dirname, '../../../public/sample.root');

/** `server` is the module of the page: "jupyterlab" or "notebook"; `options` are more of the command line. */
export async function startLab(
  python: string,
  server = 'jupyterlab',
  options: (folder: string) => string[] = () => [],
): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'xylem-lab-'));
  await copyFile(SAMPLE, join(folder, 'sample.root'));
  const port = await freePort();
  const lab = spawn(
    python,
    [
      ...['-m', server, '--no-browser', '--allow-root', '--ip=127.0.0.1', `--port=${port}`],
      ...[`--IdentityProvider.token=${TOKEN}`, `--ServerApp.root_dir=${folder}`],
      ...options(folder),
    ],
    {
      cwd: folder,
      env: { ...process.env, HOME: folder, JUPYTER_CONFIG_DIR: join(folder, '.config') },
      stdio: 'pipe',
      // With its kernels it is a group of processes, which ends as a whole.
      detached: true,
    },
  );
  await ready(lab, port);
  const set = async (plugin: string, settings: object): Promise<void> => {
    const path = `lab/api/settings/@jupyterlab/apputils-extension:${plugin}`;
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method: 'PUT',
      headers: { Authorization: `token ${TOKEN}` },
      body: JSON.stringify({ raw: JSON.stringify(settings) }),
    });
    if (!answer.ok) throw new Error(`${plugin} could not be set: ${answer.status}.`);
  };
  // It would ask whether to fetch news.
  if (server === 'jupyterlab') await set('notification', { fetchNews: 'false' });
  return {
    address: `http://127.0.0.1:${port}`,
    folder,
    async write(name, cells) {
      const notebook = {
        cells: cells.map((source, i) => ({
          ...{ cell_type: 'code', id: `c${i}`, execution_count: null, metadata: {}, outputs: [], source },
        })),
        metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
        ...{ nbformat: 4, nbformat_minor: 5 },
      };
      await writeFile(join(folder, name), JSON.stringify(notebook));
    },
    theme: (name) => set('themes', { theme: name }),
    async read(name) {
      const text = await readFile(join(folder, name), 'utf8');
      return { notebook: JSON.parse(text) as Notebook, bytes: text.length };
    },
    async end() {
      const ended = new Promise((settle) => lab.once('exit', settle));
      lab.kill('SIGTERM');
      // Its kernels are often gone by then, for which it waits without an end.
      const patience = setTimeout(() => process.kill(-(lab.pid ?? 0), 'SIGKILL'), 5000);
      await ended;
      clearTimeout(patience);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Opens a notebook in JupyterLab. */
export async function openNotebook(page: Page, lab: Lab, name: string): Promise<void> {
  await page.goto(`${lab.address}/lab/tree/${name}?token=${TOKEN}&reset`);
  await page.locator('.jp-Notebook .jp-Cell').first().waitFor();
}

export const cell = (page: Page, index: number) => page.locator('.jp-Notebook .jp-CodeCell').nth(index);

/** Runs a cell, and returns when it was started. */
export async function run(page: Page, index: number): Promise<number> {
  await cell(page, index).locator('.cm-content').first().click();
  const began = Date.now();
  await page.keyboard.press('Shift+Enter');
  return began;
}

/** Runs a cell that prints JSON, and returns what it printed. */
export async function printed<T>(page: Page, index: number): Promise<T> {
  await run(page, index);
  const output = cell(page, index).locator('.jp-OutputArea-output pre').last();
  await output.waitFor();
  return JSON.parse((await output.innerText()).trim()) as T;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  await new Promise((settle) => server.close(settle));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function ready(lab: ChildProcess, port: number): Promise<void> {
  let log = '';
  lab.stdout?.on('data', (text) => {
    log += text;
  });
  lab.stderr?.on('data', (text) => {
    log += text;
  });
  for (let tries = 0; tries < 600; tries++) {
    if (lab.exitCode !== null) throw new Error(`JupyterLab ended:\n${log}`);
    const answer = await fetch(`http://127.0.0.1:${port}/api`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((settle) => setTimeout(settle, 100));
  }
  throw new Error(`JupyterLab does not answer:\n${log}`);
}
