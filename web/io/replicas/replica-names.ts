// A file with several copies is written as their addresses with "|" between them: "root://a//f.root|https://b/f.root". One of
// the parts may be its logical name, "lfn:/store/f.root".
import { argumentError } from '../../base/errors';
import { protocolOf } from '../schemes';

/** Begins the logical name of a file. */
export const LOGICAL = 'lfn:';

/** Whether a text is the logical name of a file, and no address of one. */
export function isLogical(text: string): boolean {
  return text.startsWith(LOGICAL);
}

/** Whether a "|" before this text separates replicas; others belong to the name of a file. */
function beginsReplica(text: string): boolean {
  return isLogical(text) || protocolOf(text) !== undefined || /^\.{0,2}\//.test(text);
}

/** Splits a text at each "|" that is followed by an address, a logical name, or a path that begins with "/", "./" or "../". */
export const splitReplicas = (text: string): string[] => splitAt(text, '|');

/** Divides texts, each of which may have several replicas, into the logical name of the file and its addresses. */
export function replicasIn(texts: readonly string[]): { name: string | undefined; addresses: string[] } {
  const parts = texts.flatMap(splitReplicas);
  return { name: parts.find(isLogical), addresses: parts.filter((part) => !isLogical(part)) };
}

/** Splits a list of files with replicas at its commas, by the same rule. */
export const splitFiles = (text: string): string[] => splitAt(text, ',');

function splitAt(text: string, mark: string): string[] {
  const parts: string[] = [];
  for (const part of text.split(mark)) {
    if (parts.length === 0 || beginsReplica(part)) parts.push(part);
    else parts.push(`${parts.pop()}${mark}${part}`);
  }
  return parts;
}

/** Returns the address of a logical name on a redirector or another server: "root://host" and "/store/f.root" as root://host//store/f.root. */
export function addressAt(redirector: string, logical: string): string {
  const name = isLogical(logical) ? logical.slice(LOGICAL.length) : logical;
  let base = redirector;
  while (base.endsWith('/')) base = base.slice(0, -1);
  const protocol = protocolOf(`${base}/`);
  if (protocol === undefined || protocol === 'file')
    throw argumentError(
      `"${redirector}" is not the address of a redirector.`,
      'Write it as root://HOST, or as https://HOST/PREFIX.',
    );
  const isHost = /^[^:]+:\/\/[^/]+$/.test(base);
  const path = name.replace(/^\/+/, '');
  return `${base}${protocol === 'xrootd' && isHost ? '//' : '/'}${path}`;
}
