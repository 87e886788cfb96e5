import { argumentError } from '../../base/errors';
import { splitScheme } from '../schemes';

/** Header with the key of the gateway. */
export const KEY_HEADER = 'x-xylem-key';

/** Path of the gateway on the server of the page. */
export const GATEWAY_PATH = '/root/';
/** Path of the gateway for files that it must read over an encrypted connection. */
const SECURE_PATH = '/roots/';

/** Returns the path by which the gateway reads the file of a root:// address: "/root/HOST//PATH". */
export function pathOnGateway(url: string): string {
  const scheme = splitScheme(url);
  const [, host = '', rest = ''] = /^([^/]*)(\/[^#]*)/.exec(scheme?.rest ?? '') ?? [];
  const at = rest.indexOf('?');
  const path = at < 0 ? rest : rest.slice(0, at);
  // Names of files may contain characters that end the path of an http address.
  const names = path.split('/').map(encodeURIComponent).join('/');
  return `${scheme?.secure ? SECURE_PATH : GATEWAY_PATH}${encodeURIComponent(host)}${names}${at < 0 ? '' : rest.slice(at)}`;
}

/** Whether the gateway answers requests with this path. */
export function isGatewayPath(target: string): boolean {
  return target.startsWith(GATEWAY_PATH) || target.startsWith(SECURE_PATH);
}

/** Returns the root:// address for a path from `pathOnGateway`. Throws ARGUMENT. */
export function parseGatewayPath(target: string): string {
  const [, scheme, host = '', path = '', opaque = ''] =
    /^\/(root|roots)\/([^/?]+)(\/[^?]*)(\?.*)?$/.exec(target) ?? [];
  try {
    const place = decodeURIComponent(host);
    const text = place + decodeURIComponent(path);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    const isPlain = !/[\0-\x1f\x7f?#]/.test(text) && !place.includes('/');
    if (scheme && isPlain) return `${scheme}://${text}${opaque}`;
  } catch {
    // Invalid escapes: told below.
  }
  throw argumentError(
    'This is not a path of the gateway.',
    'It reads /root/HOST//PATH and /root/HOST:PORT//PATH.',
  );
}
