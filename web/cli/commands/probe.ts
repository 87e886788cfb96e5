import { formatBytes } from '../../base/format';
import { probeServer } from '../../insight/probe/probe';
import type { ProbeReport, ProbeState } from '../../insight/probe/probe-report';
import { protocolOf } from '../../io/schemes';
import { parseHeaders, UsageError } from '../arguments';
import { command } from '../command';
import type { Context } from '../context';
import { headerOption, helpOption, jsonOption, valued } from '../options';
import { tableLines } from '../terminal/table';
import { probeXrootdServer } from './probe-xrootd';

const signs: Record<ProbeState, string> = { good: 'good', poor: 'poor', bad: 'BAD', unknown: '–' };

export const probe = command({
  usage: ['URL'],
  about: `Asks a server for parts of a file in the ways in which a page would, and says what works, what is missing,
and which lines of its configuration repair it (nginx, Apache, XRootD, S3); and whether a cache lies on the way, and what
it keeps. Reads about 9 MB at most. Of a root:// address: what the server can do, the round trip, and the throughput;
reads 16 MB at most.`,
  options: {
    origin: valued('ORIGIN', 'the page that would read the file; default https://xylem.invalid, any origin'),
    ...jsonOption,
    header: {
      ...headerOption.header,
      about: 'send this header with each request to the origin of URL; may be repeated',
    },
    ...helpOption,
  },
  json: `{"url", "ok", "server", "facts": {…}, "checks": [{"id", "state", "found", "meaning"}, …],
"remedies": [{"server", "place", "lines", "note"}, …]}; a state is good, poor, bad or unknown.
Of a root:// address the facts and checks are those of its protocol.`,
  exit: `1 when pages cannot read the file well: no ranges, an encoding, no permission for other origins.`,
  async run(given, [url = ''], context) {
    if (protocolOf(url) === 'xrootd') return await probeXrootdServer(url, given.json === true, context);
    if (protocolOf(url) !== 'http') throw new UsageError(`"${url}" is no http(s) or root:// address.`);
    const headers = given.header === undefined ? undefined : parseHeaders(given.header);
    const { createNodeSend } = await import('../../io/http/node-http');
    const report = await probeServer(url, {
      headers,
      send: createNodeSend(),
      origin: given.origin ?? 'https://xylem.invalid',
      protocol: () => spokenProtocol(new URL(url)),
      onStep: (label) => {
        if (!context.interactive) return;
        context.err.status(label);
        context.err.flush().catch(() => {});
      },
    });
    if (context.interactive) context.err.status('');
    const ok = report.checks.every(({ state }) => state !== 'bad');
    if (given.json)
      context.out.line(JSON.stringify({ url: report.facts.url, ok, server: report.kind ?? null, ...report }));
    else tell(report, context);
    return ok ? 0 : 1;
  },
});

function tell({ facts, checks, remedies }: ProbeReport, { out }: Context): void {
  const size = facts.size === undefined ? 'size not told' : formatBytes(facts.size);
  out.line(`${facts.url}  ${size}${facts.server === undefined ? '' : `, ${facts.server}`}`);
  if (facts.redirected) out.line(`redirected to ${facts.finalUrl}`);
  out.line();
  const rows = checks.map(({ title, state, found }) => [title, signs[state], found]);
  for (const line of tableLines(['What', 'State', 'Found'], rows)) out.line(line);
  for (const { title, meaning } of checks) if (meaning !== undefined) out.put(`\n${title}: ${meaning}\n`);
  for (const { server, place, lines, note } of remedies) {
    out.put(`\n${server}, ${place}:\n`);
    for (const line of lines) out.line(`    ${line}`);
    if (note !== undefined) out.line(`    ${note}`);
  }
}

/** The protocol that the server would use with a browser: over TLS it is agreed on while connecting. */
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
