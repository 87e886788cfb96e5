import { treeOf } from '../../verbs/trees';
import { command } from '../command';
import { withFile } from '../context';
import { CHAIN_TEXT, commonOptions } from '../options';
import { showTree } from './ls';

export const tree = command({
  usage: ['FILE [TREE]'],
  about: `The branches of a tree, as "xylem ls FILE TREE" shows them.
${CHAIN_TEXT}`,
  options: commonOptions,
  json: 'as of "xylem ls FILE TREE".',
  async run(given, [file = '', word], context) {
    return await withFile(file, given, context, async (open) => {
      const path = await treeOf(open, word);
      const { info } = await open.tree(path);
      return await showTree(info, given.json === true, context);
    });
  },
});
