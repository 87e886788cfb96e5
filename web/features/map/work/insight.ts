import type { TreeLayout } from '../../../api/api';
import type { KindSum } from '../../../api/insight';
import { CALL, checkOptions } from '../../../base/options';
import { FLAG } from '../../../base/shape';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { clusterExtents, clustersOf } from '../../../reads/layout-stats';
import { bytesByKind } from './map';
import { type MapOptions, type MapResult, readMap } from './read-map';

/** A map with additional data for the page. */
export interface MapReport extends MapResult {
  kinds: KindSum[];
  /** For each layout, the first byte of the baskets of each cluster. */
  clusters: Float64Array[];
}

declare module '../../../insight/api' {
  interface PageInsight {
    map(file: number, options?: MapOptions): Promise<MapReport>;
  }
}

export async function mapOf(
  { reader }: InsightHost,
  ...[file, options = {}]: Parameters<PageInsight['map']>
): Promise<MapReport> {
  checkOptions('map', options, { ...CALL, walk: FLAG });
  const result = await readMap(reader, file, options);
  return { ...result, kinds: bytesByKind(result.map), clusters: result.map.layouts.map(clusterBorders) };
}

function clusterBorders(layout: TreeLayout): Float64Array {
  if (clustersOf(layout).length === 0) return new Float64Array(0);
  return Float64Array.from(clusterExtents(layout), ({ from }) => from).filter(Number.isFinite);
}
