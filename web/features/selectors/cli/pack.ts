import { copyFile, mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sample } from '../../../api/selector';
import { argumentError, XylemError } from '../../../base/errors';
import { ioError } from '../../../base/io-error';
import { shellWord } from '../../../base/literal';
import { TEXT } from '../../../base/shape';
import { type Json, listOf, membersOf, recordOf } from '../../../measure/json';
import { readLocalFiles } from '../work/node-files';
import { loadForSamples } from '../work/selector';
import { codeOf, hashOfFile, loadRecorded, type SelectorCode } from './selector-code';
import { settingsOf } from './settings';
import { shellWords } from './shell-words';

/** The folder of a package beside the lists of a plan, and the file that names what belongs to it. */
const FOLDER = 'selector';
const LIST = 'xylem-selector.json';
const FORMAT = 'xylem-selector';

/** Returns the loaded code of a selector. Throws the errors of its code. */
async function loadCode(
  path: string,
  set: Readonly<Record<string, string>>,
  samples: readonly Sample[],
): Promise<SelectorCode> {
  readLocalFiles();
  await loadRecorded(path, () => loadForSamples(pathToFileURL(path).href, set, samples));
  return await codeOf(path);
}

/**
 * Copies a selector, with what it imports and reads, into a folder beside the lists of a plan. `words` are the selector and its
 * options, as a shell reads them. Returns the words with the path of the copy. Throws the errors of the code, IO, and ARGUMENT if
 * the copy would be other code: because it reads a file that is not below a common folder.
 */
export async function packSelector(
  words: string,
  folder: string,
  samples: readonly Sample[],
): Promise<string> {
  const all = shellWords(words);
  const [first] = all;
  if (!first || first.changes) {
    throw argumentError(
      `"${words}" does not begin with the name of a selector.`,
      'Name the file of the selector first: "zpeak.mjs --set low=60".',
    );
  }
  const given = all.flatMap(({ text }, i) => {
    if (text.startsWith('--set=')) return [text.slice('--set='.length)];
    return text === '--set' ? [all[i + 1]?.text ?? ''] : [];
  });
  const set = settingsOf(given);
  const path = resolve(first.text);
  const code = await loadCode(path, set, samples);
  const copy = await copyOf(path, code, resolve(folder, FOLDER));
  const copied = await loadCode(copy, set, samples);
  const wanted = namesOf(code);
  const found = namesOf(copied);
  const odd = wanted.find((one) => !found.includes(one)) ?? found.find((one) => !wanted.includes(one));
  const outside = Object.keys(copied.paths).find((one) => !one.startsWith(resolve(folder, FOLDER) + sep));
  if (odd !== undefined || outside !== undefined) {
    throw argumentError(
      `The selector ${first.text} cannot travel: its copy reads ${outside ?? `another ${odd}`}.`,
      "Declare the files that it reads, with paths relative to the module: files: { sf: 'muon_sf.json' }.",
      { path },
    );
  }
  const shown = relative('', copy);
  const word = shellWord(shown.startsWith('..') ? copy : shown);
  return words.slice(0, first.from) + word + words.slice(first.to);
}

function namesOf({ hash, files }: SelectorCode): string[] {
  return [hash, ...files.map((file) => `${file.name}, ${file.hash}`)];
}

