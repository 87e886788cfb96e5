import { argumentError } from '../../base/errors';
import type { Range } from '../source';

/** Number of simultaneous requests to an http server. Browsers allow six, of which one is left for other tabs. */
export const HTTP_REQUESTS = typeof location === 'object' ? 5 : 6;

/** Number of ranges accepted by every http server that accepts several: Apache allows 200. */
export const FEW_PARTS = 160;

/** Maximum length of the header of an http request. Many servers accept 8 kB. */
const MAX_HEADER = 7800;

/** Returns the number of ranges that fit into one http request, with those of known bytes for comparison. */
export function mostParts(size = Number.MAX_SAFE_INTEGER): number {
  return Math.max(FEW_PARTS, Math.floor(MAX_HEADER / (2 * String(size).length + 2)) - 2);
}

/** Number of simultaneous requests to an XRootD server. */
export const XROOTD_REQUESTS = 6;

/** Maximum bytes of one read of an XRootD server. Longer ones are divided. */
export const MAX_XROOTD_READ = 2 * 1024 * 1024;

/** Limits of a server for a vector read. */
export interface VectorLimits {
  parts: number;
  bytes: number;
}

/** The limits that an XRootD server has by default (readv_iov_max, readv_ior_max). */
export const XROOTD_VECTORS: VectorLimits = { parts: 1024, bytes: 2_097_136 };

/** Divides the indices of ranges into vectors that the server accepts. */
export function vectorsOf(ranges: readonly Range[], limits: VectorLimits): number[][] {
  const vectors: number[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const [index, { length }] of ranges.entries()) {
    const last = vectors.at(-1);
    if (last && last.length < limits.parts && bytes + length <= limits.bytes) {
      last.push(index);
      bytes += length;
    } else {
      vectors.push([index]);
      bytes = length;
    }
  }
  return vectors;
}

/** Limits of simultaneous requests, by hosts in small letters; "*.example.org" is all hosts of a domain. */
let requestLimits: ReadonlyMap<string, number> = new Map();

/**
 * Parses "se.example.org=4,*.cern.ch=16": simultaneous requests to hosts, from 1 to 1000. A host may have its port. Throws ARGUMENT.
 */
export function parseRequestLimits(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const word of text.split(',').map((one) => one.trim())) {
    if (word === '') continue;
    const [, host = '', count = ''] = /^([^=\s/]+)=(\d{1,4})$/.exec(word) ?? [];
    const limit = Number(count);
    if (host === '' || limit < 1 || limit > 1000)
      throw argumentError(
        `"${word}" is no limit of requests.`,
        'Write HOST=N with N from 1 to 1000: se.example.org=4, or *.example.org=16 for all hosts of a domain.',
      );
    found.set(host.toLowerCase(), limit);
  }
  return found;
}

/** Sets the limits for all requests of this program that follow. */
export function limitRequests(limits: ReadonlyMap<string, number>): void {
  requestLimits = limits;
}

/** Returns the limit of a host; undefined if it has none. The longest name that fits decides. */
export function requestLimit({ host, hostname }: Pick<URL, 'host' | 'hostname'>): number | undefined {
  const [wanted, plain] = [host.toLowerCase(), hostname.toLowerCase()];
  const own = requestLimits.get(wanted) ?? requestLimits.get(plain);
  if (own !== undefined) return own;
  const fitting = [...requestLimits].filter(
    ([name]) => name.startsWith('*.') && plain.endsWith(name.slice(1)),
  );
  return fitting.sort(([a], [b]) => b.length - a.length)[0]?.[1];
}
