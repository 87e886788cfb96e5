import type { BranchInfo } from '../api/api';

/**
 * Returns the collection name of each branch: its top-level branch, if it is below one; otherwise the part before "_"
 * or "." that several names share ("Muon" for Muon_pt and Muon_eta, and for the counter nMuon); otherwise its own
 * name.
 */
export function collectionNames(branches: readonly BranchInfo[]): string[] {
  const prefixes = branches.map(({ name }) => /^([^_.]+)[_.]+./.exec(name)?.[1]);
  const shared = new Map<string, number>();
  for (const [i, prefix] of prefixes.entries()) {
    if (prefix !== undefined && branches[i]?.parent === -1) shared.set(prefix, (shared.get(prefix) ?? 0) + 1);
  }
  const names: string[] = [];
  for (const [i, { name, path, kind, parent, depth }] of branches.entries()) {
    const prefix = prefixes[i];
    const below = branches[i + 1];
    // The items of a list of numbers are a field of an RNTuple, and not a branch of a collection.
    const hasBelow = (below?.depth ?? 0) > depth && !(kind === 'number' && below?.path === `${path}._0`);
    const counted = /^n[A-Z]/.test(name) ? name.slice(1) : '';
    if (parent >= 0) names.push(names[parent] ?? name);
    else if (!hasBelow && prefix !== undefined && (shared.get(prefix) ?? 0) > 1) names.push(prefix);
    else names.push(shared.has(counted) ? counted : name.replace(/\.$/, ''));
  }
  return names;
}