/** Copies the files of a selector, and writes their list. Returns the path of the copied module. */
async function copyOf(path: string, { paths }: SelectorCode, folder: string): Promise<string> {
  const files = Object.keys(paths);
  const root = commonFolder([...files.filter((one) => !isPackaged(one)), path]);
  const listed: { name: string; hash: string }[] = [];
  const to = join(folder, relative(root, path));
  try {
    await makeEmpty(folder);
    const copies = new Map<string, string>();
    const own = await realpath(path);
    for (const file of files) copies.set(file, placeOf(file === own ? path : file, root));
    for (const [file, place] of [...copies])
      for (const record of await recordsOf(file, place)) copies.set(record.file, record.place);
    for (const [file, place] of copies) {
      const copy = join(folder, place);
      await mkdir(dirname(copy), { recursive: true });
      await copyFile(file, copy);
      listed.push({ name: place.split(sep).join('/'), hash: await hashOfFile(copy) });
    }
    listed.sort((a, b) => (a.name < b.name ? -1 : 1));
    await writeFile(join(folder, LIST), `${JSON.stringify({ format: FORMAT, files: listed }, null, 1)}\n`);
  } catch (thrown) {
    if (thrown instanceof XylemError) throw thrown;
    throw ioError(`The selector cannot be copied to "${folder}"`, thrown as NodeJS.ErrnoException, folder);
  }
  return to;
}

/** Removes the package of an earlier plan. Throws ARGUMENT for a folder that is not one. */
async function makeEmpty(folder: string): Promise<void> {
  const there = await readdir(folder).catch((): string[] => []);
  if (there.length > 0 && !there.includes(LIST)) {
    throw argumentError(
      `"${folder}" has other files than those of a plan, and is kept.`,
      'Name another folder by --out.',
      { path: folder },
    );
  }
  await rm(folder, { recursive: true, force: true });
}

const isPackaged = (path: string): boolean => path.split(sep).includes('node_modules');

/** The place of a file below the folder of a package; one of node_modules is at the top, where all its modules find it. */
function placeOf(path: string, root: string): string {
  if (!isPackaged(path)) return relative(root, path);
  const parts = path.split(sep);
  return parts.slice(parts.indexOf('node_modules')).join(sep);
}

/** The package.json files that Node reads to find a module. */
async function recordsOf(file: string, place: string): Promise<{ file: string; place: string }[]> {
  const found: { file: string; place: string }[] = [];
  let [from, at] = [dirname(file), dirname(place)];
  for (let level = 0; level < 32; level++) {
    const record = join(from, 'package.json');
    if (
      await stat(record).then(
        (one) => one.isFile(),
        () => false,
      )
    )
      found.push({ file: record, place: join(at, 'package.json') });
    if (at === '.' || basename(at) === 'node_modules') break;
    [from, at] = [dirname(from), dirname(at)];
  }
  return found;
}

function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => dirname(path).split(sep));
  let count = 0;
  while (count < first.length && others.every((parts) => parts[count] === first[count])) count += 1;
  return first.slice(0, count).join(sep) || sep;
}

/**
 * Throws FILE_CHANGED if a selector belongs to a package, and a file of it is not as it was packed. Other selectors belong to no
 * package.
 */
export async function checkPackage(path: string): Promise<void> {
  let folder = dirname(path);
  for (let level = 0; level < 8; level++) {
    const list = join(folder, LIST);
    const text = await readFile(list, 'utf8').catch(() => undefined);
    if (text !== undefined) {
      await checkListed(folder, list, text);
      return;
    }
    if (dirname(folder) === folder) return;
    folder = dirname(folder);
  }
}

async function checkListed(folder: string, list: string, text: string): Promise<void> {
  const files = listOf(recordOf(parsed(text))?.files, (one: Json) =>
    membersOf(one, { name: TEXT, hash: TEXT }),
  );
  if (!files)
    throw argumentError(`"${list}" is not the list of a packed selector.`, 'Make the plan again.', {
      path: list,
    });
  for (const { name, hash } of files) {
    const file = resolve(folder, name);
    const found = file.startsWith(folder + sep) ? await hashOfFile(file).catch(() => undefined) : undefined;
    if (found === hash) continue;
    throw new XylemError({
      code: 'FILE_CHANGED',
      message: `${name} of the packed selector ${found === undefined ? 'is missing' : 'is not the file that was packed'}.`,
      where: { path: file },
      fix: 'Make the plan again, with the code that all tasks are to have.',
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
