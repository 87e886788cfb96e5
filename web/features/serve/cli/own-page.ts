import { access, copyFile, mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { XylemError } from '../../../base/errors';
import { ioError } from '../../../base/io-error';
import { type ServedFolder, servedFolder } from './served-folder';

/** Returns the folder of the built page, which the package has beside that of its parts. Throws IO if it is not built. */
export async function pageFolder(): Promise<string> {
  for (const place of ['../page', '../../../../dist/page']) {
    const folder = fileURLToPath(new URL(place, import.meta.url));
    const found = await access(join(folder, 'index.html')).then(
      () => true,
      () => false,
    );
    if (found) return realpath(folder);
  }
  throw new XylemError({
    code: 'IO',
    message: 'The page is not built.',
    fix: 'Run "npm run build" first.',
  });
}

/**
 * The files of the page. The package has JSROOT's frame, what selectors need, libraries, fonts, and the modules of the core once, beside the
 * page, for the element and the library, too; the page knows the modules by names with a checksum.
 */
export function ownPage(folder: string): ServedFolder {
  const own = servedFolder(folder);
  const beside = servedFolder(dirname(folder));
  return {
    find: async (path) => {
      const file = await own.find(path);
      if (file || /^(jsroot|selector)\//.test(path)) return file ?? beside.find(path);
      if (/^assets\/shared-[\w-]+\.js$/.test(path))
        return beside.find(path.replace('assets', 'xylem-viewer'));
      const module = /^assets\/(xylem(?:-[a-z]+)?)-[\w-]{8}\.wasm$/.exec(path)?.[1];
      return module === undefined ? undefined : beside.find(`${module}.wasm`);
    },
  };
}

/** Writes the whole page into a folder, from which any server of files can give it out. Throws IO. */
export async function copyPage(to: string): Promise<void> {
  const folder = await pageFolder();
  const page = ownPage(folder);
  const there = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = there.flatMap((one) =>
    one.isFile()
      ? [
          join(one.parentPath, one.name)
            .slice(folder.length + 1)
            .replaceAll('\\', '/'),
        ]
      : [],
  );
  // The page's service worker has the names of all parts.
  const worker = await readFile(join(folder, 'shell-worker.js'), 'utf8');
  const sums = worker.indexOf('{', worker.indexOf('const sums = '));
  const listed = JSON.parse(worker.slice(sums, worker.indexOf('}', sums) + 1)) as object;
  for (const name of new Set([...names, ...Object.keys(listed)])) {
    const file = await page.find(name);
    if (!file) throw new XylemError({ code: 'INTERNAL', message: `The page lacks ${name}.` });
    const target = join(to, ...name.split('/'));
    try {
      await mkdir(dirname(target), { recursive: true });
      await copyFile(file.path, target);
    } catch (thrown) {
      throw ioError(`"${target}" cannot be written`, thrown);
    }
  }
}
