import type { Histogram, PlotDetail } from '../../../web/element/one-file';
import type { Channel } from './channel';

/** Arrays of cells that are sent; a profile has all of them. */
const CELLS = ['sums', 'squares', 'weights', 'weights2', 'means', 'errors'] as const;

/** Sends the bins that are shown. A result without bins removes the former ones. */
export function sendHistogram(channel: Channel, detail: PlotDetail): void {
  const { result } = detail;
  if (result?.kind !== 'histogram') {
    channel.tell({ kind: 'plot' });
    return;
  }
  const arrays: Record<string, Float64Array> = {};
  for (const name of CELLS) {
    const cells = result[name];
    if (cells !== undefined) arrays[name] = cells;
  }
  result.axes.forEach(({ edges }, index) => {
    if (edges !== undefined) arrays[`edges${index}`] = edges;
  });
  const message = { kind: 'plot', histogram: metaOf(result), arrays: Object.keys(arrays) };
  // A view of a larger array would be sent whole.
  channel.tell(
    message,
    Object.values(arrays).map((cells) => cells.slice().buffer as ArrayBuffer),
  );
}

function metaOf({ title, name, profile, axes, valueTitle, fills }: Histogram): object {
  return {
    ...{ title, name, profile, fills, valueTitle },
    axes: axes.map(({ title, bins, low, high, labels }) => ({ title, bins, low, high, labels })),
  };
}
