import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount, formatNumber } from '../../base/format';
import type { PlotModel } from '../../plot/model';
import { MoreRows } from '../widgets/table-parts';

/** Bins shown at once. */
const PAGE_SIZE = 200;

/** The bins of a plot in numbers: for users who want to copy them, and users who cannot see the plot. */
export function BinsTable({ model }: { model: PlotModel }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <details class="bins" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Bins in numbers</summary>
      {open && <Rows model={model} />}
    </details>
  );
}

function Rows({ model }: { model: PlotModel }): JSX.Element {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { edges, values, errors } = model;
  const shown = Math.min(limit, values.length);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="table-box" aria-label="Bins in numbers" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To, not included</th>
              <th scope="col">{model.yTitle || 'Content'}</th>
              {errors !== undefined && <th scope="col">Error</th>}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shown }, (_, i) => (
              <tr key={edges[i]}>
                <td>{exact(edges[i])}</td>
                <td>{exact(edges[i + 1])}</td>
                <td>{exact(values[i])}</td>
                {errors !== undefined && <td>{exact(errors[i])}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <MoreRows left={values.length - shown} onMore={() => setLimit(limit * 4)} />
    </>
  );
}

/** A number with nine digits, which is more than any plot shows and enough for floats. */
function exact(value = Number.NaN): string {
  const text = Number.isSafeInteger(value) ? formatCount(value) : formatNumber(value, 9);
  return text.replace('-', '−');
}
