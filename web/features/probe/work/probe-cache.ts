import type { ProbeCheck } from './probe-report';

/** Whether a cache had the bytes of an answer, had to fetch them, or does not say. */
type CacheAnswer = 'hit' | 'miss' | 'untold';

/** Observations about a cache between reader and server. */
export interface CacheFacts {
  /** The headers that reveal it, by lower-case names. */
  headers: Record<string, string>;
  /** Its program or service, if the headers name it. */
  name: string | undefined;
  /** The answer for a small range that probably nobody has requested before. */
  first?: CacheAnswer | undefined;
  /** The answer for the same range again. */
  again?: CacheAnswer | undefined;
  /** The answer for other bytes close to it. */
  near?: CacheAnswer | undefined;
}

const STATUS = ['x-cache-status', 'cf-cache-status', 'cache-status', 'x-proxy-cache', 'x-cache'] as const;
const SIGNS = [...STATUS, 'age', 'via', 'x-varnish', 'x-amz-cf-id', 'x-served-by'] as const;

/** Returns the headers of a cache; undefined if there are none. A page sees only headers that the server exposes. */
export function cacheHeaders(headers: Pick<Headers, 'get'>): Record<string, string> | undefined {
  const found = SIGNS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/**
 * Returns whether a cache had an answer, according to the headers. If there are several caches, one that had it is
 * enough.
 */
export function cacheAnswer(headers: Record<string, string>): CacheAnswer {
  const told = STATUS.map((name) => headers[name] ?? '').join(' ');
  if (/hit|stale|revalidated|updating/i.test(told) || Number(headers.age) > 0) return 'hit';
  return /\S/.test(told) || headers.age !== undefined ? 'miss' : 'untold';
}

/** Returns the program or service that sent the headers. `server` is the header Server. */
export function cacheName(headers: Record<string, string>, server = ''): string | undefined {
  const all = `${Object.entries(headers).flat().join(' ')} ${server}`.toLowerCase();
  const known: [sign: string, name: string][] = [
    ['cf-cache-status', 'Cloudflare'],
    ['cloudfront', 'CloudFront'],
    ['x-amz-cf-id', 'CloudFront'],
    ['squid', 'Squid'],
    ['varnish', 'Varnish'],
    ['x-served-by', 'Fastly'],
    ['nginx', 'nginx'],
  ];
  return known.find(([sign]) => all.includes(sign))?.[1];
}

/** Describes how a cache answers, and how best to read through it. */
export function cacheCheck(facts: CacheFacts | undefined): ProbeCheck {
  const check = { id: 'cache', title: 'Cache on the way' } as const;
  if (!facts) return { ...check, state: 'unknown', found: 'no header of one' };
  const { headers, name, first, again, near } = facts;
  const shown = Object.entries(headers).map(([key, value]) => `${key}: ${value}`);
  const by = `${name === undefined ? '' : `${name}, `}${shown.join(', ')}`;
  if (first === 'hit' || near === 'hit') {
    return {
      ...check,
      state: 'good',
      found: `${by}; keeps more of the file than the range that was asked for`,
      meaning:
        'What one reader has read costs the server nothing for the next, also in other ranges. --align with the size of its blocks makes each request one that it can answer from one block.',
    };
  }
  if (again === 'hit') {
    return {
      ...check,
      state: 'poor',
      found: `${by}; keeps each answer under its exact range`,
      meaning:
        'Readers share only what they ask for in the same ranges. With --align 1MiB all ask for the same ones; or let the cache keep blocks (nginx: slice).',
    };
  }
  if (again === 'miss') {
    return {
      ...check,
      state: 'poor',
      found: `${by}; a range that was asked for repeatedly was fetched again`,
      meaning:
        'It keeps no ranges, or is still fetching the file as a whole. Each reader costs the server everything that it reads.',
    };
  }
  return {
    ...check,
    state: 'unknown',
    found: by,
    meaning: 'It does not say whether an answer comes from what it keeps.',
  };
}
