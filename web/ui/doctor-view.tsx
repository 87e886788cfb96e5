import type { JSX } from 'preact';
import { formatBytes, formatCount, formatDuration } from '../base/format';
import { examine } from '../insight/doctor';
import { DOCTOR_RULES, type DoctorFinding, type DoctorGrade } from '../insight/doctor-types';
import { Cancelled } from './branch-panel';
import { ErrorPane } from './error-pane';
import { Placeholder } from './status-line';
import { useRead } from './use-read';
import type { ViewProps } from './views';

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
    (api, file, options) => examine(api, file, open.info.name, { ...options, tree: tree?.key.path }),
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
        <Finding key={`${finding.rule} ${i}`} finding={finding} named={tree === undefined} />
      ))}
    </>
  );
}

function Finding({ finding, named }: { finding: DoctorFinding; named: boolean }): JSX.Element {
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
        <p class="hint">
          Seen best on the map from byte {formatCount(place.offset)} on, over {formatBytes(place.length)}.
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
