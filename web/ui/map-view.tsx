import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatBytes, formatCount } from '../base/format';
import { clusterExtents } from '../insight/layout-stats';
import { bytesByKind, type FileMap, kindLabels } from '../insight/map';
import { chooseOnMap } from '../insight/map-branches';
import { type MapResult, readMap, walkMap } from '../insight/read-map';
import { type MapCanvas, type MapRows, mountFileMap } from '../plot/file-map-canvas';
import { kindColour, type MapColouring, mapColourings, mapColours } from '../plot/file-map-colours';
import { Cancelled } from './branch-panel';
import { Choice } from './choice';
import { branchNode, keyNode } from './contents-model';
import { ErrorPane } from './error-pane';
import { MapBranches } from './map-branches';
import { describeSegment } from './map-readout';
import { Placeholder } from './status-line';
import { useRead } from './use-read';
import type { ViewProps } from './views';

/** What a link says of a map. */
interface MapState {
  branches: string[];
  colouring: MapColouring;
  rows: MapRows;
}

function parseState(text: string): MapState {
  const query = new URLSearchParams(text);
  const colouring = mapColourings.find((name) => name === query.get('colour')) ?? 'branch';
  return {
    branches: query.getAll('branch').slice(0, 64),
    colouring,
    rows: query.get('rows') === '1MB' ? '1MB' : 'fitted',
  };
}

function formatState({ branches, colouring, rows }: MapState): string {
  const query = new URLSearchParams(branches.map((branch) => ['branch', branch]));
  if (colouring !== 'branch') query.set('colour', colouring);
  if (rows !== 'fitted') query.set('rows', rows);
  return query.toString();
}

/** The map of the file: every byte, from metadata alone. */
export function MapView(props: ViewProps): JSX.Element {
  const { store, open } = props;
  const [read, again] = useRead(store, open, 'map', 'Reading where everything lies', (api, file, options) =>
    readMap(api, file, options),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  return <KnownMap {...props} first={read.value} />;
}

const colouringNames: Record<MapColouring, string> = { branch: 'Branch', entries: 'Entries', kind: 'Kind' };

function KnownMap({ store, open, tree, theme, first }: ViewProps & { first: MapResult }): JSX.Element {
  const walked = useSignal<MapResult | undefined>(undefined);
  const failed = useSignal('');
  const shown = walked.value ?? first;
  const { map } = shown;
  const state = parseState(store.viewParams.value);
  const set = (change: Partial<MapState>) => store.setView('map', formatState({ ...state, ...change }));
  const branches = state.branches.join('\n');
  const chosen = useMemo(
    () => chooseOnMap(map.layouts, branches === '' ? [] : branches.split('\n')),
    [map, branches],
  );
  const walk = () => {
    failed.value = '';
    store
      .call('walk', 'Walking the records', (api, file, options) => walkMap(api, file, first, options))
      .then(
        (result) => {
          walked.value = result;
        },
        (thrown: unknown) => {
          failed.value = thrown instanceof Error ? thrown.message : String(thrown);
        },
      );
  };
  const here = tree && map.layouts.findIndex((layout) => layout.tree.path === tree.info.path);
  return (
    <>
      <MapBranches
        map={map}
        tree={here}
        chosen={chosen}
        theme={theme}
        onChange={(next) => set({ branches: next })}
      />
      <MapFigure
        {...{ store, open, map, theme, chosen, state }}
        tree={here}
        controls={
          <>
            <Choice
              label="Colours by"
              options={mapColourings.map((name) => [name, colouringNames[name]])}
              value={state.colouring}
              disabled={state.branches.length > 0}
              onChange={(colouring) => set({ colouring })}
            />
            <Choice
              label="Rows"
              options={[
                ['fitted', 'Fitted'],
                ['1MB', '1 MB'],
              ]}
              value={state.rows}
              onChange={(rows) => set({ rows })}
            />
          </>
        }
      />
      <Legend map={map} theme={theme} />
      <Remarks result={shown} failed={failed.value} onWalk={walk} />
    </>
  );
}

interface MapFigureProps extends Pick<ViewProps, 'store' | 'open' | 'theme'> {
  map: FileMap;
  /** Index of the layout whose clusters are marked; those of all trees without. */
  tree: number | undefined;
  chosen: ReturnType<typeof chooseOnMap>;
  state: MapState;
  controls: JSX.Element;
}

function MapFigure({ store, open, theme, map, tree, chosen, state, controls }: MapFigureProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<MapCanvas | undefined>(undefined);
  const readout = useSignal('');
  const part = useSignal('');
  const { colouring, rows } = state;
  const colours = useMemo(
    () => mapColours(map, { dark: theme === 'dark', colouring, chosen }),
    [map, theme, colouring, chosen],
  );
  const borders = useMemo(() => clusterBorders(map, tree), [map, tree]);
  const spoken = useMemo(() => spokenMap(map), [map]);

  useEffect(() => {
    if (host.current === null) return;
    const mounted = mountFileMap(host.current, map, {
      ...{ colours, rows, borders },
      onHover(segment) {
        readout.value = segment === null ? '' : describeSegment(map, segment);
      },
      onClick(segment) {
        const node = nodeOf(map, segment, open.keyTree.keys);
        if (node !== undefined) store.select(node);
      },
      onWindow(from, to, whole) {
        part.value = whole ? '' : `${formatBytes(from)} to ${formatBytes(to)} of ${formatBytes(map.size)}`;
      },
    });
    canvas.current = mounted;
    return () => mounted.destroy();
  }, [map]);
  useEffect(() => canvas.current?.update({ colours }), [colours]);
  useEffect(() => canvas.current?.update({ rows }), [rows]);
  useEffect(() => canvas.current?.update({ borders }), [borders]);

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
        aria-label={`Map of the file: ${spoken}. Arrow keys move, plus and minus zoom, 0 shows the whole.`}
      />
      <figcaption class="map-readout">
        <span>{readout.value || 'Point at the map to see what lies there; click to go to it.'}</span>
        <span class="push">{part.value}</span>
      </figcaption>
    </figure>
  );
}

