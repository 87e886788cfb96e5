import type { BranchInfo, TreeInfo } from '../api/api';
import { partialNotes } from '../api/partial-notes';
import { formatBytes, formatCount } from '../base/format';
import { column, type Report } from '../report/report';

/** The branches of a tree, with types and sizes. */
export function treeReport(tree: TreeInfo): Report {
  const { path, className, entries, totalBytes, storedBytes, title, attributeSets, kind } = tree;
  const isTree = kind !== 'RNTuple';
  return {
    title: `${path}  ${className}, ${formatCount(entries)} entries, ${formatBytes(totalBytes)} in ${formatBytes(storedBytes)}`,
    text: [
      ...(title === '' ? [] : [title]),
      ...(attributeSets ? [`attribute sets, which are not read: ${attributeSets.join(', ')}`] : []),
    ],
    tables: [
      {
        id: 'branches',
        columns: [
          column<BranchInfo>('name', isTree ? 'Branch' : 'Field', 'text', named),
          column<BranchInfo>('type', 'Type', 'text', ({ typeName }) => typeName),
          column(
            'entries',
            'Entries',
            'count',
            ifStored((branch) => branch.entries),
          ),
          column(
            'size',
            'Size',
            'bytes',
            ifStored((branch) => branch.totalBytes),
          ),
          column(
            'stored',
            'Stored',
            'bytes',
            ifStored((branch) => branch.storedBytes),
          ),
          column('factor', 'Factor', 'ratio', ifStored(factorOf)),
          column(
            'baskets',
            isTree ? 'Baskets' : 'Pages',
            'count',
            ifStored(({ baskets }) => baskets),
          ),
          ...(tree.branches.some(({ documentation }) => documentation !== undefined)
            ? [
                column<BranchInfo>('title', 'Title', 'text', ({ documentation }) => documentation, {
                  rest: true,
                }),
              ]
            : []),
        ],
        rows: tree.branches,
      },
    ],
    notes: [...partialNotes(tree.partial, 'files'), ...partialNotes(tree.lost, 'branches')],
  };
}

const named = ({ depth, name }: BranchInfo): string => `${'  '.repeat(depth)}${name}`;

const factorOf = ({ storedBytes, totalBytes }: BranchInfo): number | undefined =>
  storedBytes > 0 ? totalBytes / storedBytes : undefined;

/** Returns a value only for branches that store data themselves. */
const ifStored =
  (value: (branch: BranchInfo) => number | undefined) =>
  (branch: BranchInfo): number | undefined =>
    branch.kind === 'group' && branch.baskets === 0 ? undefined : value(branch);
