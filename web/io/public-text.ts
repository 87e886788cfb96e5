// Addresses in messages.
import { splitScheme } from './schemes';

/** Characters that end an address in a text. */
const AROUND = /([\s"'<>])/;
/** A part of a hash that replaces a query in the names of files. */
const HASH = /^\?[0-9a-f]{16}(?![0-9a-z])/;
/** Characters after an address that belong to the sentence. */
const AFTER = ')]:;,.';

/** User and password before a host. Names with "::" are C++ names, and "@4096" is a position in a file. */
const USER = /^[^@:]*:(?!:)[^@]*@(?!\d+$)/;
/** The first parameter of a query; in an expression "==" may follow "?". */
const PARAMETER = /(?:[?#][\w.%~-]+|%3f[\w.~-]+)=(?!=)/i;
/** The part after the path of an address. */
const QUERY = /[?#]|%3f[\w.~-]+=/i;

/**
 * Returns a message in which addresses have no users, passwords, queries and fragments. In texts that are not valid
 * addresses because a character is wrong or missing, passwords and parameters are removed.
 */
export function publicText(text: string): string {
  if (!/[@?#]|%3f/i.test(text)) return text;
  return text.split(AROUND).map(publicWord).join('');
}

/** Also handles an address that the system turned into a path: "folder/https:/host/file". */
function publicWord(word: string): string {
  const scheme = word.indexOf(':/');
  if (scheme < 1) return oddWord(word);
  const query = word.slice(scheme).search(QUERY);
  const end = query < 0 ? word.length : scheme + query;
  const path = word.slice(scheme, end).split('/').map(withoutUser).join('/');
  if (query < 0 || HASH.test(word.slice(end, end + 18)))
    return word.slice(0, scheme) + path + word.slice(end);
  let after = word.length;
  while (after > end && AFTER.includes(word[after - 1] ?? '')) after--;
  return word.slice(0, scheme) + path + word.slice(after);
}

function oddWord(word: string): string {
  const query = word.search(PARAMETER);
  const end = query < 0 ? word.length : query;
  const names = word.slice(0, end).split(/([/\\])/);
  let after = word.length;
  while (query >= 0 && after > end && AFTER.includes(word[after - 1] ?? '')) after--;
  return names.map(withoutPair).join('') + (query < 0 ? '' : word.slice(after));
}

/** Removes user and password before a name. A scheme before them is kept. */
function withoutPair(name: string): string {
  const rest = splitScheme(name, ':')?.rest ?? '';
  return !rest.startsWith(':') && USER.test(rest)
    ? name.slice(0, -rest.length) + rest.replace(USER, '')
    : name.replace(USER, '');
}

/** Removes a user from a part of a path. Names of files may contain "@". */
function withoutUser(part: string, index: number): string {
  const at = part.lastIndexOf('@');
  // The host follows "://" or, in a path, ":/".
  return at >= 0 && (index < 3 || part.slice(0, at).includes(':')) ? part.slice(at + 1) : part;
}
