import type { CallOptions } from '../../../api/api';
import type { PlannedTree, WritePlan } from '../../../api/write';
import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import { type Context, progressLine } from '../../../cli/context';
import { right, tableLines } from '../../../cli/terminal/table';

/** Shape of what --dry-run prints with --json. */
export const PLAN_JSON = `{"level", "read": {"bytes", "links": [{"link", "requests", "bytes", "ms"}, …]},
"write": {"bytes", "estimated"}, "trees": [{"path", "kind", "entries", "entriesAfter", "baskets", "bytes", "basketsAfter", "bytesAfter", "whole":
{"baskets", "bytes"}, "unpacked": {"baskets", "bytes"}, "clustersClaimed", "clustersTrue", "clustersAfter",
"clustersChange", "seeksBefore", "seeksAfter", "costs": [{"link", "reading", "branches": […], "calls", "ms",
"betterCalls", "betterMs"}, …]}, …], "notes"}`;

/** Says what a command would do. `more` stands in the JSON, too. */
export async function tellPlan(
  context: Context,
  { json }: { json?: boolean | undefined },
  more: object,
  make: (options: Pick<CallOptions, 'onProgress'>) => Promise<WritePlan>,
): Promise<void> {
  const progress = progressLine(context);
  const plan = await make({ onProgress: progress.show }).finally(progress.wipe);
  const { out } = context;
  if (json) {
    out.line(JSON.stringify({ ...more, ...plan }));
    return;
  }
  const { read, write, trees, notes } = plan;
  for (const note of notes) out.line(`note: ${note}`);
  for (const tree of trees) for (const line of treeLines(tree, write.estimated)) out.line(line);
  const requests = read.links.map(({ link, requests, bytes, ms }) => [
    `from ${link}`,
    formatCount(requests),
    formatBytes(bytes),
    formatDuration(ms),
  ]);
  out.line(`would be read: ${formatBytes(read.bytes)} besides metadata`);
  const columns = ['', ...['Requests', 'Bytes', 'Time'].map(right)];
  for (const line of tableLines(columns, requests)) out.line(`  ${line}`);
  out.line(`would be written: ${write.estimated ? 'about ' : ''}${formatBytes(write.bytes)}`);
}

function treeLines(tree: PlannedTree, estimated: boolean): string[] {
  const { path, kind, baskets, bytes, basketsAfter, bytesAfter, whole, unpacked, costs } = tree;
  const what = kind === 'ntuple' ? 'pages' : 'baskets';
  const about = estimated && unpacked.baskets > 0 ? 'about ' : '';
  const size = (count: number, stored: number) => `${formatCount(count)} ${what}, ${formatBytes(stored)}`;
  const lines = [
    `${path}  ${size(baskets, bytes)} → ${formatCount(basketsAfter)} ${what}, ${about}${formatBytes(bytesAfter)}`,
  ];
  const row = (name: string, text: string) => lines.push(`  ${name.padEnd(33)} ${text}`);
  if (tree.entries !== tree.entriesAfter)
    row('entries', `${formatCount(tree.entries)} → ${formatCount(tree.entriesAfter)}`);
  row('copied as they are stored', size(whole.baskets, whole.bytes));
  if (unpacked.baskets > 0) row('unpacked to make others', size(unpacked.baskets, unpacked.bytes));
  row(
    'seeks when all is read in order',
    `${formatCount(tree.seeksBefore)} → ${formatCount(tree.seeksAfter)}`,
  );
  const claims = `${formatCount(tree.clustersClaimed)} claimed, ${formatCount(tree.clustersTrue)} true`;
  row('clusters', `${claims} → ${formatCount(tree.clustersAfter)}`);
  if (costs.length === 0) return lines;
  const rows = costs.map(({ link, reading, calls, betterCalls, ms, betterMs }) => [
    `${reading}, ${link}`,
    `${formatCount(calls)} → ${formatCount(betterCalls)}`,
    `${formatDuration(ms)} → ${formatDuration(betterMs)}`,
  ]);
  const columns = ['reading', right('Calls'), right('Time')];
  return [...lines, ...tableLines(columns, rows).map((line) => `  ${line}`)];
}
