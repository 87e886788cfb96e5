import { formatBytes } from '../../../base/format';
import type { XrootdFacts } from '../../../cli/part';
import type { ServerCheck } from '../work/server-report';

/** Several connections are recommended if four are this much faster than one. */
const PAYS = 1.5;

/** Returns whether browsers can read the file without a gateway. `door` is its address over HTTPS. */
export function doorCheck(door: string | undefined): ServerCheck {
  const named = { id: 'https', title: 'By https' };
  if (door !== undefined) return { ...named, state: 'good', found: door };
  const meaning = 'A page opens the file only where "xylem serve --gateway" serves the page.';
  return { ...named, state: 'poor', found: 'not found', meaning };
}

/** Returns the features of an XRootD server, each with its effect on reading. */
export function checksOf(facts: XrootdFacts): ServerCheck[] {
  const { throughput, throughputOfFour, vectorParts, vectorBytes, roundTrip } = facts;
  const rate = (value: number) => `${formatBytes(Math.round(value))}/s`;
  const check = (id: string, title: string, good: boolean, found: string, meaning: string): ServerCheck => ({
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
