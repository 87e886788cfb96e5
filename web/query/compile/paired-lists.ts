import type { BranchInfo, TreeInfo } from '../../api/api';
import { chainOf } from '../language/names';
import type { Expr } from '../language/parser';
import { parseExpression } from '../language/parser';
import type { Source } from '../language/source';
import { namesOf } from './branches-of-query';

/** A list that an expression runs over: one of its branches, and what tells how long it is. */
interface ListUse {
  branch: string;
  length: string;
  /** Whether only its name says to which list it belongs. */
  isGuessed: boolean;
}

/** Names that begin with a quantity name the list after it: "pt_jet". */
const QUANTITY = /^(p[txyz]?|e|et|eta|phi|theta|m|mass|energy|charge|q|[xyz])$/i;

/**
 * Returns a note if expressions and a cut run over lists of different lengths, whose values are then paired by their index;
 * undefined if they do not, or if it is not known. Reads nothing but the names and types of branches.
 */
export function pairedListsNote(tree: TreeInfo, sources: readonly Source[]): string | undefined {
  const uses: ListUse[] = [];
  const rules = { names: namesOf(tree) };
  for (const { text, from = 0, to = text.length } of sources) {
    try {
      collect(parseExpression(text, { ...rules, from, to }), tree, uses);
    } catch {
      // A mistake in the text is reported by what draws it.
      return undefined;
    }
  }
  const [first] = uses;
  const other = uses.find(({ length }) => length !== first?.length);
  if (first === undefined || other === undefined) return undefined;
  return (
    `${first.branch} and ${other.branch} ${first.isGuessed || other.isGuessed ? 'may be' : 'are'} lists of different lengths ` +
    `(${first.length} and ${other.length}): their values are paired by index, as in TTree::Draw, and those without a partner are left out. ` +
    `"Sum$(…)>0" asks whether an entry has any value that passes.`
  );
}

/** Collects the lists over which the values of an expression run, but not those that a function reduces to one value. */
function collect(expr: Expr | undefined, tree: TreeInfo, uses: ListUse[]): void {
  const visit = (node: Expr | undefined): void => collect(node, tree, uses);
  switch (expr?.kind) {
    case 'call':
      // Sum$, Min$, Max$, Length$ and their like have one value for each entry.
      if (!expr.name.endsWith('$') || expr.name === 'Alt$') expr.args.forEach(visit);
      return;
    case 'unary':
      visit(expr.operand);
      return;
    case 'binary': {
      const { first, operations } = chainOf(expr);
      visit(first);
      for (const { right } of operations) visit(right);
      return;
    }
    case 'ternary':
      for (const part of [expr.condition, expr.yes, expr.no]) visit(part);
      return;
    case 'path': {
      // An index chooses one value, and "@" means the collection itself.
      const isChosen = expr.segments.some(({ subscripts }) => subscripts.some((one) => one !== undefined));
      if (isChosen || expr.collection) return;
      const names = expr.segments.map(({ name }) => name);
      for (let count = names.length; count > 0; count--) {
        const branch = namesOf(tree).find(names.slice(0, count).join('.'))?.branch;
        if (branch === undefined) continue;
        const length = lengthOf(tree, branch);
        if (length !== undefined) uses.push({ branch: branch.name, ...length });
        return;
      }
    }
  }
}

/** Returns what has the length of the list in a branch: its count, or the collection that it belongs to. */
function lengthOf(tree: TreeInfo, branch: BranchInfo): Omit<ListUse, 'branch'> | undefined {
  for (let at = tree.branches[branch.parent]; at !== undefined; at = tree.branches[at.parent])
    if (/^(std::)?(vector|list|deque|set)<|RVec<|^TClonesArray/.test(at.typeName))
      return { length: at.path, isGuessed: false };
  const isVector = /^(std::)?vector<[\w ]+>$|RVec<[\w ]+>$/.test(branch.typeName);
  if (!branch.typeName.includes('[]') && !isVector) return undefined;
  const [, named] = /^[\w.]+\[([A-Za-z_]\w*)\]/.exec(branch.title) ?? [];
  if (named !== undefined) return { length: named, isGuessed: false };
  // NanoAOD has documentation in the titles: nMuon is the length of Muon_pt, and of Muon_pfIsoId_all.
  for (let end = branch.name.lastIndexOf('_'); end > 0; end = branch.name.lastIndexOf('_', end - 1)) {
    const count = `n${branch.name.slice(0, end)}`;
    const isThere = tree.branches.some(({ name, kind }) => name === count && kind === 'number');
    if (isThere) return { length: count, isGuessed: isVector };
  }
  const [first = '', ...rest] = branch.name.split('_');
  if (!isVector || rest.length === 0) return undefined;
  return { length: QUANTITY.test(first) ? `*_${rest.join('_')}` : `${first}_*`, isGuessed: true };
}
