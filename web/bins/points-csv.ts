import { csvCell, csvText } from './to-csv';

/** Columns of one graph. */
interface Points {
  title: string;
  columns: readonly { name: string; values: ArrayLike<number> | readonly string[] }[];
}

/**
 * One line a point: x, y, and the lengths of its error bars (left, right, down, up). The points of several graphs follow
 * each other, with the title of the graph in the first column; errors that one of them lacks are empty.
 */
export function pointsCsv(graphs: readonly Points[]): string {
  const names = [...new Set(graphs.flatMap(({ columns }) => columns.map(({ name }) => name)))];
  const several = graphs.length > 1;
  const lines = [(several ? ['graph', ...names] : names).join(',')];
  for (const { title, columns } of graphs) {
    const sorted = names.map((name) => columns.find((one) => one.name === name)?.values);
    for (let i = 0; i < (columns[0]?.values.length ?? 0); i++) {
      const cells = sorted.map((values) => csvCell(values?.[i]));
      lines.push((several ? [csvText(title), ...cells] : cells).join(','));
    }
  }
  return lines.join('\n');
}
