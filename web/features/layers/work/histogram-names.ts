import type { Histogram } from '../../../api/api';

/** Returns the histograms with different names: their own, or their labels in the legend. */
export function withNames(layers: readonly { label: string; histogram: Histogram }[]): Histogram[] {
  const taken = new Set<string>();
  return layers.map(({ label, histogram }) => {
    const { name } = histogram;
    const own = name === 'htemp' || taken.has(name) ? label.replace(/\W+/g, '_').replace(/^_|_$/g, '') : name;
    const first = own || 'h';
    let free = first;
    for (let k = 2; taken.has(free); k++) free = `${first}_${k}`;
    taken.add(free);
    return { ...histogram, name: free, title: label };
  });
}
