import type { BranchInfo, TreeInfo } from '../file/api';
import { Catalog } from './catalog';
import { parseDraw } from './draw-spec';
import { eachPath } from './names';
import { type Expr, parseExpression } from './parser';

/** More aliases within one another than this lead nowhere. */
const MAX_ALIASES = 100;

const catalogs = new WeakMap<TreeInfo, Catalog>();

/** The names of a tree of which only the metadata are here, made once. */
export function namesOf(tree: TreeInfo): Catalog {
  const catalog = catalogs.get(tree) ?? new Catalog(tree);
  catalogs.set(tree, catalog);
  return catalog;
}

/**
 * The branches that a query names, in the tree's order, found without reading anything. Throws
 * ARGUMENT where a text is no expression; names that are not there are passed over.
 */
export function branchesOfQuery(tree: TreeInfo, expr: string, cut = ''): BranchInfo[] {
  const catalog = namesOf(tree);
  const isPath = (name: string): boolean => catalog.isPath(name);
  const found = new Set<number>();
  let aliases = 0;
  const visit = (node: Expr): void =>
    eachPath(node, ({ segments }) => named(segments.map(({ name }) => name)));
  const named = (names: string[]): void => {
    for (let count = names.length; count > 0; count--) {
      const branch = catalog.find(names.slice(0, count).join('.'))?.branch;
      if (branch === undefined) continue;
      if (branch.kind !== 'group') found.add(branch.index);
      else for (const { parent, index } of tree.branches) if (parent === branch.index) found.add(index);
      return;
    }
    const { aliases: all = {} } = tree;
    const [name = ''] = names;
    const text = Object.hasOwn(all, name) ? all[name] : undefined;
    if (text !== undefined && ++aliases < MAX_ALIASES) visit(parseExpression(text, { isPath }));
  };
  for (const { text, from = 0, to = text.length } of parseDraw(expr).expressions) {
    visit(parseExpression(text, { isPath, from, to }));
  }
  if (cut.trim() !== '') visit(parseExpression(cut, { isPath }));
  return tree.branches.filter(({ index }) => found.has(index));
}
