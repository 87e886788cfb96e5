import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { XylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { ioError } from '../../../base/io-error';
import type { SideFile } from '../../../measure/partial-kind';
import { type AnyPartial, kindOf } from '../work/partial';

const sidesOf = ({ kind, sum }: AnyPartial): SideFile[] => kindOf(kind).sides?.(sum) ?? [];

/**
 * Finds the files that belong to a partial result, which was read from `source`. Throws NOT_FOUND, FILE_CHANGED and IO if one is
 * missing or has another size. Their contents are compared when they are read.
 */
export async function findSides(partial: AnyPartial, source: string): Promise<void> {
  const folder = source === 'stdin' ? resolve('') : dirname(resolve(source));
  for (const side of sidesOf(partial)) {
    side.folder = folder;
    const path = resolve(folder, side.name);
    const fix = 'Keep the folder of tables beside the partial results, or make the result again.';
    const size = await stat(path).then(
      (one) => one.size,
      (thrown: unknown) => {
        if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT')
          throw ioError(`"${path}", which belongs to ${source}, cannot be read`, thrown, path);
        const message = `"${path}", which belongs to ${source}, is missing.`;
        throw new XylemError({ code: 'NOT_FOUND', message, where: { path }, fix });
      },
    );
    if (size === side.bytes) continue;
    throw new XylemError({
      code: 'FILE_CHANGED',
      message: `"${path}", which belongs to ${source}, has ${formatCount(size)} bytes, not ${formatCount(side.bytes)}: it is not the file that was written with it.`,
      where: { path },
      fix,
    });
  }
}

/** Names the files that belong to a partial result relative to `target`, where it is written; with "-" by whole paths. */
export function nameSides(partial: AnyPartial, target: string): void {
  const folder = target === '-' ? undefined : dirname(resolve(target));
  for (const side of sidesOf(partial)) {
    // Files in a folder that "--tables" named keep their whole paths.
    if (isAbsolute(side.name)) continue;
    const path = resolve(side.folder, side.name);
    Object.assign(side, { name: folder === undefined ? path : relative(folder, path), folder: folder ?? '' });
  }
}
