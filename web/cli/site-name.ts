import { createHmac, randomBytes } from 'node:crypto';
import { userSecret } from '../cache/node-own';

/**
 * The name of this machine under which a gateway serves its page. Cookies are the same for all ports of a name, and
 * a service worker stays with name and port: another user's server at "localhost" would get the cookie, and may have
 * left a service worker. Nobody else knows this name, which follows from a secret of the user. Browsers look it up
 * themselves, and it is the same at each start, so that what the page kept is found again; a new one where no secret
 * can be kept.
 */
export async function siteName(folder?: string): Promise<string> {
  const secret = await userSecret(folder).catch(() => randomBytes(32));
  const name = createHmac('sha256', secret).update('the name of the gateway').digest('hex');
  return `xylem-${name.slice(0, 20)}.localhost`;
}
