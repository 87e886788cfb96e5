import type { BranchInfo, TreeInfo } from '../../api/api';
import { own } from '../../base/search';
import { eachPath } from '../language/names';
import { type Expr, parseExpression } from '../language/parser';
import { Catalog } from './catalog';
import { parseDraw } from './draw-spec';

/** Maximum number of aliases that a query can expand. */
const MAX_ALIASES = 100;

const catalogs = new WeakMap<TreeInfo, Catalog>();

/** Builds the names of a tree from its metadata alone, once per tree. */
export function namesOf(tree: TreeInfo): Catalog {
  const catalog = catalogs.get(tree) ?? new Catalog(tree);
  catalogs.set(tree, catalog);
  return catalog;
}

/**
 * Returns the branches that a query names, in the order of the tree, without reading any data. Throws
 * ARGUMENT for a text that cannot be parsed; unknown names are skipped.
 */
export function branchesOfQuery(tree: TreeInfo, expr: string, cut = ''): BranchInfo[] {
  const catalog = namesOf(tree);
  const rules = { names: catalog };
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
    const text = own(all, name);
    if (text !== undefined && ++aliases < MAX_ALIASES) visit(parseExpression(text, rules));
  };
  for (const { text, from = 0, to = text.length } of parseDraw(expr).expressions) {
    visit(parseExpression(text, { ...rules, from, to }));
  }
  if (cut.trim() !== '') visit(parseExpression(cut, rules));
  return tree.branches.filter(({ index }) => found.has(index));
}
