import { formatBytes } from '../base/format';
import { probeServer } from '../insight/probe';
import type { ProbeReport, ProbeState } from '../insight/probe-report';
import { commonOptions, parseCommand, parseHeaders, UsageError } from './arguments';
import type { Command, Context } from './context';
import { printable, tableLines } from './table';

const help = `Usage: xylem probe URL [--origin ORIGIN] [--json]

Asks a server for parts of a file in the ways in which a page would, and says what works, what is missing,
and which lines of its configuration mend it (nginx, Apache, XRootD, S3). Reads about 9 MB at most.

  --origin ORIGIN  the page that would read the file; default https://xylem.invalid, any origin
  --json           print JSON instead of text
  --header 'K: V'  send this header with each request; may be repeated
  -h, --help       show this text

The exit status is 1 when pages cannot read the file well: no ranges, an encoding, no permission for other
origins. JSON: {"url", "ok", "server", "facts": {…}, "checks": [{"id", "state", "found", "meaning"}, …],
"remedies": [{"server", "place", "lines", "note"}, …]}; a state is good, poor, bad or unknown.`;

const { help: helpOption, json, header } = commonOptions;
const options = { help: helpOption, json, header, origin: { type: 'string' } } as const;

const signs: Record<ProbeState, string> = { good: 'good', poor: 'poor', bad: 'BAD', unknown: '–' };

export const probe: Command = {
  help,
  async run(args, context) {
    const { values: given, positionals } = parseCommand(args, options, [1, 1]);
    const [url = ''] = positionals;
    if (!/^https?:\/\//i.test(url)) throw new UsageError(`"${url}" is no http(s) address.`);
    const headers = given.header === undefined ? undefined : parseHeaders(given.header);
    const report = await probeServer(url, {
      headers,
      origin: given.origin ?? 'https://xylem.invalid',
      protocol: () => spokenProtocol(new URL(url)),
      onStep: (label) => {
        if (context.interactive) context.err.put(`\r\u001b[K${label}`);
        void context.err.flush();
      },
    });
    if (context.interactive) context.err.put('\r\u001b[K');
    const ok = report.checks.every(({ state }) => state !== 'bad');
    if (given.json) context.out.line(JSON.stringify({ url, ok, server: report.kind ?? null, ...report }));
    else tell(report, context);
    return ok ? 0 : 1;
  },
};

function tell({ facts, checks, remedies }: ProbeReport, { out }: Context): void {
  const size = facts.size === undefined ? 'size not told' : formatBytes(facts.size);
  out.line(printable(`${facts.url}  ${size}${facts.server === undefined ? '' : `, ${facts.server}`}`));
  if (facts.redirected) out.line(printable(`redirected to ${facts.finalUrl}`));
  out.line();
  const rows = checks.map(({ title, state, found }) => [title, signs[state], found]);
  for (const line of tableLines([{ title: 'What' }, { title: 'State' }, { title: 'Found' }], rows))
    out.line(line);
  for (const { title, meaning } of checks) if (meaning !== undefined) out.line(`\n${title}: ${meaning}`);
  for (const { server, place, lines, note } of remedies) {
    out.line(`\n${server}, ${place}:`);
    for (const line of lines) out.line(`    ${line}`);
    if (note !== undefined) out.line(`    ${note}`);
  }
}

/** What the server would speak with a browser: over TLS it is agreed while connecting. */
async function spokenProtocol(url: URL): Promise<string | undefined> {
  if (url.protocol !== 'https:') return 'http/1.1';
  const { connect } = await import('node:tls');
  return await new Promise((done) => {
    const port = Number(url.port || 443);
    const socket = connect({
      host: url.hostname,
      port,
      servername: url.hostname,
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    const end = (spoken: string | undefined) => {
      socket.destroy();
      done(spoken);
    };
    socket.setTimeout(10_000, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('secureConnect', () => end(socket.alpnProtocol || 'http/1.1'));
  });
}
