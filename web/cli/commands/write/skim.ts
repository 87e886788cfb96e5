import { basename } from 'node:path';
import { UsageError } from '../../arguments';
import { command } from '../../command';
import { withFile } from '../../context';
import { branchesOption, commonOptions, type Options } from '../../options';
import { codecOf, codecOption, WRITTEN_JSON, writeOptions } from './options';
import { saveRoot } from './save-root';

const options = {
  tree: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    about: 'only these trees; * stands for any characters, ? for one; may be repeated',
  },
  ...branchesOption,
  objects: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    about: 'of other objects only these, named in the same way; may be repeated',
  },
  'no-objects': { type: 'boolean', about: 'trees alone' },
  ...codecOption,
  ...writeOptions,
  ...commonOptions,
} as const satisfies Options;

export const skim = command({
  usage: ['IN OUT'],
  about: `Copies a ROOT file or a part of it with all cycles, without ROOT. Baskets and objects are copied compressed, whatever
their classes are; space that nothing uses is left out. OUT has its name when it is whole.`,
  options,
  notes: `Names of branches must be found in each tree that is copied. The branches that others need come along: those that hold
the lengths of arrays, and those above. A line says which.`,
  json: WRITTEN_JSON,
  async run(given, [file = '', out = ''], context) {
    if (given.objects && given['no-objects'])
      throw new UsageError('Take --objects or --no-objects, not both.');
    const selection = {
      trees: given.tree,
      branches: given.branches,
      objects: given['no-objects'] ? [] : given.objects,
    };
    const codec = codecOf(given);
    return await withFile(file, given, context, async (open) => {
      const { skimFile } = await import('../../../write/skim');
      await saveRoot(out, open, { ...given, verify: given.verify === true }, context, (sink, call) =>
        skimFile(open.reader, open.info, sink, { ...call, name: basename(out), selection, codec }),
      );
      return 0;
    });
  },
});
