import { formatBytes, formatDuration } from '../../../base/format';
import { type CacheFacts, cacheCheck } from './probe-cache';
import { type Remedy, remediesFor, type ServerKind } from './probe-remedies';

/** Observations about a server. Sizes in bytes, times in ms. */
export interface ProbeFacts {
  url: string;
  finalUrl: string;
  redirected: boolean;
  /** The header Server. */
  server: string | undefined;
  status: number;
  /** Whether a range request was answered with that range. */
  partial: boolean;
  size: number | undefined;
  encoding: string | undefined;
  /** False if the browser hides headers that the server does not expose. */
  headersReadable: boolean;
  /** Whether the file is read, or would be, from another origin. */
  crossOrigin: boolean;
  origin: string | undefined;
  allowOrigin: string | undefined;
  exposeHeaders: string | undefined;
  contentRange: string | undefined;
  acceptRanges: string | undefined;
  etag: string | undefined;
  lastModified: string | undefined;
  contentType: string | undefined;
  /** Time until the first answer began, including connecting, in ms. */
  firstAnswerMs: number;
  /** Fastest and median time of requests for one byte. */
  latencyMs: number | undefined;
  medianMs: number | undefined;
  manyRanges: 'yes' | 'first only' | 'whole file' | 'refused' | 'wrong' | 'unknown';
  preflight:
    | { status: number; allowOrigin: string | undefined; allowHeaders: string | undefined; error?: string }
    | undefined;
  protocol: string | undefined;
  /** Undefined if no header reveals a cache. */
  cache: CacheFacts | undefined;
  oneConnection: { bytes: number; ms: number } | undefined;
  manyConnections: { bytes: number; ms: number } | undefined;
}

export type ProbeId =
  | 'ranges'
  | 'encoding'
  | 'cors'
  | 'headers'
  | 'validators'
  | 'many-ranges'
  | 'preflight'
  | 'protocol'
  | 'latency'
  | 'cache'
  | 'throughput';

/** `bad`: a page cannot read the file well. `poor`: it can, but something should be improved. */
export type ProbeState = 'good' | 'poor' | 'bad' | 'unknown';

export interface ProbeCheck {
  id: ProbeId;
  title: string;
  state: ProbeState;
  /** The observation. */
  found: string;
  /** Its consequence, if there is one. */
  meaning?: string | undefined;
}

export interface ProbeReport {
  facts: ProbeFacts;
  checks: ProbeCheck[];
  /** The kind of server, from its header; undefined if the header is missing or unknown. */
  kind: ServerKind | undefined;
  /** Configuration lines for missing features, those for the detected server first; empty if nothing is missing. */
  remedies: Remedy[];
}

/** Headers that a reader needs and that a browser hides unless they are exposed. */
const EXPOSED = ['content-range', 'etag'];

export function judge(facts: ProbeFacts): ProbeReport {
  const checks = [
    ranges(facts),
    encoding(facts),
    cors(facts),
    readable(facts),
    validators(facts),
    manyRanges(facts),
    preflight(facts),
    protocol(facts),
    latency(facts),
    cacheCheck(facts.cache),
    throughput(facts),
  ];
  const kind = serverKind(facts);
  const missing = checks.filter(({ state }) => state === 'bad' || state === 'poor').map(({ id }) => id);
  return { facts, checks, kind, remedies: remediesFor(missing, kind, facts.origin) };
}

function ranges(facts: ProbeFacts): ProbeCheck {
  const check = { id: 'ranges', title: 'Ranges of bytes' } as const;
  if (facts.partial) return { ...check, state: 'good', found: '206: the range that was asked for' };
  return {
    ...check,
    state: 'bad',
    found: facts.status === 200 ? '200: the whole file' : `${facts.status}, and not the range asked for`,
    meaning: 'The file has to be downloaded as a whole before anything of it is seen.',
  };
}

function encoding({ encoding: coded }: ProbeFacts): ProbeCheck {
  const check = { id: 'encoding', title: 'Transfer encoding' } as const;
  if (coded === undefined) return { ...check, state: 'good', found: 'none' };
  return {
    ...check,
    state: 'bad',
    found: coded,
    meaning:
      'Ranges are cut from the compressed bytes, so that they mean nothing. ROOT files are compressed already.',
  };
}

function cors(facts: ProbeFacts): ProbeCheck {
  const check = { id: 'cors', title: 'Reading from other origins' } as const;
  const { allowOrigin, origin, crossOrigin } = facts;
  if (allowOrigin !== undefined && (allowOrigin === '*' || origin === undefined || allowOrigin === origin)) {
    return { ...check, state: 'good', found: `Access-Control-Allow-Origin: ${allowOrigin}` };
  }
  if (typeof location === 'object' && crossOrigin) {
    return { ...check, state: 'good', found: 'this page may read it' };
  }
  if (allowOrigin === undefined && origin === undefined) {
    return { ...check, state: 'unknown', found: 'the file has the same origin as this page' };
  }
  return {
    ...check,
    state: 'bad',
    found: allowOrigin === undefined ? 'no Access-Control-Allow-Origin' : `only ${allowOrigin}`,
    meaning: 'Pages of other origins cannot read the file; their browsers refuse.',
  };
}

