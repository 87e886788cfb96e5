import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder, putWhole } from '../cache/node-plain';
import { defaultCacheFolder } from '../cache/node-user-folder';
import { readSecret } from '../io/node-token';

const NAME = /^xylem-[0-9a-f]{20}\.localhost$/;

/**
 * The name of this machine under which a gateway serves its page. Cookies are the same for all ports of a name, and
 * a service worker stays with name and port: another user's server at "localhost" would get the cookie, and may have
 * left a service worker. Nobody else knows this name. Browsers look it up themselves, and it is the same at each start,
 * so that what the page kept is found again. A new one where it cannot be kept.
 */
export async function siteName(folder = defaultCacheFolder()): Promise<string> {
  const path = join(folder, 'gateway-name');
  const known = await readSecret(path, process.getuid?.(), true).catch(() => undefined);
  if (known !== undefined && NAME.test(known)) return known;
  const name = `xylem-${randomBytes(10).toString('hex')}.localhost`;
  await makeFolder(folder)
    .then(() => putWhole(path, name))
    .catch(() => {});
  return name;
}
