import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { openPortal, stopPortals } from '../../element/portal';
import { expect, fixturePath, samplePath, test } from '../../story';

test.afterAll(stopPortals);

/** Writes the text of the selector. */
async function write(page: Page, text: string): Promise<void> {
  const file = { name: 'selector.js', mimeType: 'text/javascript', buffer: Buffer.from(text) };
  await page.locator('.selector input[type=file]').setInputFiles(file);
  await expect(code(page)).toContainText(text.trim().split('\n').at(-1) ?? '');
}

const code = (page: Page) => page.getByRole('textbox', { name: 'Code of the selector' });

async function openSelector(page: Page, url: string): Promise<void> {
  await page.goto(`/?url=${encodeURIComponent(url)}&tree=Events&view=selector`);
  await expect(code(page)).toContainText('begin: (job) =>');
}

test('a first selector runs; an error stands at its line; a loop is stopped; the text is saved', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await openSelector(page, server.url);
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('status').filter({ hasText: '2,400 entries' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Result' })).toBeVisible();

  // Names of branches are offered within texts.
  await write(page, "export default {\n  branches: { pt: '' },\n};\n");
  await code(page).getByText('branches').click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('Muon_p');
  await expect(page.getByRole('option', { name: /Muon_pt/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await write(
    page,
    `export default {
  branches: { pt: 'Muon_pt' },
  begin: (job) => ({ pt: job.hist([20, 0, 100]), none: job.counter() }),
  process({ pt }, out, task) {
    out.pt.fill(pt.values);
    if (task.entries[0] >= 0) throw new Error('not today');
  },
};
`,
  );
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('alert')).toContainText('selector.js:6:');
  await expect(page.getByRole('alert')).toContainText('not today');
  // The line has a mark.
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(1);

  // A text that is no JavaScript is marked before it runs.
  await write(page, 'export default {\n  branches: {,\n};\n');
  await expect(page.locator('.cm-lint-marker-error').first()).toBeVisible();

  await write(
    page,
    `export default {
  branches: { pt: 'Muon_pt' },
  begin: (job) => ({ pt: job.hist([20, 0, 100]) }),
  process() { for (;;); },
};
`,
  );
  await page.getByRole('textbox', { name: 'A part may take, s' }).fill('1');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('alert')).toContainText('within 1 s, and was stopped');
  await page.getByRole('textbox', { name: 'A part may take, s' }).fill('100');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Run' })).toBeVisible();
  await expect(page.locator('iframe[title="Where selectors run"]')).toHaveCount(0);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the selector' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('selector.js');
  // It stays while other views are shown, and no link holds it.
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('tab', { name: 'Selector' }).click();
  await expect(code(page)).toContainText('for (;;)');
  expect(page.url()).not.toContain('for');
});

/** Rows of a table in a result: in it, or in a file beside it. */
interface TablePart {
  values?: string[][];
  side?: { name: string; rows: number };
}

test('it makes what xylem process makes', async ({ page, rangeServer }) => {
  const text = `export default {
  branches: { pt: 'Muon_pt', n: 'nMuon' },
  where: 'nMuon >= 2',
  begin: (job) => ({ pt: job.hist([20, 0, 100]), events: job.counter(), by: job.labels(), rows: job.table({ n: 'whole' }) }),
  entry({ pt, n }, out) {
    for (const one of pt) out.pt.fill(one);
    out.events.add();
    out.by.add(\`\${n} muons\`);
    out.rows.row({ n });
  },
};
`;
  const server = await rangeServer('sample.root');
  await openSelector(page, server.url);
  await write(page, text);
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('button', { name: 'Save the result' })).toBeEnabled();
  const save = async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the result' }).click(),
    ]);
    const { readFile } = await import('node:fs/promises');
    return JSON.parse(await readFile(await download.path(), 'utf8')) as {
      made: { entries: number; passed: number; state: Record<string, unknown> };
    };
  };
  const { made } = await save();
  const { mkdtemp, writeFile } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const { execFileSync } = await import('node:child_process');
  const folder = await mkdtemp(join(tmpdir(), 'xylem-selector-'));
  await writeFile(join(folder, 'selector.mjs'), text);
  const out = join(folder, 'part.json');
  execFileSync(process.execPath, [
    ...['dist/cli/xylem.js', 'process', join(folder, 'selector.mjs'), samplePath, 'Events', '--partial', out],
  ]);
  const { readFile } = await import('node:fs/promises');
  const expected = (JSON.parse(await readFile(out, 'utf8')) as { made: typeof made }).made;
  const plain = ({ rows, ...state }: Record<string, unknown>) =>
    JSON.parse(JSON.stringify(state).replace(/"file":"[^"]*"/g, '"file":""')) as unknown;
  expect([made.entries, made.passed]).toEqual([expected.entries, expected.passed]);
  expect(plain(made.state)).toEqual(plain(expected.state));
  // The page keeps the rows of a table in the result; the command writes them beside it.
  const tableOf = (state: Record<string, unknown>) => (state.rows as { parts: TablePart[] }).parts[0];
  const { values } = tableOf(made.state) ?? {};
  const { side } = tableOf(expected.state) ?? {};
  const rows = execFileSync(process.execPath, [
    ...['dist/cli/xylem.js', 'export', join(folder, side?.name ?? ''), '--format', 'csv'],
  ]);
  expect(values?.[0]).toHaveLength(side?.rows ?? -1);
  expect(String(rows).trim().split('\n').slice(1)).toEqual(values?.[0]);
  await page.getByRole('button', { name: 'by', exact: true }).click();
  await expect(page.getByRole('cell', { name: '2 muons' })).toBeVisible();
});

