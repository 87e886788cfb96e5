import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { formatBytes, formatCount } from '../../../base/format';
import { FileWords } from '../../../ui/plot/explained';
import { mapLink } from '../../../ui/state/map-link';
import type { ViewProps } from '../../../ui/view-tabs';
import { Cancelled } from '../../../ui/widgets/cancelled';
import { ErrorPane } from '../../../ui/widgets/error-pane';
import { Placeholder } from '../../../ui/widgets/progress';
import { Choice } from '../../../ui/widgets/segmented-control';
import { slot } from '../../../ui/widgets/slot';
import { useRead } from '../../../ui/widgets/use-read';
import { useTrace } from '../../../ui/widgets/use-trace';
import { SavedReading } from '../../traces/view/saved-reading-field';
import { kindColour, type MapColouring, mapColourings } from '../work/file-map-colours';
import type { MapReport } from '../work/insight';
import { kindLabels, pieceAt, segmentAt, segmentName } from '../work/map';
import { chooseOnMap } from '../work/map-branches';
import { MapBranches } from './map-branches';
import { MapFigure, nodeAt } from './map-figure';
import { ReadsLegend, useReadStrips } from './map-reads';
import { type MapState, parseMapState } from './map-state';

/** Shows parts of features for an outlined place. */
const Bytes = slot('bytes');

/** The map of every byte of the file. It is made from metadata only. */
export function MapView(props: ViewProps): JSX.Element {
  const { store, open } = props;
  const [read, again] = useRead(store, open, 'map', 'Reading where everything lies', (_api, file, options) =>
    store.insight.map(file, options),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  return <KnownMap {...props} first={read.value} />;
}

const colouringNames: Record<MapColouring, string> = { branch: 'Branch', entries: 'Entries', kind: 'Kind' };

function KnownMap({ store, open, tree, theme, first }: ViewProps & { first: MapReport }): JSX.Element {
  const walked = useSignal<MapReport | undefined>(undefined);
  const failed = useSignal('');
  const shown = walked.value ?? first;
  const { map } = shown;
  const state = parseMapState(store.selection.viewParams.value);
  const set = (change: Partial<MapState>) => store.selection.setView('map', mapLink({ ...state, ...change }));
  const saved = store.traffic.savedReading.value;
  const records = useTrace(store, open, state.reads);
  const strips = useReadStrips(state.reads, records, saved, map.size);
  const branches = state.branches.join('\n');
  const chosen = useMemo(
    () => chooseOnMap(map.layouts, branches === '' ? [] : branches.split('\n')),
    [map, branches],
  );
  const walk = () => {
    failed.value = '';
    store.session
      .call('walk', 'Walking the records', (_api, file, options) =>
        store.insight.map(file, { ...options, walk: true }),
      )
      .then(
        (result) => {
          walked.value = result;
        },
        (thrown: unknown) => {
          failed.value = thrown instanceof Error ? thrown.message : String(thrown);
        },
      );
  };
  const segment = state.place && segmentAt(map, state.place.offset);
  const outlined = segment === undefined ? '' : segmentName(map, segment);
  const node = state.place && nodeAt(map, state.place.offset, open);
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
      {state.place !== undefined && (
        <p class="place">
          <span>
            Outlined: {outlined}, {formatBytes(state.place.length)} from byte{' '}
            {formatCount(state.place.offset)} on.
          </span>
          {node !== undefined && (
            <button
              type="button"
              class="link"
              title="Enter, in the map"
              onClick={() => store.selection.select(node)}
            >
              Go to it
            </button>
          )}
          <button type="button" class="link" onClick={() => set({ place: undefined })}>
            No outline
          </button>
        </p>
      )}
      {state.reads && <SavedReading store={store} />}
      <MapFigure
        {...{ store, open, theme, chosen, state, strips }}
        report={shown}
        tree={here}
        onPlace={(place) => set({ place })}
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
            <Choice
              label="Reads"
              options={[
                ['hidden', 'Hidden'],
                ['over', 'Laid over'],
              ]}
              value={state.reads ? 'over' : 'hidden'}
              onChange={(reads) => set({ reads: reads === 'over' })}
            />
          </>
        }
      />
      {state.place && (
        <Bytes
          {...{ store, open }}
          {...state.place}
          onPlace={(offset) => set({ place: pieceAt(map, offset) })}
        />
      )}
      {state.reads && records.length === 0 && saved === undefined && (
        <p class="hint">
          This page has read nothing of the file's values yet: draw a branch, or drop a trace.
        </p>
      )}
      {state.reads && <ReadsLegend strips={strips} saved={saved} size={map.size} theme={theme} />}
      <Legend report={shown} theme={theme} />
      {map.layouts.length > 0 && (
        <FileWords
          {...{ store, open, theme, tree }}
          words={
            map.layouts[0]?.pageBytes === undefined
              ? ['Baskets', 'Clusters', 'Over-read']
              : ['Pages', 'Clusters', 'Over-read']
          }
        />
      )}
      <Remarks result={shown} failed={failed.value} onWalk={walk} />
    </>
  );
}

/** Legend of the map: its colours, with the bytes of each kind. */
function Legend({ report, theme }: { report: MapReport; theme: 'light' | 'dark' }): JSX.Element {
  const { kinds, map } = report;
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
  result: MapReport;
  failed: string;
  onWalk(): void;
}

/** Notes below the map: unknown parts and how to read them, and contradictions. */
function Remarks({ result, failed, onWalk }: RemarksProps): JSX.Element | null {
  const { map, notes, kinds } = result;
  const unknown = kinds.find(({ kind }) => kind === 'unknown');
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
