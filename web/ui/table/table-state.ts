import type { TreeInfo } from '../../api/api';

/** State of a table: indices of branches in the order of their columns, and the first visible entry. */
export interface TableState {
  columns: number[];
  at: number;
}

/** Number of columns of a new table. */
const FIRST_COLUMNS = 8;
const MAX_COLUMNS = 64;

/** Parses the state in a link. Parts that do not match the tree are ignored. */
export function parseTableState(text: string, tree: TreeInfo): TableState {
  const query = new URLSearchParams(text);
  const byPath = new Map(tree.branches.map((branch) => [branch.path, branch.index]));
  const named = (query.get('columns') ?? '').split(',').flatMap((path) => byPath.get(path) ?? []);
  const at = Number(query.get('at') ?? 0);
  return {
    columns: named.length > 0 ? named.slice(0, MAX_COLUMNS) : readable(tree).slice(0, FIRST_COLUMNS),
    at: Number.isInteger(at) && at >= 0 && at < tree.entries ? at : 0,
  };
}

/** Returns the text that `parseTableState` reads. Paths with a comma are left out, because it is the separator. */
export function formatTableState(state: TableState, tree: TreeInfo): string {
  const query = new URLSearchParams();
  const paths = state.columns.map((index) => tree.branches[index]?.path ?? '');
  query.set('columns', paths.filter((path) => !path.includes(',')).join(','));
  if (state.at > 0) query.set('at', String(state.at));
  return query.toString();
}

/** Returns the indices of the branches with their own values. */
export function readable(tree: TreeInfo): number[] {
  return tree.branches.filter((branch) => branch.kind !== 'group').map((branch) => branch.index);
}
