import type { Answer } from './http-client';

/** Content of a Content-Range header: "bytes 0-99/1234", "bytes 0-99/*" or, with 416, "bytes *" + "/1234". */
export interface ContentRange {
  first?: number | undefined;
  last?: number | undefined;
  size?: number | undefined;
}

/** Returns the Content-Range of an answer; undefined if it is missing, hidden by CORS or not valid. */
export function contentRange(response: Answer): ContentRange | undefined {
  const text = response.headers.get('content-range');
  const match = text?.match(/^\s*bytes\s+(?:(\d{1,15})-(\d{1,15})|\*)\/(?:(\d{1,15})|\*)\s*$/i);
  if (!match) return undefined;
  const [first, last, size] = match.slice(1).map((digits) => (digits ? Number(digits) : undefined));
  return { first, last, size };
}

/** Returns the compression of the body for transfer; undefined if unknown. */
export function encodingOf(response: Answer): string | undefined {
  const encoding = response.headers.get('content-encoding')?.trim().toLowerCase();
  return encoding && encoding !== 'identity' ? encoding : undefined;
}

/**
 * Returns the length of the body as it arrives; undefined if it is not announced, or announced for a compressed form.
 */
export function contentLength(response: Answer): number | undefined {
  const text = response.headers.get('content-length');

  if (encodingOf(response) || !text || !/^\d{1,15}$/.test(text.trim())) return undefined;
  return Number(text);
}

/** Whether the body is a web page. Every page may read this header. */
export function isWebPage(response: Answer): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(response.headers.get('content-type') ?? '');
}

/** Returns false if the browser hides headers that the server did not expose (CORS). */
export function headersReadable(response: Answer): boolean {
  return response.type !== 'cors' && response.type !== 'opaque';
}

/**
 * Returns the header that identifies the content: a strong ETag, otherwise Last-Modified. A weak ETag may stay the
 * same while bytes change, so it is not used.
 */
export function validatorOf(response: Answer): { kind: string; value: string } | undefined {
  const etag = response.headers.get('etag');
  if (etag && !etag.startsWith('W/')) return { kind: 'ETag', value: etag };
  const modified = response.headers.get('last-modified');
  return modified ? { kind: 'Last-Modified', value: modified } : undefined;
}

/** Returns Retry-After in ms from now. The header gives seconds or a date. */
export function retryAfterMs(response: Answer, now = Date.now()): number | undefined {
  const text = response.headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
