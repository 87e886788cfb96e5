import { listOf, needed, opaque, optional, type Shape, TEXT } from '../../../base/shape';
import { isRemote, plainAddress, protocolOf } from '../../../io/schemes';
import { verb } from '../../../verbs/verb';
import { type ServerReport, serverReport } from '../work/server-report';

/** An address that a server answers. */
const REMOTE: Shape<string> = {
  ...opaque<string>('an http(s) or root:// address', (value) => typeof value === 'string' && isRemote(value)),
  schema: { type: 'string' },
  parse: (word) => (isRemote(word) ? plainAddress(word) : undefined),
};

/** An origin, as the header Origin has it. */
const ORIGIN: Shape<string> = {
  ...opaque<string>('an origin as https://HOST', isOrigin),
  schema: { type: 'string' },
  parse: (word) => (isOrigin(word) ? word : undefined),
};

function isOrigin(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    protocolOf(value) === 'http' &&
    URL.canParse(value) &&
    new URL(value).origin === value
  );
}

export const probe = verb({
  name: 'probe',
  words: 'URL',
  about: `Asks a server for parts of a file in the ways in which a page would, and says what works, what is missing,
and which lines of its configuration repair it (nginx, Apache, XRootD, S3); and whether a cache lies on the way, and what
it keeps. Reads about 9 MB at most. Of a root:// address: what the server can do, the round trip, and the throughput;
reads 16 MB at most.`,
  examples: [
    ['https://example.org/sample.root', 'what a server can do'],
    ['https://example.org/sample.root --report server.html', 'the same as a page'],
  ],
  params: {
    url: needed(REMOTE, 'URL', 'Address of a file.'),
    origin: optional(
      ORIGIN,
      'ORIGIN',
      'the page that would read the file; default https://xylem.invalid, any origin',
    ),
    header: optional(
      listOf(TEXT),
      "'K: V'",
      'send this header with each request to the origin of URL; may be repeated',
    ),
  },
  json: `{"url", "ok", "server", "facts": {…}, "checks": [{"id", "state", "found", "meaning"}, …],
"remedies": [{"server", "place", "lines", "note"}, …]}; a state is good, poor, bad or unknown.
Of a root:// address the facts and checks are those of its protocol.`,
  exit: '1 when pages cannot read the file well: no ranges, an encoding, no permission for other origins.',
  async run({ url, origin, header }, { step }): Promise<ServerReport> {
    const { probeFromHere } = await import('./probe-host');
    return await probeFromHere(url, { origin, headers: header }, step);
  },
  report: (found) => serverReport(found),
  status: ({ ok }) => (ok ? 0 : 1),
});
