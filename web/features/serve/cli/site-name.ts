import { randomBytes } from 'node:crypto';

/**
 * The name of this machine under which a gateway serves its page, another one at each start. A service worker stays with
 * name and port: one that another user's server left at "localhost" would have the page, and its key. Browsers look the
 * name up themselves.
 */
export function siteName(): string {
  return `xylem-${randomBytes(10).toString('hex')}.localhost`;
}
