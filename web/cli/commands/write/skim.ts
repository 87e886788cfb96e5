import { basename } from 'node:path';
import { command } from '../../command';
import { withFile } from '../../context';
import { commonOptions, type Options } from '../../options';
import { WRITTEN_JSON, writeOptions } from './options';
import { saveRoot } from './save-root';

const options = { ...writeOptions, ...commonOptions } as const satisfies Options;

export const skim = command({
  usage: ['IN OUT'],
  about: `Copies a ROOT file with all keys and cycles, without ROOT. Baskets and objects are copied compressed, whatever
their classes are; space that nothing uses is left out. OUT has its name when it is whole.`,
  options,
  json: WRITTEN_JSON,
  async run(given, [file = '', out = ''], context) {
    return await withFile(file, given, context, async (open) => {
      const { skimFile } = await import('../../../write/skim');
      await saveRoot(out, open, { ...given, verify: given.verify === true }, context, (sink, call) =>
        skimFile(open.reader, open.info, sink, { ...call, name: basename(out) }),
      );
      return 0;
    });
  },
});