function readable(facts: ProbeFacts): ProbeCheck {
  const check = { id: 'headers', title: 'Headers that a page may see' } as const;
  const exposed = (facts.exposeHeaders ?? '').toLowerCase().split(/[\s,]+/);
  const hidden = EXPOSED.filter((name) => !exposed.includes(name) && !exposed.includes('*'));
  if (!facts.crossOrigin)
    return { ...check, state: 'unknown', found: 'the file has the same origin as this page' };
  const seen = typeof location === 'object' && facts.contentRange !== undefined && facts.etag !== undefined;
  if (seen || hidden.length === 0) return { ...check, state: 'good', found: 'Content-Range, ETag' };
  return {
    ...check,
    state: 'poor',
    found: `hidden: ${hidden.map((name) => (name === 'etag' ? 'ETag' : 'Content-Range')).join(', ')}`,
    meaning: 'A page cannot check which range it got, nor notice by its ETag that the file was replaced.',
  };
}

function validators({ etag, lastModified, crossOrigin }: ProbeFacts): ProbeCheck {
  const check = { id: 'validators', title: 'Validators' } as const;
  const there = [etag && `ETag ${etag}`, lastModified && `Last-Modified ${lastModified}`].filter(Boolean);
  if (there.length > 0) return { ...check, state: 'good', found: there.join(', ') };
  const hidden = typeof location === 'object' && crossOrigin;
  return {
    ...check,
    state: hidden ? 'unknown' : 'poor',
    found: hidden ? 'none that this page may see' : 'neither ETag nor Last-Modified',
    meaning: 'That the file was replaced is noticed by its contents only.',
  };
}

function manyRanges({ manyRanges: found }: ProbeFacts): ProbeCheck {
  const check = { id: 'many-ranges', title: 'Several ranges in one request' } as const;
  if (found === 'yes') return { ...check, state: 'good', found: 'yes, with the right bytes' };
  if (found === 'unknown') return { ...check, state: 'unknown', found: 'not tried' };
  return {
    ...check,
    state: 'poor',
    found: found === 'wrong' ? 'answered with other bytes than asked for' : `no: ${found}`,
    meaning: 'Scattered baskets take a request each; several requests at once make up for some of it.',
  };
}

function preflight({ preflight: asked }: ProbeFacts): ProbeCheck {
  const check = { id: 'preflight', title: 'Preflight' } as const;
  if (asked === undefined) return { ...check, state: 'unknown', found: 'a page cannot ask this itself' };
  const allows = /(^|[\s,])(\*|range)([\s,]|$)/i.test(asked.allowHeaders ?? '');
  if (asked.status >= 200 && asked.status < 300 && asked.allowOrigin !== undefined && allows) {
    return { ...check, state: 'good', found: `${asked.status}, Range is allowed` };
  }
  return {
    ...check,
    state: 'poor',
    found:
      asked.error ??
      (asked.allowOrigin === undefined
        ? `${asked.status} without permission`
        : `${asked.status}, Range is not allowed`),
    meaning:
      'Not needed for single ranges. Pages of other origins cannot ask for several at once, nor send a token.',
  };
}

function protocol({ protocol: spoken }: ProbeFacts): ProbeCheck {
  const check = { id: 'protocol', title: 'Protocol' } as const;
  if (spoken === undefined) return { ...check, state: 'unknown', found: 'not told' };
  if (/^h[23]/.test(spoken)) return { ...check, state: 'good', found: spoken };
  return {
    ...check,
    state: 'poor',
    found: spoken,
    meaning: 'A browser has at most six requests under way; with HTTP/2 many share a connection.',
  };
}

function latency({ latencyMs, medianMs, firstAnswerMs }: ProbeFacts): ProbeCheck {
  const check = { id: 'latency', title: 'Latency' } as const;
  if (latencyMs === undefined || medianMs === undefined) {
    return { ...check, state: 'unknown', found: `first answer after ${formatDuration(firstAnswerMs)}` };
  }
  const times = `${milliseconds(latencyMs)} at best, median ${milliseconds(medianMs)}; first answer after ${milliseconds(firstAnswerMs)}`;
  const slow = medianMs > 1000;
  return {
    ...check,
    state: slow ? 'poor' : 'good',
    found: times,
    meaning: slow ? 'Each request waits so long; few large ones are better than many.' : undefined,
  };
}

/** Several requests at once are not useful if they reach less than this fraction of the speed of one. */
const SLOWER_TOGETHER = 0.6;

function throughput({ oneConnection: one, manyConnections: many }: ProbeFacts): ProbeCheck {
  const check = { id: 'throughput', title: 'Throughput' } as const;
  if (!one || !many) return { ...check, state: 'unknown', found: 'the file is too small to tell' };
  const rate = ({ bytes, ms }: { bytes: number; ms: number }) => (bytes / Math.max(ms, 0.1)) * 1000;
  const found = `${formatBytes(rate(one))}/s with one request, ${formatBytes(rate(many))}/s with several`;
  if (rate(many) >= SLOWER_TOGETHER * rate(one)) return { ...check, state: 'good', found };
  return {
    ...check,
    state: 'poor',
    found,
    meaning:
      'Several requests at once are slower than one: the server, or a proxy before it, answers them in turn.',
  };
}

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : formatDuration(ms);
}

function serverKind({ server, url }: ProbeFacts): ServerKind | undefined {
  const name = (server ?? '').toLowerCase();
  if (name.includes('nginx') || name.includes('openresty')) return 'nginx';
  if (name.includes('apache')) return 'Apache';
  if (name.includes('xrootd') || name.includes('xrdhttp')) return 'XRootD';
  if (name.includes('amazons3') || name.includes('minio') || name.includes('ceph')) return 'S3';
  return /\bs3[.-]/i.test(url) ? 'S3' : undefined;
}
