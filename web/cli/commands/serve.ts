import { parseCommand, parseWhole, UsageError } from './arguments';
import type { Command, Context } from './context';
import { startFileServer } from './file-server';
import { printable } from './table';

const help = `Usage: xylem serve [FOLDER | FILE] [--port N] [--host ADDRESS] [--origin ORIGIN] [--json]

Serves the page, and the files of a folder (the current one if none is named) by byte ranges, so that they
can be opened in a browser by a link. Only files below the folder are given out; hidden ones are not. Of
a FILE, nothing beside it is given out. Ends when it is interrupted.

  --port N          default 8580; 0 takes any that is free
  --host ADDRESS    default 127.0.0.1: this machine alone. 0.0.0.0 lets everybody on the network read
                    what is in the folder
  --origin ORIGIN   lets pages of this origin read the files ("*": of any); default: only the own page
  --json            print JSON instead of text
  -h, --help        show this text

JSON, one line once it serves: {"url", "folder", "files": [{"path", "link"}, …]}: links open files in the page.`;

const options = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  origin: { type: 'string' },
} as const;

/** Files that are named when it starts. */
const shownFiles = 20;

export const serve: Command = {
  help,
  async run(args, context) {
    const { values: given, positionals } = parseCommand(args, options, [0, 1]);
    const port = parseWhole(given.port ?? '8580', '--port', 0, 65_535);
    const host = given.host ?? '127.0.0.1';
    const origin = given.origin;
    if (origin !== undefined && origin !== '*' && !isOrigin(origin)) {
      throw new UsageError(`--origin takes an origin such as https://example.org, or "*", not "${origin}".`);
    }
    const server = await startFileServer({ path: positionals[0] ?? '.', port, host, origin });
    try {
      if (given.json) await tellJson(server, context);
      else await tell(server, context);
      await interrupted();
    } finally {
      await server.close();
    }
    return 0;
  },
};

type Server = Awaited<ReturnType<typeof startFileServer>>;

async function tell(server: Server, { out }: Context): Promise<void> {
  out.line(`Serving ${printable(server.folder)} at ${server.url}`);
  const files = await server.list();
  for (const { path, link } of files.slice(0, shownFiles)) out.line(`  ${printable(path)}  ${link}`);
  if (files.length > shownFiles) out.line(`  … and ${files.length - shownFiles} more`);
  if (files.length === 0) out.line('  There are no .root files in it yet.');
  await out.flush();
}

async function tellJson(server: Server, { out }: Context): Promise<void> {
  const { url, folder } = server;
  out.line(JSON.stringify({ url, folder, files: await server.list() }));
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
