import { formatBytes } from '../../base/format';
import type { ProbeState } from '../../insight/probe/probe-report';
import { parseXrootdUrl } from '../../io/xrootd/address';
import { httpsDoor } from '../../io/xrootd/gateway-source';
import type { XrootdFacts } from '../../io/xrootd/node-probe';
import type { Context } from '../context';
import { tableLines } from '../terminal/table';

interface Check {
  id: string;
  title: string;
  state: ProbeState;
  found: string;
  meaning?: string;
}

/** Four connections pay when they are this much faster than one. */
const PAYS = 1.5;

/** Probes a server of root:// and prints what it found. */
export async function probeXrootdServer(url: string, json: boolean, context: Context): Promise<number> {
  const { probeXrootd } = await import('../../io/xrootd/node-probe');
  const facts = await probeXrootd(url, {}, (label) => {
    if (!context.interactive) return;
    context.err.status(label);
    context.err.flush().catch(() => {});
  });
  if (context.interactive) context.err.status('');
  const door = await httpsDoor(parseXrootdUrl(url));
  const checks = [...checksOf(facts), doorCheck(door)];
  const ok = checks.every(({ state }) => state !== 'bad');
  const { out } = context;
  if (json) {
    out.line(JSON.stringify({ url: facts.url, ok, server: 'XRootD', facts, checks, remedies: [] }));
    return ok ? 0 : 1;
  }
  out.line(`${facts.url}  ${formatBytes(facts.size)}, XRootD ${facts.version ?? 'of unknown version'}`);
  if (facts.redirectedTo !== undefined) out.line(`redirected to ${facts.redirectedTo}`);
  out.line();
  const rows = checks.map(({ title, state, found }) => [title, state === 'bad' ? 'BAD' : state, found]);
  for (const line of tableLines(['What', 'State', 'Found'], rows)) out.line(line);
  for (const { title, meaning } of checks) if (meaning !== undefined) out.put(`\n${title}: ${meaning}\n`);
  return ok ? 0 : 1;
}

/** Whether browsers can read the file without a gateway. */
function doorCheck(door: string | undefined): Check {
  const named = { id: 'https', title: 'By https' };
  if (door !== undefined) return { ...named, state: 'good', found: door };
  const meaning = 'A page opens the file only where "xylem serve --gateway" serves the page.';
  return { ...named, state: 'poor', found: 'not found', meaning };
}

/** The facts, each with its meaning for reading. */
export function checksOf(facts: XrootdFacts): Check[] {
  const { throughput, throughputOfFour, vectorParts, vectorBytes, roundTrip } = facts;
  const rate = (value: number) => `${formatBytes(Math.round(value))}/s`;
  const check = (id: string, title: string, good: boolean, found: string, meaning: string): Check => ({
    ...{ id, title, state: good ? 'good' : 'poor', found },
    ...(!good && { meaning }),
  });
  return [
    {
      ...{ id: 'role', title: 'Role', state: 'good', found: facts.redirects ? 'redirector' : 'data server' },
      ...(facts.redirects && {
        meaning: 'Opening a file takes a connection more, to the data server that it names.',
      }),
    },
    { id: 'protocol', title: 'Protocol', state: 'good', found: facts.protocol },
    check(
      'vectors',
      'Vectors of reads',
      vectorParts > 1,
      vectorParts > 1 ? `${vectorParts} ranges of ${formatBytes(vectorBytes)}` : 'not told',
      'Each range is a request of its own, so that scattered baskets take longer.',
    ),
    check(
      'tls',
      'Encryption',
      facts.encrypted,
      facts.encrypted ? 'TLS' : 'none',
      'Others on the way can read the bytes; tokens are not sent. Write roots:// if the server can encrypt.',
    ),
    {
      ...{ id: 'login', title: 'Login', state: 'good' },
      found: facts.logins.length === 0 ? 'not asked for' : facts.logins.join(', '),
      ...(facts.logins.length > 0 && { meaning: 'Opening a file takes two round trips more.' }),
    },
    {
      id: 'roundTrip',
      title: 'Round trip',
      state: 'good',
      found: `${roundTrip.toFixed(roundTrip < 10 ? 2 : 0)} ms`,
    },
    check(
      'throughput',
      'Throughput',
      throughputOfFour < PAYS * throughput,
      `${rate(throughput)} on one connection, ${rate(throughputOfFour)} on four`,
      'One connection does not fill the link; xylem reads on one. Read several files at once.',
    ),
    check(
      'checksum',
      'Checksum of the file',
      facts.checksum !== undefined,
      facts.checksum ?? 'none',
      'A copy cannot be compared with the file on the server.',
    ),
    check(
      'checkedReads',
      'Checksums of pages',
      facts.checkedReads,
      facts.checkedReads ? 'offered' : 'not offered',
      'Damage on the way is seen only where TLS or the compression of the file notices it.',
    ),
  ];
}
