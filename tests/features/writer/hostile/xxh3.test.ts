import { expect, test } from 'vitest';
import { fixtureBytes } from '../../../engine/fixtures';
import { bothModules } from '../module';
import { openMetadata } from './metadata';
import { xxh3 } from './xxh3';

test.each(['ntuple_fields_stored', 'ntuple_late_stored', 'rntuple'])(
  'envelopes and anchor of %s have these checksums',
  async (name) => {
    const bytes = fixtureBytes(name);
    const { regions } = openMetadata(await bothModules(), bytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    let right = 0;
    for (const { kind, at, length } of regions) {
      if (kind === 'anchor')
        expect(xxh3(bytes.subarray(at + 6, at + length - 8))).toBe(view.getBigUint64(at + length - 8));
      if (kind !== 'blob' || length < 16) continue;
      const own = Number(view.getBigUint64(at, true) >> 16n);
      const end = at + own - 8;
      if (own === length && xxh3(bytes.subarray(at, end)) === view.getBigUint64(end, true)) right++;
    }
    if (name.endsWith('stored')) expect(right).toBeGreaterThanOrEqual(3);
  },
);
