import { treeReport } from '../insight/tree-report';
import { CHAIN_TEXT, FILE, TREE } from './params';
import { treeOf } from './trees';
import { verb } from './verb';

export const tree = verb({
  name: 'tree',
  words: 'FILE [TREE]',
  about: `The branches of a tree, as "xylem ls FILE TREE" shows them.
${CHAIN_TEXT}`,
  examples: [
    ['sample.root', 'the branches of the only tree'],
    ['sample.root Events --report tree.html', 'the same as a page'],
  ],
  params: { file: FILE, tree: TREE },
  json: 'as of "xylem ls FILE TREE".',
  run: ({ file, tree: path }, { withFile }) =>
    withFile(file, async (open) => {
      const { info } = await open.tree(await treeOf(open, path));
      return { tree: info };
    }),
  report: ({ tree }) => treeReport(tree),
  status: ({ tree }) => (tree.partial || tree.lost ? 1 : 0),
});