/** A server that counts what reaches it, by HTTP or as the beginning of another protocol. */
async function startListener(): Promise<{ url: string; heard: string[]; server: Server }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/javascript' });
    response.end('export default 1;');
  });
  server.on('upgrade', (request, socket) => {
    heard.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, server };
}

/** Each way out that a worker may try; it returns by name "refused: why", or what it got. */
const ESCAPES = `async (url, tell) => {
  const socket = url.replace('http', 'ws');
  const ways = {
    fetch: () => fetch(url + '/fetch'),
    noCors: () => fetch(url + '/no-cors', { mode: 'no-cors' }),
    keepalive: () => fetch(url + '/keepalive', { method: 'POST', body: 'x', keepalive: true, mode: 'no-cors' }),
    request: () => new Promise((done, fail) => {
      const asked = new XMLHttpRequest();
      asked.onload = done;
      asked.onerror = () => fail(new Error('error'));
      asked.open('GET', url + '/xhr');
      asked.send();
    }),
    socket: () => new Promise((done, fail) => {
      const one = new WebSocket(socket + '/socket');
      one.onopen = done;
      one.onerror = () => fail(new Error('error'));
    }),
    events: () => new Promise((done, fail) => {
      const one = new EventSource(url + '/events');
      one.onopen = done;
      one.onerror = () => fail(new Error('error'));
    }),
    transport: () => new WebTransport(url.replace('http', 'https') + '/transport').ready,
    importModule: () => import(url + '/module.js'),
    importData: () => import('data:text/javascript,export default 1'),
    importScripts: () => importScripts(url + '/script.js'),
    nested: () => new Promise((done, fail) => {
      const one = new Worker(url + '/worker.js');
      one.onmessage = done;
      one.onerror = () => fail(new Error('error'));
    }),
    nestedBlob: () => new Promise((done, fail) => {
      const text = 'fetch("' + url + '/nested").then(() => postMessage("got"), () => { throw new Error("no"); })';
      const one = new Worker(URL.createObjectURL(new Blob([text])));
      one.onmessage = done;
      one.onerror = () => fail(new Error('error'));
      setTimeout(() => fail(new Error('silent')), 1000);
    }),
    shared: () => new SharedWorker(url + '/shared.js').port.postMessage(1),
    database: () => new Promise((done, fail) => {
      const one = indexedDB.open('x');
      one.onsuccess = done;
      one.onerror = () => fail(new Error('error'));
    }),
    caches: () => caches.open('x'),
    storage: () => navigator.storage.getDirectory(),
    local: () => localStorage.setItem('x', 'y'),
    beacon: () => navigator.sendBeacon(url + '/beacon', 'x'),
    peer: () => new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1' }] }).createOffer(),
    font: () => new FontFace('x', 'url(' + url + '/font.woff)').load(),
    page: () => self.parent.document.title,
    top: () => { self.top.location.href = url + '/top'; },
    opened: () => self.open(url + '/opened'),
    written: () => document.createElement('img'),
    evaluated: () => Function('return 1')(),
  };
  for (const [name, way] of Object.entries(ways)) {
    const late = new Promise((_, fail) => setTimeout(() => fail(new Error('silent')), 1500));
    const asked = (async () => way())();
    for (const one of [late, asked]) one.catch(() => {});
    try {
      await Promise.race([asked, late]);
      tell(name, 'reached');
    } catch (thrown) {
      tell(name, 'refused');
    }
  }
}`;

