import { parseWhole, UsageError } from '../../../cli/arguments';
import { command } from '../../../cli/command';
import type { Context } from '../../../cli/context';
import { helpOption, jsonOption, valued } from '../../../cli/options';
import { startFileServer } from './file-server';
import { parseGatewayHosts } from './gateway';
import { copyPage } from './own-page';

/** Files that are named when it starts. */
const SHOWN_FILES = 20;

export const serve = command({
  usage: ['[FOLDER]', 'FILE'],
  about: `Serves the page, and the files of a folder (the current one if none is named) by byte ranges, so that they
can be opened in a browser by a link. Only files below the folder are given out; hidden ones are not. Of
a FILE, nothing beside it is given out; of a session (NAME.xylem.json) the ROOT files beside it that it names. Ends
when it is interrupted.`,
  examples: [
    ['', 'the page and the files of this folder'],
    ['sample.root', 'the page with one file'],
  ],
  options: {
    port: valued('N', 'default 8580; 0 chooses a free one'),
    host: valued(
      'ADDRESS',
      'default 127.0.0.1: this machine alone. 0.0.0.0 lets everybody on the network read what is in the folder, ' +
        'by an address or a name of this machine',
    ),
    origin: valued(
      'ORIGIN',
      'lets pages of this origin read the files, and show the page in a frame ("*": of any); default: only ' +
        'the own page',
    ),
    gateway: valued(
      'HOSTS',
      'lets the page open root:// addresses of these XRootD servers (HOST or HOST:PORT, separated by commas), in ' +
        'browsers that open the link with its key',
    ),
    'copy-page': valued(
      'TO',
      'writes the page into the folder TO, for a server of files of your own, and ends',
    ),
    ...jsonOption,
    ...helpOption,
  },
  json:
    'one line once it serves: {"url", "link", "folder", "files": [{"path", "link"}, …]}: link opens the page (with the ' +
    'key of the gateway, if there is one), those of files open them in the page.',
  async run(given, [path = '.'], context) {
    if (given['copy-page'] !== undefined) {
      await copyPage(given['copy-page']);
      return 0;
    }
    const port = parseWhole(given.port ?? '8580', '--port', 0, 65_535);
    const host = given.host ?? '127.0.0.1';
    const origin = given.origin;
    if (origin !== undefined && origin !== '*' && !isOrigin(origin)) {
      throw new UsageError(`--origin takes an origin such as https://example.org, or "*", not "${origin}".`);
    }
    const gateway = given.gateway === undefined ? undefined : parseGatewayHosts(given.gateway);
    const server = await startFileServer({ path, port, host, origin, gateway });
    try {
      if (given.json) await tellJson(server, context);
      else await tell(server, gateway, context);
      await interrupted();
    } finally {
      await server.close();
    }
    return 0;
  },
});

type Server = Awaited<ReturnType<typeof startFileServer>>;

async function tell(server: Server, gateway: readonly string[] | undefined, { out }: Context): Promise<void> {
  out.line(`Serving ${server.folder} at ${server.link}`);
  if (gateway) out.line(`The page opens root:// addresses of ${gateway.join(', ')}, by this link only.`);
  const files = await server.list();
  for (const { path, link } of files.slice(0, SHOWN_FILES)) out.line(`  ${path}  ${link}`);
  if (files.length > SHOWN_FILES) out.line(`  … and ${files.length - SHOWN_FILES} more`);
  if (files.length === 0) out.line('  There are no .root files in it yet.');
  await out.flush();
}

async function tellJson(server: Server, { out }: Context): Promise<void> {
  const { url, link, folder } = server;
  out.line(JSON.stringify({ url, link, folder, files: await server.list() }));
  await out.flush();
}

function isOrigin(text: string): boolean {
  try {
    return new URL(text).origin === text;
  } catch {
    return false;
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
