import type { JSX } from 'preact';
import { formatBytes, formatCount, formatDuration } from '../base/format';
import { DOCTOR_RULES, type DoctorFinding, type DoctorGrade } from '../insight/doctor-types';
import type { MapPlace } from '../plot/file-map-canvas';
import { Cancelled } from './branch-panel';
import { ErrorPane } from './error-pane';
import { formatMapState, type MapState } from './map-state';
import { Placeholder } from './status-line';
import { useRead } from './use-read';
import type { ViewProps } from './views';

/** Branches that are coloured on the map. */
const MOST_COLOURED = 8;

const GRADE_NAMES: Record<DoctorGrade, string> = { bad: 'Bad', poor: 'Poor', note: 'Note' };
const VERDICTS = {
  good: 'Laid out well for reading',
  fair: 'Some things cost more than they need to',
  bad: 'Laid out badly for reading',
};

/** How well the file, or one of its trees, is laid out; from metadata alone. */
export function DoctorView({ store, open, tree }: ViewProps): JSX.Element {
  const [read, again] = useRead(
    store,
    open,
    `doctor ${tree?.keyIndex ?? ''}`,
    'Looking at how everything lies',
    (_api, file, options) => store.insight.doctor(file, open.info.name, { ...options, tree: tree?.key.path }),
  );
  if (read.state === 'failed') return <ErrorPane error={read.error} onRetry={again} />;
  if (read.state === 'cancelled') return <Cancelled onAgain={again} />;
  if (read.state === 'reading') return <Placeholder store={store} />;
  const { grade, findings, notes } = read.value;
  return (
    <>
      <p class={`verdict ${grade}`}>{VERDICTS[grade]}</p>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {findings.length === 0 && <p class="hint">Nothing was found that is worth changing.</p>}
      {findings.map((finding, i) => (
        <Finding
          key={`${finding.rule} ${i}`}
          finding={finding}
          named={tree === undefined}
          onPlace={(place) => store.setView('map', formatMapState(placeState(finding, place)))}
        />
      ))}
    </>
  );
}

/** The map with a finding's place, and the branches that it is about in colours. */
function placeState({ branches = [] }: DoctorFinding, place: MapPlace): Partial<MapState> {
  return { place, branches: branches.slice(0, MOST_COLOURED) };
}

interface FindingProps {
  finding: DoctorFinding;
  named: boolean;
  onPlace(place: MapPlace): void;
}

function Finding({ finding, named, onPlace }: FindingProps): JSX.Element {
  const { rule, grade, evidence, costs, remedies, branches, place } = finding;
  return (
    <section class={`finding ${grade}`}>
      <h3>
        <span class="grade">{GRADE_NAMES[grade]}</span> {sentence(DOCTOR_RULES[rule])}
      </h3>
      <p>
        {named && finding.tree !== undefined && <strong>{finding.tree}: </strong>}
        {evidence}
      </p>
      {place !== undefined && (
        <p>
          <button type="button" onClick={() => onPlace(place)}>
            Show on the map
          </button>{' '}
          <span class="hint">
            {formatBytes(place.length)} from byte {formatCount(place.offset)} on
          </span>
        </p>
      )}
      {costs.length > 0 && (
        <div class="table-box">
          <table class="numbers">
            <thead>
              <tr>
                {['Link', 'Reading', 'Calls', 'Time', 'Mended: calls', 'time'].map((title, i) => (
                  <th scope="col" key={title} class={i > 1 ? 'number' : ''}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {costs.map((cost) => (
                <tr key={`${cost.link} ${cost.reading}`}>
                  <td>{cost.link}</td>
                  <td>{cost.reading}</td>
                  <td class="number">{formatCount(cost.calls)}</td>
                  <td class="number">{formatDuration(cost.ms)}</td>
                  <td class="number">{formatCount(cost.betterCalls)}</td>
                  <td class="number">{formatDuration(cost.betterMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {branches !== undefined && branches.length > 0 && (
        <details>
          <summary>Branches ({formatCount(branches.length)})</summary>
          <p class="hint">{branches.join(', ')}</p>
        </details>
      )}
      {remedies.map(({ for: tool, lines }) => (
        <details key={tool} open={remedies.length === 1}>
          <summary>How to mend it with {tool}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre class="lines" tabIndex={0}>
            {lines.join('\n')}
          </pre>
        </details>
      ))}
    </section>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
