import type { BranchInfo, BranchKind, TreeInfo, TreeLayout } from '../../web/api/api';

/** Number of entries of each tree. */
export const entries = 250_000;

function branch(
  index: number,
  parent: number,
  depth: number,
  path: string,
  typeName: string,
  kind: BranchKind,
): BranchInfo {
  return {
    index,
    parent,
    depth,
    path,
    name: path.split('/').pop() ?? path,
    title: `${path.replace(/[_/]/g, ' ')} as reconstructed`,
    typeName,
    kind,
    entries,
    baskets: kind === 'group' ? 0 : 42,
    totalBytes: kind === 'group' ? 0 : entries * 4 + 42 * 70,
    storedBytes: kind === 'group' ? 0 : 60_000 + ((index * 7919) % 900_000),
  };
}

export function wideTree(count: number): TreeInfo {
  const branches: BranchInfo[] = [
    branch(0, -1, 0, 'run', 'unsigned int', 'number'),
    branch(1, -1, 0, 'trigger', 'std::string', 'string'),
    branch(2, -1, 0, 'broken', 'float', 'number'),
    branch(3, -1, 0, 'vertex', 'TLorentzVector', 'object'),
  ];
  const names = ['Muon', 'Electron', 'Jet', 'Tau', 'Photon', 'Track'];
  const members = ['pt', 'eta', 'phi', 'mass', 'charge', 'dxy', 'dz', 'iso', 'id'];
  let group = 0;
  while (branches.length < count) {
    const name = `${names[group % names.length]}${group < names.length ? '' : Math.floor(group / names.length)}`;
    const parent = branches.length;
    branches.push(branch(parent, -1, 0, name, `std::vector<${name}>`, 'group'));
    for (const member of members) {
      if (branches.length >= count) break;
      branches.push(
        branch(branches.length, parent, 1, `${name}/${name}_${member}`, 'std::vector<float>', 'number'),
      );
    }
    group++;
  }
  return treeInfo('Events', 'Collision events', branches);
}

export function decayTree(): TreeInfo {
  const branches = ['mass', 'lifetime', 'angle', 'channel'].map((name, i) =>
    branch(i, -1, 0, name, name === 'channel' ? 'char*' : 'double', name === 'channel' ? 'string' : 'number'),
  );
  return treeInfo('decays', 'B decays', branches);
}

function treeInfo(path: string, title: string, branches: BranchInfo[]): TreeInfo {
  const sum = (field: 'totalBytes' | 'storedBytes') => branches.reduce((all, one) => all + one[field], 0);
  return {
    path,
    name: path,
    title,
    kind: 'TTree',
    className: 'TTree',
    entries,
    totalBytes: sum('totalBytes'),
    storedBytes: sum('storedBytes'),
    branches,
  };
}

/** Baskets of all branches in turn, cluster by cluster. */
export function mockLayout(tree: TreeInfo): TreeLayout {
  const { branches } = tree;
  const clusters = 4;
  const baskets = branches.length * clusters;
  const bytes = 1000;
  const step = Math.ceil(tree.entries / clusters);
  const make = (value: (branch: number, cluster: number) => number) =>
    Float64Array.from({ length: baskets }, (_, i) => value(Math.floor(i / clusters), i % clusters));
  return {
    tree,
    record: { offset: 200 + baskets * bytes, length: 20_000, objectBytes: 90_000 },
    parts: [],
    basketStart: Uint32Array.from({ length: branches.length + 1 }, (_, i) => i * clusters),
    offset: make((branch, cluster) => 200 + (cluster * branches.length + branch) * bytes),
    storedBytes: make(() => bytes),
    firstEntry: make((_, cluster) => cluster * step),
    entries: make((_, cluster) => Math.min(step, tree.entries - cluster * step)),
    exact: new Uint8Array(branches.length).fill(1),
    clusterStart: Float64Array.from({ length: clusters }, (_, i) => i * step),
    trueStart: Float64Array.from({ length: clusters }, (_, i) => i * step),
    autoFlush: step,
    autoSave: -300_000_000,
    flushedBytes: baskets * bytes,
    compress: new Int32Array(branches.length).fill(101),
    basketSize: new Float64Array(branches.length).fill(32_000),
  };
}