function spokenMap(map: FileMap): string {
  return bytesByKind(map)
    .slice(0, 4)
    .map(({ kind, bytes }) => `${kindLabels[kind]} ${formatBytes(bytes)}`)
    .join(', ');
}

/** Where clusters begin in the file: the first byte of the baskets that begin in each. */
function clusterBorders(map: FileMap, tree: number | undefined): Float64Array {
  const places = map.layouts.flatMap((layout, i) =>
    (tree === undefined || tree === i) && layout.clusterStart.length > 0
      ? clusterExtents(layout).flatMap(({ from }) => (Number.isFinite(from) ? [from] : []))
      : [],
  );
  return Float64Array.from(places);
}

/** What a click on a segment goes to: the branch, the tree or the key; nothing for the rest. */
function nodeOf(
  map: FileMap,
  segment: number,
  keys: readonly { path: string; cycle: number; offset: number }[],
) {
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

/** What the colours mean, and how many bytes of each there are: the map as a table. */
function Legend({ map, theme }: { map: FileMap; theme: 'light' | 'dark' }): JSX.Element {
  const kinds = useMemo(() => bytesByKind(map), [map]);
  return (
    <table class="map-legend">
      <caption class="hidden">Bytes of the file by what they are</caption>
      <tbody>
        {kinds.map(({ kind, bytes, segments }) => (
          <tr key={kind}>
            <th scope="row">
              <span class="swatch" style={{ background: kindColour(kind, theme === 'dark') }} />{' '}
              {kindLabels[kind]}
            </th>
            <td class="number">{formatBytes(bytes)}</td>
            <td class="number">{shareText(bytes / map.size)}</td>
            <td class="number">{formatCount(segments)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shareText(share: number): string {
  const percent = 100 * share;
  return percent >= 0.1 ? `${percent.toFixed(1)} %` : '< 0.1 %';
}

interface RemarksProps {
  result: MapResult;
  failed: string;
  onWalk(): void;
}

/** What the map does not know, how it can be known, and what does not agree. */
function Remarks({ result, failed, onWalk }: RemarksProps): JSX.Element | null {
  const { map, notes } = result;
  const unknown = useMemo(() => bytesByKind(map).find(({ kind }) => kind === 'unknown'), [map]);
  return (
    <>
      {unknown !== undefined && map.walked === undefined && (
        <p class="hint">
          The file's lists do not say what {formatBytes(unknown.bytes)} in {formatCount(unknown.segments)}{' '}
          places are.{' '}
          <button type="button" onClick={onWalk}>
            Walk the records there
          </button>
        </p>
      )}
      {failed !== '' && <p class="hint">The walk failed: {failed}</p>}
      {notes.length > 0 && (
        <ul class="notes">
          {notes.slice(0, 20).map((note) => (
            <li key={note}>{note}</li>
          ))}
          {notes.length > 20 && <li>… and {formatCount(notes.length - 20)} more.</li>}
        </ul>
      )}
      {map.overlaps.length > 0 && (
        <details class="partial">
          <summary>{formatCount(map.overlaps.length)} places are claimed twice: the file is damaged</summary>
          <ul>
            {map.overlaps.slice(0, 100).map(({ offset, length, shown, hidden }) => (
              <li key={`${offset} ${hidden}`}>
                {formatCount(length)} bytes from {formatCount(offset)}: {shown}, and {hidden}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