const WAYS = [...ESCAPES.matchAll(/^ {4}(\w+): /gm)].map(([, name = '']) => name);

test('the policy of the frame alone keeps a worker from the network, storage and the page', async ({
  page,
  complaints,
}) => {
  const { url, heard, server } = await startListener();
  try {
    await page.goto('/');
    const script = `addEventListener('message', ({ ports: [port] }) => {
      const found = {};
      (${ESCAPES})(${JSON.stringify(url)}, (name, what) => { found[name] = what; }).then(() => port.postMessage(found));
    });`;
    const found = await page.evaluate(async (text) => {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.title = 'A frame for selectors';
      frame.src = 'selector/frame.html';
      const ready = new Promise<void>((resolve) => {
        addEventListener('message', ({ source, data }) => {
          if (source === frame.contentWindow && data === 'xylem-selector') resolve();
        });
      });
      document.body.append(frame);
      await ready;
      const { port1, port2 } = new MessageChannel();
      return await new Promise<Record<string, string>>((resolve) => {
        port1.onmessage = ({ data }) => resolve(data as Record<string, string>);
        frame.contentWindow?.postMessage(text, '*', [port2]);
      });
    }, script);
    expect(Object.keys(found).sort()).toEqual([...WAYS].sort());
    expect(Object.entries(found).filter(([, what]) => what !== 'refused')).toEqual([]);
    expect(heard).toEqual([]);
  } finally {
    server.close();
    await page.close();
    // The refusals, which the browser writes down.
    complaints.length = 0;
  }
});

test('a selector reaches nothing, and neither a link nor its answers bring code into the page', async ({
  page,
  complaints,
  rangeServer,
}) => {
  const { url, heard, server } = await startListener();
  try {
    const file = await rangeServer('sample.root');
    await openSelector(page, file.url);
    await write(
      page,
      `const found = {};
await (${ESCAPES})(${JSON.stringify(url)}, (name, what) => { found[name] = what; });
export default {
  branches: { n: 'nMuon' },
  begin: (job) => ({ found: job.labels(), tried: job.counter() }),
  process(_, out) {
    for (const [name, what] of Object.entries(found)) out.found.add(name + ' ' + what, 0);
    out.tried.add(0);
  },
};
`,
    );
    await page.getByRole('textbox', { name: 'A part may take, s' }).fill('60');
    await page.getByRole('button', { name: 'Run' }).click();
    await expect(page.getByRole('cell', { name: 'fetch refused' })).toBeVisible({ timeout: 45_000 });
    const cells = await page.getByRole('cell', { name: /refused|reached/ }).allTextContents();
    expect(cells.sort()).toEqual(WAYS.map((name) => `${name} refused`).sort());
    expect(heard).toEqual([]);

    // An answer in the form of an element of the page stays data.
    await write(
      page,
      `const post = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (message, more) {
  const value = message.value;
  if (value && value.state) value.state.found.title = { constructor: undefined, type: 'img', props: { src: 'x', onerror: 'alert(1)' } };
  return post.call(this, message, more);
};
export default {
  branches: { n: 'nMuon' },
  begin: (job) => ({ found: job.hist([2, 0, 2]) }),
  process({ n }, out) { out.found.fill(n); },
};
`,
    );
    await page.getByRole('button', { name: 'Run' }).click();
    await expect(page.getByRole('alert')).toContainText('something else than its results');
  } finally {
    server.close();
    complaints.length = 0;
  }
  await page.goto(
    `/?show=${encodeURIComponent('export default 1')}&url=x.root&tree=Events&view=selector&code=alert(1)`,
  );
  await expect(code(page)).toHaveCount(0);
  complaints.length = 0;
});

