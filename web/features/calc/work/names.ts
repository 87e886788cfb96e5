/** Endings of files that a name of a histogram may begin with. */
const ENDINGS = ['.root', '.json'];

/** A name of a stored histogram: its file, and its path there; the path is empty if only a file is named. */
export interface StoredName {
  file: string;
  path: string;
}

/** Splits FILE:PATH, where FILE is a path or an address that may have a query. Returns undefined if no file is named. */
export function namedFile(name: string): StoredName | undefined {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const ending = ENDINGS.find((one) => name.startsWith(one, dot));
    if (ending === undefined) continue;
    const end = dot + ending.length;
    const next = name[end];
    if (next === undefined) return { file: name, path: '' };
    if (next !== ':' && next !== '?') continue;
    const colon = name.indexOf(':', end);
    return colon < 0 ? { file: name, path: '' } : { file: name.slice(0, colon), path: name.slice(colon + 1) };
  }
  return undefined;
}
