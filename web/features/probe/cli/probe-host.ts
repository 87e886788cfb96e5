import { parseHeaders } from '../../../cli/arguments';
import { callOf } from '../../../cli/calls';
import { parseXrootdUrl, protocolOf } from '../../../io/schemes';
import { probeServer } from '../work/probe';
import { type ServerReport, serverFound } from '../work/server-report';
import { checksOf, doorCheck } from './xrootd-checks';

const NO_XROOTD = 'speaks to no XRootD servers';

/** How a server is probed. */
interface ProbeAsked {
  /** The origin of the page that would read the file. */
  origin?: string | undefined;
  /** Headers of the requests, each "Name: value". */
  headers?: readonly string[] | undefined;
}

/** Probes a server from this machine. */
export async function probeFromHere(
  url: string,
  { origin = 'https://xylem.invalid', headers }: ProbeAsked,
  onStep: (label: string) => void,
): Promise<ServerReport> {
  return await (protocolOf(url) === 'xrootd'
    ? probeXrootdServer(url, onStep)
    : probeHttpServer(url, { origin, headers }, onStep));
}

async function probeHttpServer(
  url: string,
  { origin, headers }: ProbeAsked,
  onStep: (label: string) => void,
): Promise<ServerReport> {
  const { createNodeSend } = await import('../../../io/http/node-http');
  const report = await probeServer(url, {
    headers: headers && parseHeaders(headers),
    send: createNodeSend(),
    origin,
    protocol: () => spokenProtocol(new URL(url)),
    onStep,
  });
  return serverFound(report);
}

async function probeXrootdServer(url: string, onStep: (label: string) => void): Promise<ServerReport> {
  const [probeXrootd, httpsDoor] = await Promise.all([
    callOf('probeXrootd', NO_XROOTD),
    callOf('httpsDoor', NO_XROOTD),
  ]);
  const facts = await probeXrootd(url, onStep);
  const checks = [...checksOf(facts), doorCheck(await httpsDoor(parseXrootdUrl(url)))];
  const ok = checks.every(({ state }) => state !== 'bad');
  return { url: facts.url, ok, server: 'XRootD', facts, checks, remedies: [] };
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
