import { argumentError } from '../../../base/errors';
import { namedFile, type StoredName } from '../work/names';

/** Splits FILE:PATH. The file of a name without one is `given`. Throws ARGUMENT. */
export function splitName(name: string, given: string | undefined): StoredName {
  const found = namedFile(name);
  if (found !== undefined) return found;
  if (given !== undefined) return { file: given, path: name };
  const at = name.indexOf(':');
  if (at > 0 && !name.startsWith('://', at)) return { file: name.slice(0, at), path: name.slice(at + 1) };
  throw argumentError(
    `"${name}" names no file.`,
    'Write FILE:PATH, as a.root:dir/h; or name the file by --file.',
  );
}
