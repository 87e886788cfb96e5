import type { BranchInfo, TreeInfo } from '../../../web/api/api';

/** A tree with branches of these names, titles and types, and no entries. */
export function treeOf(path: string, branches: [name: string, title: string, typeName: string][]): TreeInfo {
  const none = { entries: 0, totalBytes: 0, storedBytes: 0 };
  return {
    ...{ path, name: path, title: '', kind: 'TTree', className: 'TTree', ...none },
    branches: branches.map(
      ([name, title, typeName], index): BranchInfo => ({
        ...{ index, parent: -1, depth: 0, path: name, name, title, typeName, baskets: 0, ...none },
        kind: typeName === 'string' ? 'string' : 'number',
      }),
    ),
  };
}
