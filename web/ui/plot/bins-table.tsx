import { useState } from 'preact/hooks';
import { formatCount, formatNumber } from '../../base/format';
import { readableLatex } from '../../plot/drawing/latex';
import type { GraphModel, PlotModel } from '../../plot/model';
import { type PointTable, pointTables } from '../../plot/stored/points';
import { MoreRows } from '../widgets/table-parts';

/** Number of bins that are shown at once. */
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

/** The points of a graph in numbers. */
export function PointsTable({ model }: { model: GraphModel }): JSX.Element | null {
  const [open, setOpen] = useState(false);
  const tables = pointTables(model);
  if (tables.length === 0) return null;
  return (
    <details class="bins" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Points in numbers</summary>
      {open && tables.map((table, i) => <Points key={i} table={table} alone={tables.length === 1} />)}
    </details>
  );
}

/** Titles of the columns of points. */
const HEADS: Record<string, string> = {
  x_label: 'Bin',
  left: 'Left',
  right: 'Right',
  down: 'Down',
  up: 'Up',
};

function Points({ table, alone }: { table: PointTable; alone: boolean }): JSX.Element {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { columns } = table;
  const title = readableLatex(table.title);
  const length = columns[0]?.values.length ?? 0;
  const shown = Math.min(limit, length);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="table-box" aria-label={`Points of ${title} in numbers`} tabIndex={0}>
        <table>
          {!alone && <caption>{title}</caption>}
          <thead>
            <tr>
              {columns.map(({ name }) => (
                <th scope="col" key={name}>
                  {HEADS[name] ?? name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shown }, (_, i) => (
              <tr key={i}>
                {columns.map(({ name, values }) => {
                  const value = values[i];
                  return (
                    <td key={name}>{typeof value === 'string' ? readableLatex(value) : exact(value)}</td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <MoreRows left={length - shown} onMore={() => setLimit(limit * 4)} />
    </>
  );
}

function Rows({ model }: { model: PlotModel }): JSX.Element {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { edges, values } = model;
  const { overlays = [] } = model;
  const layers = [{ ...model, title: model.label ?? model.title }, ...overlays].filter(
    (one, i) => i === 0 || one.edges === undefined,
  );
  const content = model.yTitle || 'Content';
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
              {layers.map(({ title, errors }, i) => {
                const name = layers.length > 1 ? readableLatex(title) : '';
                return [
                  <th scope="col" key={`${i} content`}>
                    {name || content}
                  </th>,
                  errors !== undefined && (
                    <th scope="col" key={`${i} error`}>
                      Error{name && ` of ${name}`}
                    </th>
                  ),
                ];
              })}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shown }, (_, i) => (
              <tr key={edges[i]}>
                <td>{exact(edges[i])}</td>
                <td>{exact(edges[i + 1])}</td>
                {layers.map((one, k) => [
                  <td key={`${k} content`}>{exact(one.values[i])}</td>,
                  one.errors !== undefined && <td key={`${k} error`}>{exact(one.errors[i])}</td>,
                ])}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <MoreRows left={values.length - shown} onMore={() => setLimit(limit * 4)} />
    </>
  );
}

/** Formats a number with nine digits, which is enough for 32-bit floats. */
function exact(value = Number.NaN): string {
  const text = Number.isSafeInteger(value) ? formatCount(value) : formatNumber(value, 9);
  return text.replace('-', '−');
}