test('it runs on all files of a list, and says how many failed', async ({ page, rangeServer }) => {
  const server = await rangeServer('codec_lz4.root');
  const names = Array.from({ length: 5 }, (_, i) => `run${i}.root`);
  const bytes = readFileSync(fixturePath('codec_zlib.root'));
  for (const name of names)
    server.files.set(`/data/${name}`, name === 'run3.root' ? Buffer.from('not this') : bytes);
  server.files.set('/data/files.txt', Buffer.from(`${names.join('\n')}\n`));
  const list = server.url.replace('file.root', 'files.txt');
  await page.goto(`/?${new URLSearchParams({ url: list, tree: 't', view: 'selector' })}`);
  await expect(code(page)).toContainText('begin: (job) =>');
  await write(
    page,
    `export default {
  branches: { n: 'n' },
  begin: (job) => ({ events: job.counter(), by: job.labels() }),
  process({ n }, out, { file }) {
    out.events.add(n.length);
    out.by.add(file, n.length);
  },
};
`,
  );
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: '5 of 5 files, 1 failed. 1,200 entries' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'by', exact: true }).click();
  await expect(page.getByRole('cell', { name: /run\d\.root$/ })).toHaveCount(4);

  // A file in which the code throws is named, with its line and values, and the others stay.
  const throwing = (where: string) => `export default {
  branches: { m: 'n' },
  begin: (job) => ({ by: job.labels() }),
  entry({ m }, { by }, { file }) {
    if (m === 1${where}) null.none;
    by.add(file);
  },
};
`;
  await write(page, throwing(' && file.endsWith("run1.root")'));
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: '5 of 5 files, 2 failed. 900 entries' }),
  ).toBeVisible();
  await expect(page.getByRole('alert')).toContainText(
    /selector\.js:5:\d+ failed at entry \d+ of "t" in .*run1\.root: TypeError.* Its values are m \(n\) = 1/,
  );
  await expect(page.getByRole('cell', { name: /run[024]\.root$/ })).toHaveCount(3);
  await expect(page.getByText('1 of 5 files have entries in which the code failed')).toBeVisible();
  await expect(page.getByText('1 of 5 files could not be read')).toBeVisible();
  // Code that fails everywhere ends the run.
  await write(page, throwing(''));
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('status').filter({ hasText: /[34] of 5 files, [34] failed/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run' })).toBeVisible();

  // Members that a selector merges itself are lost in no sum without a word.
  await write(
    page,
    `export default {
  branches: { n: 'n' },
  begin: () => ({ largest: 0 }),
  process({ n }, out) { out.largest = Math.max(...n); },
  merge: (one, other) => ({ largest: Math.max(one.largest, other.largest) }),
};
`,
  );
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('alert')).toContainText('"largest" is merged by the selector itself');
});

test('the element has it only with its attribute', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root');
  const element = (more: string) =>
    `<xylem-viewer src="${server.url}" tree="Events" view="table" ${more}></xylem-viewer>`;
  const tab = page.getByRole('tab', { name: 'Selector' });
  await openPortal(page, element(''), 'there');
  await expect(page.getByRole('tab', { name: 'Table' })).toBeVisible();
  await expect(tab).toHaveCount(0);
  await openPortal(page, element('selectors'), 'there');
  await tab.click();
  await expect(code(page)).toContainText('begin: (job) =>');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByRole('status').filter({ hasText: '2,400 entries' })).toBeVisible();
});

test('the doctor and the fleet take the selector of the tab as a use', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root');
  await openSelector(page, server.url);
  await write(
    page,
    `globalThis.document?.body.remove();
export default {
  branches: { pt: 'Muon_pt', met: 'sqrt(MET_pt)' },
  where: 'nMuon == 2',
  begin: (job) => ({ pt: job.counter() }),
  process() { throw new Error('no entry is processed'); },
};
`,
  );
  await page.getByRole('tab', { name: 'Doctor' }).click();
  await page.getByRole('button', { name: 'The selector' }).click();
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  await expect(page.getByText('Judged for the selector')).toBeVisible();
  await expect(page.getByText('Good for reading the selector;')).toBeVisible();

  await page.getByRole('tab', { name: 'Fleet' }).click();
  const model = page.getByLabel('Model', { exact: true });
  const own = JSON.parse(await model.inputValue());
  const bytes = page.getByRole('row', { name: /^Bytes from the origin/ });
  const simulate = async (use: object): Promise<string> => {
    await model.fill(JSON.stringify({ ...own, uses: [{ name: 'u', dataset: 'files', ...use }] }));
    await page.getByRole('button', { name: 'Simulate' }).click();
    await expect(page.getByRole('button', { name: 'Simulate' })).toBeEnabled();
    return await bytes.innerText();
  };
  const all = await simulate({});
  const named = await simulate({ branches: ['nMuon', 'Muon_pt', 'MET_pt'] });
  expect(named).not.toBe(all);
  expect(await simulate({ selector: 'selector.js' })).toBe(named);
  await simulate({ selector: 'other.mjs' });
  await expect(page.getByText('the page has only that of the tab Selector')).toBeVisible();
});

test('a link to the verdict of a selector brings none', async ({ page, rangeServer }) => {
  const server = await rangeServer('sample.root');
  await page.goto(`/?url=${encodeURIComponent(server.url)}&tree=Events&view=doctor&show=selector%3Dheld`);
  await expect(page.getByText('The tab Selector holds no selector of this tree.')).toBeVisible();
});

