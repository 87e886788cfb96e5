import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatBytes } from '../../../base/format';
import { coverAt, coverLabels } from '../../../reads/read-cover';
import { branchNode, keyNode, type NodeId } from '../../../ui/state/contents-model';
import type { OpenFile } from '../../../ui/state/viewer-state';
import type { ViewProps } from '../../../ui/view-tabs';
import { mapColours } from '../work/file-map-colours';
import type { MapPlace } from '../work/file-map-place';
import { type ReadStrip, stripLayers } from '../work/file-map-reads';
import type { MapReport } from '../work/insight';
import { type FileMap, kindLabels, pieceAt, segmentAt } from '../work/map';
import type { ChosenBranches } from '../work/map-branches';
import { type MapCanvas, mountFileMap } from './file-map-canvas';
import { describeSegment } from './map-readout';
import type { MapState } from './map-state';

interface MapFigureProps extends Pick<ViewProps, 'store' | 'open' | 'theme'> {
  report: MapReport;
  /** Index of the layout whose clusters are marked; undefined for all trees. */
  tree: number | undefined;
  chosen: ChosenBranches;
  state: MapState;
  strips: readonly ReadStrip[];
  controls: JSX.Element;
  /** A piece was chosen. */
  onPlace(place: MapPlace): void;
}

/** The map, with a description of the place under the pointer. */
export function MapFigure(props: MapFigureProps): JSX.Element {
  const { store, open, theme, report, tree, chosen, state, strips, controls } = props;
  const told = useRef(props);
  told.current = props;
  const { map } = report;
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<MapCanvas | undefined>(undefined);
  const read = useRef(strips);
  read.current = strips;
  const readout = useSignal('');
  const part = useSignal('');
  /** The offset of the outlined place, if it was chosen on the map. */
  const seen = useRef<number | undefined>(undefined);
  const { colouring, rows } = state;
  const dark = theme === 'dark';
  const colours = useMemo(
    () => () => mapColours(map, { dark, colouring, chosen }),
    [map, dark, colouring, chosen],
  );
  const layers = useMemo(() => strips.map((strip) => stripLayers(strip, dark)), [strips, dark]);
  const borders = useMemo(() => bordersOf(report, tree), [report, tree]);
  const spoken = useMemo(() => spokenMap(report), [report]);
  const offset = state.place?.offset;
  const length = state.place?.length;
  const place = useMemo(
    () => (offset === undefined || length === undefined ? undefined : { offset, length }),
    [offset, length],
  );

  useEffect(() => {
    if (host.current === null) return;
    const mounted = mountFileMap(host.current, map, {
      ...{ colours, rows, borders, strips: layers, place },
      onHover(segment, byte) {
        if (segment === null) readout.value = '';
        else readout.value = [describeSegment(map, segment), ...readAt(read.current, byte)].join(' · ');
      },
      onClick(segment) {
        const piece = pieceAt(map, map.start[segment] ?? 0);
        // A piece in sight is not zoomed to.
        seen.current = piece.offset;
        told.current.onPlace(piece);
      },
      onFollow() {
        const { place } = told.current.state;
        const node = place && nodeAt(map, place.offset, open);
        if (node !== undefined) store.selection.select(node);
      },
      onWindow(from, to, whole) {
        part.value = whole ? '' : `${formatBytes(from)} to ${formatBytes(to)} of ${formatBytes(map.size)}`;
      },
    });
    canvas.current = mounted;
    return () => mounted.destroy();
  }, [map]);
  useChange(() => canvas.current?.update({ colours }), [colours]);
  useChange(() => canvas.current?.update({ rows }), [rows]);
  useChange(() => canvas.current?.update({ borders }), [borders]);
  useChange(() => canvas.current?.update({ strips: layers }), [layers]);
  useEffect(() => {
    canvas.current?.update({ place });
    if (place !== undefined && place.offset !== seen.current) canvas.current?.show(place);
    seen.current = place?.offset;
  }, [place, map]);

  return (
    <figure class="plot file-map">
      <div class="map-controls">
        {controls}
        <fieldset class="choice push">
          <legend>Zoom</legend>
          <div class="tabs">
            <button
              type="button"
              aria-label="Closer"
              title="Closer (+)"
              onClick={() => canvas.current?.zoom(2)}
            >
              +
            </button>
            <button
              type="button"
              aria-label="Farther"
              title="Farther (−)"
              onClick={() => canvas.current?.zoom(0.5)}
            >
              −
            </button>
            <button type="button" title="The whole file (0)" onClick={() => canvas.current?.whole()}>
              Whole
            </button>
          </div>
        </fieldset>
      </div>
      <div
        class="map-host"
        ref={host}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows and + - 0 move the map
        tabIndex={0}
        aria-label={`Map of the file: ${spoken}. Arrow keys move, plus and minus zoom, 0 shows the whole, N and P outline the next and the previous piece.`}
      />
      <figcaption class="map-readout">
        <span>{readout.value || 'Point at the map to see what lies there; click for more.'}</span>
        <span class="push">{part.value}</span>
      </figcaption>
    </figure>
  );
}

/** Like useEffect, but not on mounting, because the first state is already set. */
function useChange(effect: () => void, inputs: readonly unknown[]): void {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else effect();
  }, inputs);
}

function spokenMap({ kinds }: MapReport): string {
  return kinds
    .slice(0, 4)
    .map(({ kind, bytes }) => `${kindLabels[kind]} ${formatBytes(bytes)}`)
    .join(', ');
}

function bordersOf({ clusters }: MapReport, tree: number | undefined): Float64Array {
  if (tree !== undefined) return clusters[tree] ?? new Float64Array(0);
  return Float64Array.from(clusters.flatMap((starts) => Array.from(starts)));
}

/** Returns the origin of a byte in each reading. */
function readAt(strips: readonly ReadStrip[], byte: number): string[] {
  return strips.map(({ cover, other }) => {
    const what = coverLabels[coverAt(cover, byte)];
    return strips.length > 1 ? `${other ? 'saved reading' : 'this page'}: ${what}` : what;
  });
}

/** Returns what lies at a byte: the branch, the tree or the key; undefined for all else. */
export function nodeAt(map: FileMap, byte: number, { keyTree }: OpenFile): NodeId | undefined {
  return nodeOf(map, segmentAt(map, byte), keyTree.keys);
}

function nodeOf(
  map: FileMap,
  segment: number,
  keys: readonly { path: string; cycle: number; offset: number }[],
): NodeId | undefined {
  const layout = map.layouts[map.tree[segment] ?? -1];
  if (layout !== undefined) {
    const key = keys.findIndex(({ offset }) => offset === layout.record.offset);
    const branch = map.branch[segment] ?? -1;
    if (key >= 0) return branch >= 0 ? branchNode(key, branch) : keyNode(key);
  }
  if (map.origin[segment] !== 1) return undefined;
  const record = map.records.records[map.item[segment] ?? 0];
  const key = keys.findIndex(({ offset }) => offset === record?.offset);
  return key >= 0 ? keyNode(key) : undefined;
}
