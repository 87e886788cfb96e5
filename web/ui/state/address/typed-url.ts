import { shortened } from '../../../base/text';
import { readableUrl, refused } from './url-state';

/**
 * Paths of Linux, macOS and Windows that are not addresses of a server: home folders, drives, mounted disks.
 */
const LOCAL_PATH =
  /^(?:\/(?:home|Users|root|tmp|mnt|media|Volumes|afs|nfs|scratch)\/|~|[a-z]:[\\/](?!\/)|[^/?#]*\\)/i;

/**
 * Returns the address that a user typed into a field: "host.org/run.root" means https://host.org/run.root,
 * "localhost:8580/run.root" means http://localhost:8580/run.root; others are handled by `readableUrl`. Only for such
 * fields: in a page or a link, "jane.li/run.root" is a relative path.
 */
export function typedUrl(typed: string, base: string): string {
  const text = typed.trim();
  if (LOCAL_PATH.test(text)) {
    throw refused(
      `"${shortened(text, 200)}" is a path on a computer, and a page cannot open paths.`,
      'Drop the file on the page, or choose it there; "xylem serve FILE" makes a link of it.',
    );
  }
  // A machine without an internet name, or with a port, rarely supports https.
  if (/^(localhost|\d+(\.\d+){3}|\[[\da-f:]+\]|[a-z][a-z\d-]*(?=:\d))(:\d+)?\/\S/i.test(text))
    return readableUrl(`http://${text}`, base);
  const hostLike = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?\/\S/i.test(text) && !/^[^/]+\.root\//i.test(text);
  return readableUrl(hostLike ? `https://${text}` : text, base);
}
