import type { TreeLayout } from '../../api/layout';
import { XylemError } from '../../base/errors';
import type { ClassCodec } from '../encode/class-codec';
import { branchesOf } from '../encode/tree-edit';
import type { ObjectData } from '../encode/types';
import { basketsIn } from '../merge/tree-structure';
import type { Records } from '../records';

/**
 * The baskets that lie in a tree's own record as records, uncompressed, by their numbers in the layout of the whole tree.
 * Throws UNSUPPORTED for one that ROOT does not write so.
 */
export function embeddedRecords(
  { basketStart, offset, entries }: TreeLayout,
  data: ObjectData,
  codec: Pick<ClassCodec, 'embedded'>,
  records: Records,
): Map<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  for (const [index, { branch }] of branchesOf(data).entries()) {
    const kept = basketsIn(branch);
    for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++) {
      if ((offset[i] ?? 0) > 0 || (entries[i] ?? 0) === 0) continue;
      const basket = kept.shift();
      if (!basket)
        throw new XylemError({ code: 'CORRUPT', message: `A basket of ${String(branch.fName)} is missing.` });
      const record = codec.embedded(basket);
      const { keylen } = records.readKey(record);
      records.changeKey(record, { nbytes: record.length, objlen: record.length - keylen });
      found.set(i, record);
    }
  }
  return found;
}
