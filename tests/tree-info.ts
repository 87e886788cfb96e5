import type { BranchInfo, TreeInfo } from '../web/api/api';

/** A tree "t" with branches at these paths, those above others first. */
export function treeOf(paths: string[], aliases?: Record<string, string>): TreeInfo {
  const branches = paths.map((path, index): BranchInfo => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const parent = paths.indexOf(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const group = paths.some((other) => other.startsWith(`${path}/`));
    return {
      index,
      parent,
      depth: path.split('/').length - 1,
      path,
      name,
      title: name,
      typeName: group ? 'Group' : 'float',
      kind: group ? 'group' : 'number',
      entries: 10,
      baskets: 1,
      totalBytes: 40,
      storedBytes: 40,
    };
  });
  return {
    path: 't',
    name: 't',
    title: '',
    kind: 'TTree',
    className: 'TTree',
    entries: 10,
    totalBytes: 400,
    storedBytes: 400,
    branches,
    aliases,
  };
}
