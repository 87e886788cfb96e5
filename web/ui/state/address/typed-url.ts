import { shortened } from '../../../base/text';
import { readableUrl, refused } from './url-state';

/**
 * Paths of Linux, macOS and Windows that are not addresses of a server: home folders, drives, mounted disks.
 */
const LOCAL_PATH =
  /^(?:\/(?:home|Users|root|tmp|mnt|media|Volumes|afs|nfs|scratch)\/|~|[a-z]:[\\/](?!\/)|[^/?#]*\\)/i;

/**
 * The address that a user means who types one into a field: "host.org/run.root" is https://host.org/run.root,
 * "localhost:8580/run.root" is http://localhost:8580/run.root, and others are handled as by `readableUrl`. Only for such fields: in a page or a link, "jane.li/run.root"
 * is a folder.
 */
export function typedUrl(typed: string, base: string): string {
  const text = typed.trim();
  if (LOCAL_PATH.test(text)) {
    throw refused(
      `"${shortened(text, 200)}" is a path on a computer, and a page cannot open paths.`,
      'Drop the file on the page, or choose it there; "xylem serve FILE" makes a link of it.',
    );
  }
  // A machine without a name of the internet, or with a port of its own, rarely has https.
  if (/^(localhost|\d+(\.\d+){3}|\[[\da-f:]+\]|[a-z][a-z\d-]*(?=:\d))(:\d+)?\/\S/i.test(text))
    return readableUrl(`http://${text}`, base);
  const hostLike = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?\/\S/i.test(text) && !/^[^/]+\.root\//i.test(text);
  return readableUrl(hostLike ? `https://${text}` : text, base);
}
