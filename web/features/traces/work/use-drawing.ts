import type { TreeInfo } from '../../../api/api';
import { type Drawing, type Shape, short, TEXT_SIZE } from '../../../plot/drawing/drawing';
import { fittedTitle } from '../../../plot/drawing/latex';
import type { UseReport } from './use';

/** Rows beyond this many are left out, those of the fewest readings first. */
const MAX_BRANCHES = 60;
const ROW = 15;
const LEFT = 220;

/**
 * Draws which branches many readings of one tree used: a row for each branch, a column for each reading. The more of
 * the branch was read, the darker the cell.
 */
export function useDrawing(
  uses: readonly { by: string; use: UseReport }[],
  tree: TreeInfo,
  width = 860,
): Drawing {
  const rows = new Map<number, number[]>();
  uses.forEach(({ use }, column) => {
    for (const { branch, readBytes, storedBytes, wanted } of use.branches) {
      if (!wanted) continue;
      const row = rows.get(branch) ?? new Array<number>(uses.length).fill(0);
      row[column] = readBytes / Math.max(1, storedBytes);
      rows.set(branch, row);
    }
  });
  const count = (row: readonly number[]): number => row.filter((part) => part > 0).length;
  const order = [...rows].sort(([, a], [, b]) => count(b) - count(a)).slice(0, MAX_BRANCHES);
  const title = `${uses.length} readings of ${tree.name}: ${rows.size} of ${tree.branches.length} branches`;
  const cell = (width - LEFT - 90) / Math.max(1, uses.length);
  const shapes: Shape[] = [{ kind: 'text', x: 16, y: 24, text: title, bold: true }];
  order.forEach(([branch, parts], i) => {
    const y = 40 + i * ROW;
    const name = fittedTitle(tree.branches[branch]?.path ?? '', (LEFT - 24) / TEXT_SIZE);
    shapes.push({ kind: 'text', x: LEFT - 8, y: y + 11, text: name, anchor: 'end' });
    parts.forEach((part, column) => {
      if (part === 0) return;
      const wide = short(Math.max(0.5, cell - Math.min(1, cell / 8)));
      shapes.push({
        kind: 'path',
        d: `M${short(LEFT + column * cell)} ${y + 1}h${wide}v${ROW - 2}h-${wide}z`,
        fill: 'network',
        fillOpacity: 0.25 + 0.75 * Math.min(1, part),
      });
    });
    const said = `${count(parts)} of ${uses.length}`;
    shapes.push({ kind: 'text', x: width - 16, y: y + 11, text: said, anchor: 'end', fill: 'faint' });
  });
  return { width, height: 56 + order.length * ROW, title, shapes };
}
