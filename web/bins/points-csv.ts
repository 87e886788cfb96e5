import { csvCell, csvText } from './to-csv';

/** The columns of one graph. */
interface Points {
  title: string;
  columns: readonly { name: string; values: ArrayLike<number> | readonly string[] }[];
}

/**
 * Returns CSV with one line per point: x, y, and the lengths of its error bars (left, right, down, up). For several
 * graphs, the first column is the title of the graph, and errors that a graph does not have are empty.
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
