import { argumentError } from '../../../base/errors';

/** A name of a stored histogram: its file, and its path there. */
export interface StoredName {
  file: string;
  path: string;
}

/** Splits FILE:PATH. The file of a name without one is `given`. Throws ARGUMENT. */
export function splitName(name: string, given: string | undefined): StoredName {
  const [, file, path = ''] = /^(.*?\.(?:root|json)(?:\?[^:]*)?)(?::(.+))?$/s.exec(name) ?? [];
  if (file !== undefined) return { file, path };
  if (given !== undefined) return { file: given, path: name };
  const at = name.indexOf(':');
  if (at > 0 && !/^\w+:\/\//.test(name)) return { file: name.slice(0, at), path: name.slice(at + 1) };
  throw argumentError(
    `"${name}" names no file.`,
    'Write FILE:PATH, as a.root:dir/h; or name the file by --file.',
  );
}
