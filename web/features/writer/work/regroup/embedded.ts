import type { TreeLayout } from '../../../../api/layout';
import type { ClassCodec } from '../encode/class-codec';
import { listedEmbedded } from '../encode/embedded-baskets';
import { branchesOf } from '../encode/tree-edit';
import type { ObjectData } from '../encode/types';
import type { Records } from '../file/records';

/**
 * Returns the baskets in a tree's own record as uncompressed records, by their index in the layout of the whole tree.
 * Throws CORRUPT as `listedEmbedded`, and UNSUPPORTED for a basket that ROOT does not write in this form.
 */
export function embeddedRecords(
  layout: TreeLayout,
  data: ObjectData,
  codec: Pick<ClassCodec, 'embedded'>,
  records: Records,
): Map<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  for (const [index, { branch }] of branchesOf(data).entries()) {
    for (const [i, basket] of listedEmbedded(layout, index, branch)) {
      const record = codec.embedded(basket);
      const { keylen } = records.readKey(record);
      records.changeKey(record, { nbytes: record.length, objlen: record.length - keylen });
      found.set(i, record);
    }
  }
  return found;
}