test('the code outlives a reload of its tab, and a first text is offered again', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  const signed = `${server.url}?token=very-secret`;
  await openSelector(page, signed);
  await write(page, 'export default { branches: {}, process() {} }; // mine\n');
  await page.reload();
  await expect(code(page)).toContainText('// mine');
  await expect(page.getByText('before the page was loaded again')).toBeVisible();
  // Another tree or file does not get it, and nothing secret is kept.
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  expect(kept).toContain('// mine');
  expect(kept).not.toContain('very-secret');
  await page.getByRole('button', { name: 'Begin with the first text' }).click();
  await expect(code(page)).toContainText('begin: (job) =>');
  await expect(page.getByText('before the page was loaded again')).toHaveCount(0);
});

test("mistakes of the code are the code's; its console is shown; a stop is said; a long text is refused", async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await openSelector(page, server.url);
  const run = page.getByRole('button', { name: 'Run' });
  const begin = "branches: { m: 'Dimuon_mass' }, begin: (job) => ({ h: job.hist([60, 0, 120]) })";
  await write(page, `export default { ${begin}, entry({ m }, out) { out.h.fil(m); } };\n`);
  await run.click();
  await expect(page.getByRole('alert')).toContainText('out.h.fil is not a function');
  await expect(page.getByText(/could not be read|Read the rest|0 entries/)).toHaveCount(0);

  await write(page, "export default { branches: { m: 'Dimuon_mas' }, begin: () => ({}), process() {} };\n");
  await run.click();
  await expect(page.getByRole('alert')).toContainText('Did you mean "Dimuon_mass"?');
  await expect(page.getByText(/could not be read|Read the rest|0 entries/)).toHaveCount(0);

  await write(
    page,
    `export default { ${begin}, entry({ m }, out, task) { out.h.fill(m); console.log('<b>mass</b>', m, { a: [1] }); } };\n`,
  );
  await run.click();
  await expect(page.getByRole('status').filter({ hasText: '2,400 entries' })).toBeVisible();
  const lines = page.getByRole('region', { name: 'Console' });
  await expect(lines).toContainText(/<b>mass<\/b> [\d.]+ \{ "a": \[ 1 \] \}/);
  await expect(lines).toContainText('Only the first 100 lines are shown.');

  await write(page, `export default { ${begin}, process() { console.log('in'); for (;;); } };\n`);
  await run.click();
  // Also what code that never ends has written.
  await expect(lines).toContainText('in');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Stopped.' })).toBeVisible();

  const long = { name: 'selector.js', mimeType: 'text/javascript', buffer: Buffer.alloc(3_000_000, 'x;') };
  await page.locator('.selector input[type=file]').setInputFiles(long);
  await expect(page.getByRole('alert')).toContainText('at most 300,000 characters');
  await expect(code(page)).toContainText('for (;;)');
});

test('the code is in sight, with its types folded; it is written, run and unfolded by keys', async ({
  page,
  rangeServer,
}) => {
  const server = await rangeServer('sample.root');
  await page.setViewportSize({ width: 1280, height: 800 });
  await openSelector(page, server.url);
  // No error mark, and the first line of the code near the first line.
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(0);
  await expect(code(page)).not.toContainText('@property');
  const types = page.getByRole('button', { name: '… 16 types …' });
  const top = (await page.locator('.cm-editor').boundingBox())?.y ?? 0;
  const first = (await page.getByText('const selector = {').boundingBox())?.y ?? 1000;
  expect(first - top).toBeLessThan(240);

  await code(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(
    "export default {\nbranches: { m: 'MET_ptt' },\nbegin: (job) => ({ h: job.hist([20, 0, 100]) }),\nprocess({ m }, out) {\nout.h.fill(m);\nconsole.log('filled', m.length);\n",
  );
  // Brackets that were opened are closed by the editor.
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('alert')).toContainText('Did you mean "MET_pt"?');
  await expect(page.getByText(/Partial|Read the rest/)).toHaveCount(0);
  await page.getByText("'MET_ptt'").click();
  await page.keyboard.press('End');
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('status').filter({ hasText: '2,400 entries' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Console' })).toContainText('filled');
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.reload();
  await expect(code(page)).toContainText("'MET_pt'");
  await page.getByRole('button', { name: 'Begin with the first text' }).click();
  await types.click();
  await expect(code(page)).toContainText('@property');
});
